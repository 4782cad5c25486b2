package hauberk.tilelink.steering

import chisel3._
import chisel3.util._

/** Hints of several harts as one stream, in turn. Those of one hart keep their order and, if no other's wait, their cycle; a hart's that
  * find no room are lost, which costs time and nothing else.
  *
  * @param harts number of streams
  */
class SteeringMerge(harts: Int) extends Module {
  val io = IO(new Bundle {
    val in = Vec(harts, Flipped(Valid(new SteeringHint)))
    val out = Valid(new SteeringHint)
  })
  private val arbiter = Module(new RRArbiter(new SteeringHint, harts))
  for ((in, to) <- io.in.zip(arbiter.io.in)) {
    val queue = Module(new Queue(new SteeringHint, SteeringMerge.depth, pipe = false, flow = true))
    queue.io.enq.valid := in.valid
    queue.io.enq.bits := in.bits
    to <> queue.io.deq
  }
  arbiter.io.out.ready := true.B
  io.out.valid := arbiter.io.out.valid
  io.out.bits := arbiter.io.out.bits
}

object SteeringMerge {

  /** Hints of a hart that wait for those of others. */
  private val depth = 4
}
