package hauberk.bus

import chisel3._
import chisel3.util._

/** A queue of secrets: an item is erased when it leaves. Otherwise as Chisel's own.
  *
  * @param pipe a full queue takes something in the cycle in which something leaves
  * @param flow an item can pass an empty queue in the same cycle
  */
class ErasingQueue[T <: Data](kind: => T, val entries: Int, pipe: Boolean = false, flow: Boolean = false)
    extends Module {
  val io = IO(new Bundle {
    val enq = Flipped(Decoupled(kind))
    val deq = Decoupled(kind)
    val count = Output(UInt(log2Ceil(entries + 1).W))
  })
  private val items = RegInit(VecInit(Seq.fill(entries)(0.U.asTypeOf(kind))))
  private val count = RegInit(0.U(log2Ceil(entries + 1).W))
  private val empty = count === 0.U
  io.count := count
  io.enq.ready := count =/= entries.U || (pipe.B && io.deq.ready)
  io.deq.valid := !empty || (flow.B && io.enq.valid)
  io.deq.bits := items.head
  if (flow) { when(empty) { io.deq.bits := io.enq.bits } }

  private val leaves = io.deq.ready && !empty
  private val enters = io.enq.valid && io.enq.ready && !(flow.B && empty && io.deq.ready)
  private val place = count - leaves
  count := place + enters
  for ((item, number) <- items.zipWithIndex) {
    when(leaves) { item := (if (number + 1 < entries) items(number + 1) else 0.U.asTypeOf(kind)) }
    when(enters && place === number.U) { item := io.enq.bits }
  }
}
