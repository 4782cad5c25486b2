package hauberk.crypto

import chisel3._
import chisel3.util._

/** The iterative core: one round of hardware, a round per cycle, one block at a time.
  *
  * The first round runs in the cycle that takes the block, and the next block can be taken in the cycle in which the result
  * leaves, so a block takes as many cycles as the cipher has rounds.
  */
private[crypto] class AesIterative(params: AesParams) extends AesRounds(params) {
  private val state = Reg(new AesState(params))

  /** Rounds done for the block in `state`; 0 while there is none. */
  private val done = RegInit(0.U(4.W))
  private val idle = done === 0.U
  private val finished = done === params.rounds.U

  io.response.valid := finished
  io.response.bits.block := state.block
  io.response.bits.tag := state.tag
  io.request.ready := idle || (finished && io.response.ready)

  private val takes = io.request.ready
  private val starts = takes && io.request.valid
  private val round = Mux(takes, 1.U(4.W), done +& 1.U)(3, 0)
  private val before = Mux(takes, start(), state)
  private val next = after(before, round)

  when(takes) {
    done := Mux(io.request.valid, 1.U, 0.U)
  }.elsewhen(!finished) {
    done := round
  }
  when(!finished || starts) {
    state.block := next.block
  }
  // The key of a finished block is of no use any more, so its register needs no enable.
  state.key := next.key
  when(takes) {
    state.decrypt := io.request.bits.decrypt
    state.tag := io.request.bits.tag
  }
}
