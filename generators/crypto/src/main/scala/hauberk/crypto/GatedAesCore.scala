package hauberk.crypto

import chisel3._
import chisel3.util._

/** An [[AesCore]] whose clock stops while it is empty. The same cycle by cycle.
  *
  * The clock runs on behind the last block, and behind each `wake`, until all of the core holds what stands at its request then: so no key stays in a
  * core that stands still.
  */
private[crypto] class GatedAesCore(params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val response = Decoupled(new AesResponse(params.tagBits))

    /** The keys behind the request may change in this cycle or the next. */
    val wake = Input(Bool())

    /** The clock runs in this cycle. */
    val running = Output(Bool())
  })
  private val core = GatedClock(io.running)(Module(new AesCore(params)))
  core.io.request <> io.request
  io.response <> core.io.response

  // As many cycles as a block takes, or goes round a ring; and one in which the last key may still stand at the request
  private val drain = params.latency + params.ranks + 1
  private val inside = RegInit(0.U(log2Ceil(params.latency + 2).W))
  private val enters = io.request.valid && io.request.ready
  private val leaves = io.response.valid && io.response.ready
  inside := inside + enters - leaves
  private val runs = io.request.valid || inside =/= 0.U || io.wake
  io.running := GatedClock.runOn(runs, drain)
}
