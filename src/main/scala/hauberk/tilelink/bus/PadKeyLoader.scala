package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.{AesDatapath, KeyUnwrap}

/** The key of the program package, for a tile that decrypts memory itself: unwraps it once after reset, under the device key of that tile
  * (RFC 3394), as soon as the fuses hold one.
  *
  * `key` stays from then on; if the words are not a key wrapped under that device key, `failed` rises instead, and stays.
  *
  * @param datapath what computes the blocks of its cipher
  */
class PadKeyLoader(datapath: AesDatapath) extends Module {
  val io = IO(new Bundle {
    val deviceKey = Input(UInt(128.W))
    val keyValid = Input(Bool())
    val wrapped = Input(Vec(3, UInt(64.W)))
    val key = Valid(UInt(128.W))
    val failed = Output(Bool())
  })
  private val unwrapper = Module(new KeyUnwrap(datapath = datapath))
  private val started = RegInit(false.B)
  private val words = RegInit(VecInit(Seq.fill(2)(0.U(64.W))))
  private val whole = RegInit(false.B)
  unwrapper.io.kek := io.deviceKey
  unwrapper.io.kekValid := io.keyValid
  unwrapper.io.wrapped := io.wrapped
  unwrapper.io.start := io.keyValid && !started
  when(io.keyValid) { started := true.B }
  when(unwrapper.io.key.valid) {
    words(unwrapper.io.key.bits.word) := unwrapper.io.key.bits.data
    whole := unwrapper.io.key.bits.word === 1.U
  }
  io.key.valid := whole
  io.key.bits := Mux(whole, Cat(words), 0.U)
  io.failed := started && unwrapper.io.failed
}
