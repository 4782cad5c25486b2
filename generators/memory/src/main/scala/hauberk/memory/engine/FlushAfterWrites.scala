package hauberk.memory.engine

import chisel3._

/** Begins a flush when the writes that were posted before its command are in memory: their data would come after their counters. A command during
  * the wait extends the wait to the writes posted before it. Adds no cycle if no write is posted.
  *
  * @param writes entries of writes
  */
class FlushAfterWrites(writes: Int) extends Module {
  val io = IO(new Bundle {
    val command = Input(Bool())

    /** Writes that are acknowledged and not yet in memory; those that end in this cycle, or can no longer come to memory. */
    val posted = Input(UInt(writes.W))
    val done = Input(UInt(writes.W))
    val flush = Output(Bool())

    /** A flush was commanded and has not begun: from the next cycle on. */
    val waits = Output(Bool())
  })
  private val waits = RegInit(false.B)
  private val after = RegInit(0.U(writes.W))
  private val asked = io.command || waits
  private val elders = (after | Mux(io.command, io.posted, 0.U)) & (~io.done).asUInt
  io.flush := asked && !elders.orR
  io.waits := waits
  waits := asked && elders.orR
  after := elders
}
