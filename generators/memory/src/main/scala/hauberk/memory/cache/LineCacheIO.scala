package hauberk.memory.cache

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.port.MemoryPort

/** Ports of a [[LineCache]].
  *
  * @param misses fetches in flight
  */
class LineCacheIO[T <: Data](
    val p: Geometry,
    val misses: Int,
    val lineIndexBits: Int,
    gen: T,
    givesBeats: Boolean
) extends Bundle {
  private val dataBits = p.bank.blockBytes * 8
  val lookup = new Bundle {
    val valid = Input(Bool())
    val line = Input(UInt(lineIndexBits.W))
    val payload = Input(gen)
    val answer = Output(new LookupAnswer)
    val hit = Output(Bool())

    /** A fetch was started, or the look-up is blocked. */
    val miss = Output(Bool())
  }
  val access = new Bundle {
    val valid = Output(Bool())
    val bits = new Bundle {
      val payload = Output(gen)
      val line = Output(UInt(lineIndexBits.W))
      val data = Output(UInt(dataBits.W))
    }
  }

  /** In the cycle after its arrival, a beat of a line on its way, but the last; `ready` answers the look-up that waits for the line. */
  val beat = if (!givesBeats) None
  else Some(new Bundle {
    val valid = Output(Bool())
    val ready = Input(Bool())
    val payload = Output(gen)
    val line = Output(UInt(lineIndexBits.W))
    val index = Output(UInt(p.memory.beatIndexBits.W))
    val data = Output(UInt(p.memory.beatBits.W))
  })

  /** The new content of the line that stands on `access`. */
  val update = Flipped(Valid(UInt(dataBits.W)))

  /** Something completed that a blocked look-up may have waited for. */
  val retry = Output(Bool())

  /** This line is not evicted while it stands here. */
  val pinned = Flipped(Valid(UInt(lineIndexBits.W)))
  val memory = new MemoryPort(p.memory)
  val guard = new LineGuardPort(p, misses, lineIndexBits)

  /** Write back every line that is dirty now; they stay. */
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val refused = Output(Bool())

  /** `refused`, and memory did nothing wrong: a memory of the cache itself is wrong, not later than what it holds is used. */
  val faulty = Output(Bool())

  /** The guard found this line wrong. */
  val failed = Valid(UInt(lineIndexBits.W))

  /** Misses whose line is in use and not settled by the guard. */
  val unsettled = Output(UInt(misses.W))

  /** Something is in flight, or the cache clears itself. Else no register changes before a port asks for it. */
  val busy = Output(Bool())
}
