package hauberk.memory.tree

import chisel3._
import chisel3.util._
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

/** The format of lines that carry a MAC: 56 bytes of payload, then 8 of MAC, little-endian. */
object LineCounters {

  /** A node keeps the counters of this many lines. */
  val arity = 8
  val counterBits = 56
  val payloadWords = 7
  val payloadBits: Int = arity * counterBits
  val macBits = 64
  require(payloadBits + macBits == 512 && payloadWords * 64 == payloadBits)

  def payload(line: UInt): UInt = line(payloadBits - 1, 0)
  def mac(line: UInt): UInt = line(payloadBits + macBits - 1, payloadBits)
  def word(line: UInt, index: UInt): UInt = VecInit((0 until payloadWords).map(i => line(64 * i + 63, 64 * i)))(index)
  def counters(line: UInt): Vec[UInt] =
    VecInit((0 until arity).map(i => line(counterBits * (i + 1) - 1, counterBits * i)))

  /** Width of the parent's line number. */
  def parentBits(lineBits: Int): Int = math.max(1, lineBits - log2Ceil(arity))
  def parent(line: UInt): UInt = line >> log2Ceil(arity)

  /** Which of its parent's counters is a line's. */
  def place(line: UInt): UInt = (line + 0.U(log2Ceil(arity).W))(log2Ceil(arity) - 1, 0)
}
