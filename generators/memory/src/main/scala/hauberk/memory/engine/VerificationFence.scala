package hauberk.memory.engine

import chisel3._
import hauberk.memory.cache.Fence
import hauberk.memory.common.Geometry

/** Tells when everything that was read until a moment is verified, while other reads go on: the reads in flight, then the counter lines that they rest
  * on, then tags and nodes. A counter line is settled when all above it are.
  */
class VerificationFence(p: Geometry) extends Module {
  val io = IO(new Bundle {

    /** The moment; for one cycle. What is asked for while another waits begins after it. */
    val check = Input(Bool())

    /** Reads in flight, and [[hauberk.memory.counter.CounterStoreIO.pending]]. */
    val reads = Input(UInt(p.reads.W))
    val counters = Input(UInt(p.counterFetches.W))

    /** To the verifier, and back. */
    val fence = Output(Bool())
    val fenced = Input(Bool())
    val waits = Output(Bool())
  })
  private val asked, runs = RegInit(false.B)
  private val begins = asked && !runs
  private val reads = Module(new Fence(p.reads))
  private val counters = Module(new Fence(p.counterFetches))
  asked := io.check || (asked && runs)
  runs := begins || (runs && !io.fenced)
  reads.io.start := begins
  reads.io.pending := io.reads
  counters.io.start := reads.io.done
  counters.io.pending := io.counters
  io.fence := counters.io.done
  io.waits := asked || runs
}
