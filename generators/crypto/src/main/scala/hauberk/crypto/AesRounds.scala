package hauberk.crypto

import chisel3._
import chisel3.util._

/** The rounds of AES in one of their layouts ([[AesArchitecture]]): results leave in the order of the requests, each with its tag. */
private[crypto] abstract class AesRounds(params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val response = Decoupled(new AesResponse(params.tagBits))
  })

  /** The request on its way into the first round. */
  protected def start(): AesState =
    params.datapath.start(params, io.request.bits, io.request.valid && io.request.ready)

  /** A block after round number `round`. */
  protected def after(state: AesState, round: UInt): AesState = params.datapath.after(params, state, round)
}
