package hauberk.crypto

import chisel3._
import chisel3.util._

/** A block inside a core: its state, its place in the key schedule, its direction and its tag. */
private[crypto] class AesState(val params: AesParams) extends Bundle {
  val block = UInt(128.W)
  val key = UInt(params.keyBits.W)
  val decrypt = Bool()
  val tag = UInt(params.tagBits.W)
}

/** Makes the state that enters the first round. */
private[crypto] object AesState {

  /** A request after the first addition of the round key. */
  def start(params: AesParams, request: AesRequest): AesState = {
    val state = Wire(new AesState(params))
    state.block := request.block ^ AesRound.roundKey(request.key)
    state.key := request.key
    state.decrypt := request.decrypt
    state.tag := request.tag
    state
  }

  /** The state after round number `round`. */
  def after(params: AesParams, state: AesState, round: UInt): AesState = {
    val unit = Module(new AesRound(params))
    unit.io.round := round
    unit.io.decrypt := state.decrypt
    unit.io.block := state.block
    unit.io.key := state.key
    val next = Wire(new AesState(params))
    next.block := unit.io.nextBlock
    next.key := unit.io.nextKey
    next.decrypt := state.decrypt
    next.tag := state.tag
    next
  }
}

/** The pipelined core: `roundsPerStage` rounds between two ranks of registers, none before the first round.
  *
  * Takes a block every cycle in which it moves. It moves unless its last stage holds a block that is not taken: then every
  * stage holds. Where the consumer is always ready that enable is constant and costs nothing.
  */
private[crypto] class AesPipeline(params: AesParams, roundsPerStage: Int) extends AesRounds(params) {
  private val moves = Wire(Bool())

  private val last = (1 to params.rounds).grouped(roundsPerStage).foldLeft(
    (io.request.valid, AesState.start(params, io.request.bits))
  ) { case ((valid, state), rounds) =>
    val next = rounds.foldLeft(state)((before, round) => AesState.after(params, before, round.U(4.W)))
    (RegEnable(valid, false.B, moves), RegEnable(next, moves))
  }

  moves := !last._1 || io.response.ready
  io.request.ready := moves
  io.response.valid := last._1
  io.response.bits.block := last._2.block
  io.response.bits.tag := last._2.tag
}
