package hauberk.crypto

import chisel3._
import chisel3.util._

/** AES (FIPS-197) as a stream of blocks, each with its own key.
  *
  * Results leave in the order of the requests, each with its tag, after `params.latency` cycles if nothing waits; a response
  * that is not taken is held and stops the core once it is full. Reset empties the core. `io.request.ready` may depend on
  * `io.response.ready` in the same cycle, and never on `io.request.valid`.
  * While `io.response.valid` is low the response carries intermediate values: keep it inside the trusted part.
  */
class AesCore(val params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val response = Decoupled(new AesResponse(params.tagBits))
  })

  // The first cycle of extra latency parts the logic that makes requests, and reads their keys, from the first round
  private val request = if (params.extraLatency == 0) io.request else registered(io.request)
  private val core = Module(params.architecture match {
    case AesArchitecture.Iterative => new AesIterative(params)
    case AesArchitecture.Pipelined(roundsPerStage) => new AesPipeline(params, roundsPerStage)
    case AesArchitecture.Folded(passes) => new AesFolded(params, passes)
  })
  core.io.request <> request
  private val computed = core.io.response

  private val moves = Wire(Bool())
  private val (valid, bits) =
    (1 until params.extraLatency).foldLeft((computed.valid, computed.bits)) { case ((valid, bits), _) =>
      (RegEnable(valid, false.B, moves), RegEnable(bits, moves))
    }
  moves := !valid || io.response.ready
  computed.ready := moves
  io.response.valid := valid
  io.response.bits := bits

  /** Samples the request even if it is not valid, so that no key stays in it when its slot is zeroized. */
  private def registered(in: DecoupledIO[AesRequest]): DecoupledIO[AesRequest] = {
    val out = Wire(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val moves = !out.valid || out.ready
    in.ready := moves
    out.valid := RegEnable(in.valid, false.B, moves)
    out.bits := RegEnable(in.bits, moves)
    out
  }
}
