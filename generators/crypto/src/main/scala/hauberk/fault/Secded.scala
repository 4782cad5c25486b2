package hauberk.fault

import chisel3._
import chisel3.util._

/** Single error correction, double error detection (M. Y. Hsiao, IBM Journal of Research and Development 14(4), 1970): a check bit is the parity of the
  * data bits whose columns have it. All columns differ, and have an odd number of ones, so that the syndrome of two flips is no column. Combinational.
  *
  * @param partBits data bits under check bits of their own: a longer word has several parts, the lowest first, and each corrects one flip
  */
case class Secded(partBits: Int = 64) extends WordCode {
  require(partBits > 0, s"a part of $partBits bits has nothing to check: choose at least 1")

  def checkBits(dataBits: Int): Int = parts(dataBits).map { case (low, high) => Secded.columns(high - low + 1)._1 }.sum

  def encode(data: UInt): UInt = {
    val checks = parts(data.getWidth).map { case (low, high) => checksOf(data(high, low)) }
    Cat(checks.reverse :+ data)
  }

  def decode(stored: UInt, dataBits: Int): CheckedWord = {
    val firstChecks = parts(dataBits).scanLeft(dataBits) { case (at, (low, high)) =>
      at + Secded.columns(high - low + 1)._1
    }
    val decoded = parts(dataBits).zip(firstChecks).map { case ((low, high), at) =>
      val (checkBits, columns) = Secded.columns(high - low + 1)
      val data = stored(high, low)
      val syndrome = checksOf(data) ^ stored(at + checkBits - 1, at)
      val isData = columns.map(column => syndrome === column.U)
      val isCheck = (0 until checkBits).map(i => syndrome === (BigInt(1) << i).U)
      CheckedWord(data ^ VecInit(isData).asUInt, syndrome.orR && !(isData ++ isCheck).reduce(_ || _))
    }
    CheckedWord(Cat(decoded.map(_.data).reverse), decoded.map(_.faulty).reduce(_ || _))
  }

  /** Lowest and highest bit of each part. */
  private def parts(dataBits: Int): Seq[(Int, Int)] =
    (0 until dataBits by partBits).map(low => (low, math.min(low + partBits, dataBits) - 1))

  private def checksOf(data: UInt): UInt = {
    val (checkBits, columns) = Secded.columns(data.getWidth)
    Cat((0 until checkBits).reverse.map { i =>
      VecInit(columns.zipWithIndex.collect { case (column, bit) if column.testBit(i) => data(bit) }).asUInt.xorR
    })
  }
}

/** The columns of the code. */
object Secded {

  /** Check bits of a part, and the column of each of its data bits: those with the fewest ones first, as they cost the fewest gates. */
  private[fault] def columns(dataBits: Int): (Int, Seq[BigInt]) = {
    val checkBits = Iterator.from(2).find(n => (BigInt(1) << (n - 1)) - n >= dataBits).get
    val odd =
      (1 until 1 << checkBits).filter(column => Integer.bitCount(column) % 2 == 1 && Integer.bitCount(column) > 1)
    (checkBits, odd.sortBy(column => (Integer.bitCount(column), column)).take(dataBits).map(BigInt(_)))
  }
}
