package hauberk.crypto

import chisel3._
import chisel3.util._

/** A block of a message for [[Cmac]]; `last` ends the message. */
class CmacBlock extends Bundle {
  val block = UInt(128.W)
  val last = Bool()
}

/** AES-CMAC (NIST SP 800-38B, RFC 4493) of messages of whole blocks, 128-bit keys.
  *
  * `start` takes the key; it is ignored while `busy`. Then the blocks of one message are taken, the first when the subkey is made, each when the
  * cipher is done with the one before: ten rounds each. `tag` is valid for one cycle, and zero in all others; with it the unit forgets the key.
  * The key goes nowhere else.
  *
  * A message that is not of whole blocks, which would need padding, cannot be said: pad it in a layout of one's own.
  *
  * @param datapath what computes the blocks of its cipher
  */
class Cmac(sBox: SBoxStyle = SBoxStyle.BoyarPeralta, datapath: AesDatapath = AesDatapath.Rounds) extends Module {
  val io = IO(new Bundle {
    val key = Input(UInt(128.W))
    val start = Input(Bool())
    val busy = Output(Bool())
    val block = Flipped(Decoupled(new CmacBlock))
    val tag = Valid(UInt(128.W))
  })
  private val params = AesParams(128, AesDirection.Encrypt, AesArchitecture.Iterative, sBox, datapath = datapath)
  private val core = Module(new AesCore(params))
  private val idle :: subkey :: taking :: running :: Nil = Enum(4)
  private val phase = RegInit(idle)
  private val key, subkey1, chain = RegInit(0.U(128.W))
  private val last = RegInit(false.B)
  private val asked = RegInit(false.B)

  when(phase === idle && io.start) {
    phase := subkey
    key := io.key
    chain := 0.U
    asked := false.B
  }

  io.block.ready := phase === taking && core.io.request.ready
  private val takes = io.block.valid && io.block.ready
  core.io.request.valid := (phase === subkey && !asked) || (phase === taking && io.block.valid)
  core.io.request.bits.block := Mux(
    phase === subkey,
    0.U,
    chain ^ io.block.bits.block ^ Mux(io.block.bits.last, subkey1, 0.U)
  )
  core.io.request.bits.key := key
  core.io.request.bits.decrypt := false.B
  core.io.request.bits.tag := 0.U
  core.io.response.ready := true.B
  private val made = core.io.response.bits.block

  when(core.io.request.valid && core.io.request.ready) { asked := true.B }
  when(takes) {
    phase := running
    last := io.block.bits.last
  }
  when(core.io.response.valid && phase === subkey) {
    subkey1 := Doubling(made)
    phase := taking
  }
  private val ends = core.io.response.valid && phase === running && last
  when(core.io.response.valid && phase === running) {
    chain := made
    phase := taking
  }
  when(ends) {
    phase := idle
    Seq(key, subkey1, chain).foreach(_ := 0.U)
  }
  io.busy := phase =/= idle
  io.tag.valid := ends
  io.tag.bits := Mux(ends, made, 0.U)
}
