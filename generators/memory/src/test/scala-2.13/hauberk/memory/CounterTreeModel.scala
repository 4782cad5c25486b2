package hauberk.memory

import hauberk.crypto.JdkAes
import scala.collection.mutable

/** A counter tree over lines in memory, written for the tests from the formats alone, with the AES of the JDK.
  *
  * It knows what the counter of a line must be without asking the design: the number of times the line was written to memory.
  */
class CounterTreeModel(p: Protection, key: BigInt) {
  private val layout = p.layout
  private val lineBytes = p.bank.blockBytes
  private val word64 = (BigInt(1) << 64) - 1

  /** First line and number of lines of the counter lines (0) and of each level of nodes. */
  val levels: Seq[(Int, Int)] = ((layout.counterBase, layout.counterLines) +: layout.levels.map(l => (l.base, l.lines)))
    .map { case (base, lines) => ((base / lineBytes).toInt, lines.toInt) }

  /** Times that each block of memory was written. */
  val written: mutable.Map[Int, BigInt] = mutable.Map.empty.withDefaultValue(BigInt(0))

  def place(block: Int): Option[(Int, Int)] = levels.zipWithIndex.collectFirst {
    case ((base, lines), level) if block >= base && block < base + lines => (level, block - base)
  }
  def block(level: Int, line: Int): Int = levels(level)._1 + line

  def multiply(a: BigInt, b: BigInt): BigInt = {
    var product = BigInt(0)
    var shifted = a
    for (i <- 0 until 64) {
      if (b.testBit(i)) product ^= shifted
      shifted <<= 1
      if (shifted.testBit(64)) shifted = (shifted & word64) ^ 0x1b
    }
    product
  }
  private val hashKey = JdkAes.encrypt(key, 128, BigInt(6) << 120) >> 64

  def mac(level: Int, line: Int, counter: BigInt, words: Seq[BigInt]): BigInt = {
    val input =
      (BigInt(5) << 120) | (BigInt(p.bank.engine) << 112) | (BigInt(line) << 72) | (counter << 8) | BigInt(level)
    val hash = words.take(7).foldLeft(BigInt(0))((h, w) => multiply(h ^ w, hashKey))
    (JdkAes.encrypt(key, 128, input) >> 64) ^ hash
  }

  /** Does a line carry the MAC of the counter it must have? */
  def isGenuine(level: Int, line: Int, words: Seq[BigInt]): Boolean =
    mac(level, line, written(block(level, line)), words) == words(7)

  /** The counters of a node, or the parts of a line of split counters: major first, then the 64 minors. */
  def counters(words: Seq[BigInt]): Seq[BigInt] = {
    val all = LineWords.join(words)
    (0 until 8).map(i => (all >> (56 * i)) & ((BigInt(1) << 56) - 1))
  }
  def split(words: Seq[BigInt]): Seq[BigInt] = {
    val all = LineWords.join(words)
    (all & ((BigInt(1) << 58) - 1)) +: (0 until 64).map(i => (all >> (64 + 6 * i)) & 63)
  }
}

/** Lines as words of 64 bits, and as beats. */
object LineWords {
  def join(words: Seq[BigInt]): BigInt = words.zipWithIndex.map { case (w, i) => w << (64 * i) }.sum
  def split(line: BigInt): Seq[BigInt] = (0 until 8).map(i => (line >> (64 * i)) & ((BigInt(1) << 64) - 1))
  def ofBeats(beats: Seq[BigInt], beatBits: Int): Seq[BigInt] =
    split(beats.zipWithIndex.map { case (b, i) => b << (beatBits * i) }.sum)
}
