package hauberk.crypto

import chisel3._
import chisel3.util._

/** The pipelined core: `roundsPerStage` rounds between two ranks of registers, none before the first round.
  *
  * Takes a block every cycle in which it moves. It moves unless its last stage holds a block that is not taken: then every
  * stage holds. Where the consumer is always ready that enable is constant and costs nothing.
  */
private[crypto] class AesPipeline(params: AesParams, roundsPerStage: Int) extends AesRounds(params) {
  private val moves = Wire(Bool())

  private val last = (1 to params.rounds).grouped(roundsPerStage).foldLeft(
    (io.request.valid, start())
  ) { case ((valid, state), rounds) =>
    val next = rounds.foldLeft(state)((before, round) => after(before, round.U(4.W)))
    (RegEnable(valid, false.B, moves), RegEnable(next, moves))
  }

  moves := !last._1 || io.response.ready
  io.request.ready := moves
  io.response.valid := last._1
  io.response.bits.block := last._2.block
  io.response.bits.tag := last._2.tag
}
