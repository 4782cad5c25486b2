package hauberk.crypto

import chisel3._
import chisel3.util._

/** The folded core: a ring of rounds, a rank of registers behind each, around which a block goes up to `passes` times. It leaves behind its last
  * round, from the rank at which that ends.
  *
  * A block at the end of the ring that needs another pass goes before a new one. All blocks take as many cycles, so they leave in the order in
  * which they came, and their places come round once in `passes` cycles. The ring holds as a whole while a result is not taken.
  *
  * @param passes passes of a block, the last of which may be a part of one; 2 up to the number of rounds
  */
private[crypto] class AesFolded(params: AesParams, passes: Int) extends AesRounds(params) {
  private val ranks = params.ranks
  private val exit = (params.rounds - 1) % ranks
  private val lastPass = ((params.rounds - 1) / ranks).U
  private val passBits = log2Ceil(passes)
  private val moves = Wire(Bool())
  private val valid = Seq.fill(ranks)(RegInit(false.B))
  private val state = Seq.fill(ranks)(Reg(new AesState(params)))
  private val pass = Seq.fill(ranks)(Reg(UInt(passBits.W)))
  private val finished = valid(exit) && pass(exit) === lastPass

  // What a rank hands on: a block that is finished leaves
  private def handsOn(rank: Int): Bool = valid(rank) && (if (rank == exit) !finished else true.B)
  private val again = handsOn(ranks - 1)
  for (rank <- 0 until ranks) {
    val enters = if (rank == 0) again || io.request.valid else handsOn(rank - 1)
    val before = if (rank == 0) Mux(again, state(ranks - 1), start()) else state(rank - 1)
    val number = if (rank == 0) Mux(again, pass(ranks - 1) + 1.U, 0.U(passBits.W)) else pass(rank - 1)
    val round = VecInit((0 until (1 << passBits)).map(p => math.min(p * ranks + rank + 1, 15).U(4.W)))(number)
    val next = after(before, round)
    when(moves) {
      valid(rank) := enters
      state(rank) := next
      pass(rank) := number
    }
  }

  moves := !finished || io.response.ready
  io.request.ready := moves && !again
  io.response.valid := finished
  io.response.bits.block := state(exit).block
  io.response.bits.tag := state(exit).tag
}
