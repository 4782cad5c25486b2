package hauberk.tilelink

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.KeySlot

/** The fuses: they hold the device key, which only hardware reads, and are `valid` from some moment on for good. */
class FusePins extends Bundle {
  val deviceKey = UInt(128.W)
  val valid = Bool()
}

/** Fills the key slots of every engine, without any key becoming visible to software.
  *
  * The static key is unwrapped (RFC 3394) from the words software gives, under the device key of the fuses. The dynamic key
  * is two words of entropy, the first being the more significant half; it exists nowhere but in the slots. A command
  * erases its slot first, so that no slot is ever usable with a mixture of two keys. Commands in the same cycle are
  * all carried out; a command whose predecessor of the same kind is still running is ignored.
  */
class KeyLoader extends Module {
  private val keyBits = 128
  private val words = keyBits / 64
  val io = IO(new Bundle {
    val fuse = Input(new FusePins)
    val wrappedKey = Input(Vec(3, UInt(64.W)))
    val unwrap = Input(Bool())
    val makeDynamicKey = Input(Bool())
    val entropy = Flipped(Decoupled(UInt(64.W)))

    /** An unwrapping is under way, up to the last word's write. */
    val unwrapBusy = Output(Bool())

    /** The last unwrapping found the words not to be a key wrapped under the device key. */
    val unwrapFailed = Output(Bool())
    val keyWrite = Valid(new KeyWrite(KeySlot.count, keyBits))
    val keyRetire = Valid(UInt(KeySlot.width.W))
  })

  private val unwrapper = Module(new KeyUnwrap)
  private val staticKey = Reg(UInt(keyBits.W))
  private val staticWords = RegInit(0.U(log2Ceil(words + 1).W)) // still to write
  private val startUnwrap = io.unwrap && !io.unwrapBusy
  private val dynamicAsked = RegInit(false.B)
  private val dynamicWords = RegInit(0.U(log2Ceil(words + 1).W))
  private val startDynamic = dynamicAsked && !startUnwrap

  unwrapper.io.kek := io.fuse.deviceKey
  unwrapper.io.kekValid := io.fuse.valid
  unwrapper.io.wrapped := io.wrappedKey
  unwrapper.io.start := startUnwrap
  io.unwrapBusy := unwrapper.io.busy || unwrapper.io.key.valid || staticWords =/= 0.U
  io.unwrapFailed := unwrapper.io.failed

  when(io.makeDynamicKey && dynamicWords === 0.U) { dynamicAsked := true.B }
  when(startDynamic) {
    dynamicAsked := false.B
    dynamicWords := words.U
  }
  io.keyRetire.valid := startUnwrap || startDynamic
  io.keyRetire.bits := Mux(startUnwrap, KeySlot.static.U, KeySlot.dynamic.U)

  private val writeStatic = staticWords =/= 0.U
  private val writeDynamic = io.entropy.valid && io.entropy.ready
  io.entropy.ready := dynamicWords =/= 0.U && !writeStatic
  io.keyWrite.valid := writeStatic || writeDynamic
  io.keyWrite.bits.slot := Mux(writeStatic, KeySlot.static.U, KeySlot.dynamic.U)
  io.keyWrite.bits.word := words.U - Mux(writeStatic, staticWords, dynamicWords)
  io.keyWrite.bits.data := Mux(writeStatic, staticKey(keyBits - 1, keyBits - 64), io.entropy.bits)

  when(unwrapper.io.key.valid) {
    staticKey := unwrapper.io.key.bits
    staticWords := words.U
  }.elsewhen(writeStatic) {
    staticKey := Cat(staticKey(keyBits - 65, 0), 0.U(64.W)) // leaves nothing of the key behind
    staticWords := staticWords - 1.U
  }
  when(writeDynamic) { dynamicWords := dynamicWords - 1.U }
}
