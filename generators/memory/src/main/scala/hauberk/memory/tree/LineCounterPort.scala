package hauberk.memory.tree

import chisel3._
import chisel3.util.Valid
import hauberk.memory.cache.LookupAnswer

/** The counter of a line. */
class LineCounterResult(val entryBits: Int) extends Bundle {
  val entry = UInt(entryBits.W)
  val counter = UInt(LineCounters.counterBits.W)

  /** There is no counter: its level has failed verification, or has no fresh one left. */
  val denied = Bool()
}

/** A level of a [[CounterTree]], seen from itself: the counters of the lines of the level below, its children. Like a [[CounterStore]], it
  * answers look-ups in the order they are accepted, for each line, and no sooner than in the next cycle.
  *
  * @param lineBits  width of a child's line number
  * @param entryBits width of a look-up's identifier
  * @param fetches   lines that the level may be fetching at a time; 0 for the root
  */
class LineCounterPort(val lineBits: Int, val entryBits: Int, val fetches: Int) extends Bundle {
  val lookup = new Bundle {
    val valid = Input(Bool())

    /** Set asks for a fresh counter, one above the last; clear asks for the last. */
    val write = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val entry = Input(UInt(entryBits.W))
    val answer = Output(new LookupAnswer)
  }
  val result = Valid(new LineCounterResult(entryBits))
  val retry = Output(Bool())

  /** One bit for each fetch whose line is in use though it is not verified. A result may come from any of those whose bits are set beside
    * it; it is to be trusted when each of these bits has been clear once and `failed` is clear in the cycle after. A bit is clear for at
    * least a cycle between one line and the next.
    */
  val pending = Output(UInt(math.max(1, fetches).W))

  /** Verification failed in this level or above; until reset. */
  val failed = Output(Bool())
}
