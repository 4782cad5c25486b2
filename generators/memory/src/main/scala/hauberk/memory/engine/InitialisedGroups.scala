package hauberk.memory.engine

import chisel3._
import chisel3.util._

/** Division of the counter lines into at most [[CounterGroups.most]] groups of a power of two of lines, as small as this allows. The last
  * group may be shorter.
  *
  * @param lines counter lines of the bank, at least 1
  */
case class CounterGroups(lines: BigInt) {
  require(lines > 0, "a bank without counter lines has no groups of them: it needs no initialisation")

  /** Base-2 logarithm of the lines in a whole group. */
  val offsetBits: Int = Iterator.from(0).find(bits => (lines - 1 >> bits) < CounterGroups.most).get
  val count: Int = ((lines - 1 >> offsetBits) + 1).toInt

  /** Widths of the number of a group, and of a line. */
  val groupBits: Int = math.max(1, log2Ceil(count))
  val lineBits: Int = math.max(1, log2Ceil(lines))
}

object CounterGroups {

  /** Groups of a bank at most: one bit on chip each. */
  val most = 1024
}

/** Which groups of counter lines are initialised in memory: one bit a group, on chip. After reset it clears itself, one word of up to 64 bits
  * a cycle. A bit that was marked stays set until reset.
  */
class InitialisedGroups(groups: CounterGroups) extends Module {
  private val bitBits = math.min(6, groups.groupBits)
  private val perWord = 1 << bitBits
  private val words = (groups.count + perWord - 1) / perWord
  val io = IO(new Bundle {

    /** The bits are valid: from then on until reset. */
    val cleared = Output(Bool())

    /** A group is initialised from the next cycle on. */
    val mark = Flipped(Valid(UInt(groups.groupBits.W)))

    /** Is this group initialised? Answered in the same cycle; no group is before `cleared`. */
    val group = Input(Vec(2, UInt(groups.groupBits.W)))
    val initialised = Output(Vec(2, Bool()))
  })
  private val bits = Mem(math.max(2, words), Vec(perWord, Bool()))
  private val clearing = RegInit(0.U(log2Ceil(words + 1).W))
  private val cleared = clearing === words.U
  io.cleared := cleared
  private def wordOf(group: UInt): UInt = if (words == 1) 0.U(1.W) else group >> bitBits
  private def bitOf(group: UInt): UInt = group(bitBits - 1, 0)

  when(!cleared) { clearing := clearing + 1.U }
  when(!cleared || io.mark.valid) {
    bits.write(
      Mux(cleared, wordOf(io.mark.bits), clearing),
      VecInit(Seq.fill(perWord)(cleared)),
      (0 until perWord).map(i => !cleared || bitOf(io.mark.bits) === i.U)
    )
  }
  for ((group, initialised) <- io.group.zip(io.initialised)) {
    initialised := cleared && bits.read(wordOf(group))(bitOf(group))
  }
}
