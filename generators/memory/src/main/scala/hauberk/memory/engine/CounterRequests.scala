package hauberk.memory.engine

import chisel3._
import chisel3.util._

/** Two requests of the counter store on their way to memory. Each waits here for a cycle, so that no path leads from a look-up through the counter
  * cache to memory; where there is no such cache, none waits. Keeps their order.
  *
  * @param gen   type of a request, or of a beat of it
  * @param waits each waits for a cycle
  */
class CounterRequests[T <: Data](gen: T, waits: Boolean) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(gen))
    val out = Decoupled(gen)

    /** The counter store is being flushed. */
    val flushing = Input(Bool())

    /** Since the cycle after the flush, something of it is here. */
    val left = Output(Bool())
  })
  private val requests = Module(new Queue(gen, 2, pipe = false, flow = !waits))
  requests.io.enq <> io.in
  io.out <> requests.io.deq
  private def fires(port: DecoupledIO[T]): UInt = (port.valid && port.ready).asUInt
  private val left = RegInit(0.U(2.W))
  when(io.flushing) {
    left := requests.io.count + fires(io.in) - fires(io.out)
  }.elsewhen(left =/= 0.U) { left := left - fires(io.out) }
  io.left := left =/= 0.U
}
