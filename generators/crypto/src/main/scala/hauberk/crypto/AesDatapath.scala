package hauberk.crypto

import chisel3._

/** A block inside a core: its state, its place in the key schedule, its direction and its tag. */
private[crypto] class AesState(val params: AesParams) extends Bundle {
  val block = UInt(128.W)
  val key = UInt(params.keyBits.W)
  val decrypt = Bool()
  val tag = UInt(params.tagBits.W)
}

/** What computes the blocks of an AES core. The registers and the control around it are the same for all, and so are the results, their order and
  * every cycle.
  */
sealed trait AesDatapath {

  /** The state that enters the first round.
    *
    * @param enters the core takes the request in this cycle; without it the state is of no use
    */
  private[crypto] def start(params: AesParams, request: AesRequest, enters: Bool): AesState

  /** The state after round number `round`; after the last one its block is the result. */
  private[crypto] def after(params: AesParams, state: AesState, round: UInt): AesState
}

/** The datapaths: rounds in hardware, or a model of them for simulators. */
object AesDatapath {

  /** Hardware. */
  case object Rounds extends AesDatapath {
    private[crypto] def start(params: AesParams, request: AesRequest, enters: Bool): AesState = {
      val state = Wire(new AesState(params))
      state.block := request.block ^ AesRound.roundKey(request.key)
      state.key := request.key
      state.decrypt := request.decrypt
      state.tag := request.tag
      state
    }

    private[crypto] def after(params: AesParams, state: AesState, round: UInt): AesState = {
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

  /** C++ behind DPI, for a simulator: the whole block is computed as it enters ([[HauberkAesModel]]), and the core carries the result where it would
    * carry the state of the rounds. It carries no key, and zero where there is no block.
    */
  case object Model extends AesDatapath {
    private[crypto] def start(params: AesParams, request: AesRequest, enters: Bool): AesState = {
      val model = Module(new HauberkAesModel)
      model.io.enable := enters
      model.io.keyBits := params.keyBits.U
      model.io.decrypt := (params.direction match {
        case AesDirection.Encrypt => false.B
        case AesDirection.Decrypt => true.B
        case AesDirection.Both => request.decrypt
      })
      model.io.key := request.key
      model.io.block := request.block
      val state = Wire(new AesState(params))
      state.block := model.io.result
      state.key := 0.U
      state.decrypt := false.B
      state.tag := request.tag
      state
    }

    private[crypto] def after(params: AesParams, state: AesState, round: UInt): AesState = state
  }
}
