package hauberk.memory.reference

import hauberk.memory.reference.ReferenceKey.{littleEndian, number}

/** How counters lie in a metadata line. */
sealed trait ReferenceCounters {

  /** Bytes of a line. */
  def size: Int = ReferenceCounters.lineBytes

  /** Counters in a line. */
  def perLine: Int

  /** The counters of a line, of its first block first. */
  def decode(line: Array[Byte]): Seq[BigInt]

  /** The line, with a MAC of zero where there is one. */
  def encode(counters: Seq[BigInt]): Array[Byte]

  protected def fields(line: Array[Byte], firstBit: Int, bits: Int, count: Int): Seq[BigInt] = {
    val whole = number(line) >> firstBit
    (0 until count).map(i => (whole >> (bits * i)) & ((BigInt(1) << bits) - 1))
  }

  protected def joined(values: Seq[BigInt], bits: Int): BigInt = {
    values.foreach(value => require(value.bitLength <= bits, s"a counter of $value does not fit $bits bits"))
    values.zipWithIndex.map { case (value, i) => value << (bits * i) }.sum
  }
}

/** The formats of a counter line. */
object ReferenceCounters {

  /** The bytes of a line, where the format does not say otherwise. */
  val lineBytes = 64

  /** Whole bytes a counter, and nothing else: timestamps of one TIMER, and decrypted spilled lines of sequence numbers. */
  case class Plain(bytes: Int) extends ReferenceCounters {
    val perLine: Int = lineBytes / bytes
    def decode(line: Array[Byte]): Seq[BigInt] = line.grouped(bytes).map(number).toVector
    def encode(counters: Seq[BigInt]): Array[Byte] = counters.flatMap(littleEndian(_, bytes)).toArray
  }

  /** Pairs of 32 bits (Nagarajan et al.): 1 and a global counter, or 0, a counter id of 7 bits and the value of its register. A line is as long as a
    * block.
    */
  case class Pairs(override val size: Int) extends ReferenceCounters {
    private val bytes = 4
    val perLine: Int = size / bytes
    def decode(line: Array[Byte]): Seq[BigInt] = line.grouped(bytes).map(number).toVector
    def encode(counters: Seq[BigInt]): Array[Byte] = counters.flatMap(littleEndian(_, bytes)).toArray

    /** How many writes there must have been at least, for this pair to be given. */
    def writesFor(pair: BigInt): BigInt = if (pair.testBit(31)) pair.clearBit(31) else pair.min(1)
  }

  /** Timestamps of 28 bits in the low 448 bits of a line: AEGIS's per-address timestamps, which memory must not turn back. */
  case object PerAddress extends ReferenceCounters {
    val perLine = 16
    def decode(line: Array[Byte]): Seq[BigInt] = fields(line, 0, 28, perLine)
    def encode(counters: Seq[BigInt]): Array[Byte] = littleEndian(joined(counters, 28), lineBytes)
  }

  /** Split counters (Yan, ISCA 2006): a major counter of 58 bits in bytes 0 to 7, and 64 minor ones of 6 bits behind it. The counter of a
    * block is major * 64 + minor.
    */
  case object Split extends ReferenceCounters {
    val perLine = 64
    def decode(line: Array[Byte]): Seq[BigInt] = {
      val major = number(line.take(8)) & ((BigInt(1) << 58) - 1)
      fields(line, 64, 6, perLine).map(minor => (major << 6) | minor)
    }
    def encode(counters: Seq[BigInt]): Array[Byte] = {
      val majors = counters.map(_ >> 6).distinct
      require(majors.size == 1, s"counters of one line have one major counter, not ${majors.mkString(", ")}")
      littleEndian(majors.head | (joined(counters.map(_ & 63), 6) << 64), lineBytes)
    }
  }

  /** A spilled line of sequence numbers (Yang, algorithm 1): XTS under the dynamic key. A line of zeros was never spilled. */
  object Spill {
    private val numbers = Plain(4)
    private def unit(engine: Int, line: BigInt) = (BigInt(1) << 48) | (BigInt(engine) << 40) | line

    def decode(key: ReferenceKey, engine: Int, line: BigInt, stored: Array[Byte]): Seq[BigInt] =
      numbers.decode(
        if (stored.forall(_ == 0)) stored else ReferenceXts.decrypt(key, key.tweakKey, unit(engine, line), stored)
      )

    def encode(key: ReferenceKey, engine: Int, line: BigInt, counters: Seq[BigInt]): Array[Byte] =
      ReferenceXts.encrypt(key, key.tweakKey, unit(engine, line), numbers.encode(counters))
  }
}
