package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyUnwrap

/** The key of the program package, for a tile that decrypts memory itself: unwraps it once after reset, under the device key of that tile
  * (RFC 3394), as soon as the fuses hold one.
  *
  * `key` stays from then on; if the words are not a key wrapped under that device key, `failed` rises instead, and stays.
  */
class PadKeyLoader extends Module {
  val io = IO(new Bundle {
    val deviceKey = Input(UInt(128.W))
    val keyValid = Input(Bool())
    val wrapped = Input(Vec(3, UInt(64.W)))
    val key = Valid(UInt(128.W))
    val failed = Output(Bool())
  })
  private val unwrapper = Module(new KeyUnwrap)
  private val started = RegInit(false.B)
  private val key = RegInit(0.U.asTypeOf(Valid(UInt(128.W))))
  unwrapper.io.kek := io.deviceKey
  unwrapper.io.kekValid := io.keyValid
  unwrapper.io.wrapped := io.wrapped
  unwrapper.io.start := io.keyValid && !started
  when(io.keyValid) { started := true.B }
  when(unwrapper.io.key.valid) { key := unwrapper.io.key }
  io.key := key
  io.failed := started && unwrapper.io.failed
}
