package hauberk.crypto

import chisel3._

/** A [[KeyUnwrap]] whose clock stops while it does not unwrap. The same cycle by cycle.
  *
  * The clock runs on until nothing of a key is left in the cipher, as that of a [[GatedAesCore]] does.
  *
  * @param datapath what computes the blocks of its cipher
  */
class GatedKeyUnwrap(sBox: SBoxStyle = SBoxStyle.BoyarPeralta, datapath: AesDatapath = AesDatapath.Rounds)
    extends Module {
  val io = IO(new KeyUnwrapIO {

    /** The clock runs in this cycle. */
    val running = Output(Bool())
  })
  private val unwrap = GatedClock(io.running)(Module(new KeyUnwrap(sBox, gated = true, datapath)))
  unwrap.io.kek := io.kek
  unwrap.io.kekValid := io.kekValid
  unwrap.io.wrapped := io.wrapped
  unwrap.io.start := io.start
  io.busy := unwrap.io.busy
  io.failed := unwrap.io.failed
  io.key := unwrap.io.key
  io.running := io.start || unwrap.io.running || reset.asBool
}
