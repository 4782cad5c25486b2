package hauberk.fault

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Codes of words, each flip and each pair of flips. */
class WordCodeSpec extends AnyFunSuite with Simulation {
  private val seed = 63
  private def bit(i: Int): BigInt = BigInt(1) << i

  /** Hsiao's code from its definition: columns of three ones in ascending order, then of five, and so on; a check bit makes the parity of its row even. */
  private def hsiao(data: BigInt, dataBits: Int, checkBits: Int): BigInt = {
    val columns =
      (3 to checkBits by 2).flatMap(ones =>
        (0 until checkBits).combinations(ones).map(_.map(bit).sum).toSeq.sorted
      ).take(dataBits)
    require(columns.size == dataBits)
    columns.zipWithIndex.filter { case (_, i) => data.testBit(i) }.map(_._1).foldLeft(BigInt(0))(_ ^ _)
  }

  for ((dataBits, checkBits) <- Seq(1 -> 3, 4 -> 4, 56 -> 7, 64 -> 8)) test(s"SECDED of $dataBits bits") {
    simulate(new CodedWord(Secded(), dataBits)) { dut =>
      val random = new Random(seed)
      val width = dataBits + checkBits
      def flip(flips: BigInt): Unit = dut.io.flips.poke(flips)
      for (data <- Seq(BigInt(0), bit(dataBits) - 1, BigInt(dataBits, random), BigInt(dataBits, random))) {
        dut.io.data.poke(data)
        flip(0)
        dut.io.stored.expect(hsiao(data, dataBits, checkBits) << dataBits | data)
        for (flips <- BigInt(0) +: (0 until width).map(bit)) {
          flip(flips)
          dut.io.decoded.expect(data)
          dut.io.faulty.expect(false)
        }
        for (pair <- (0 until width).combinations(2)) {
          flip(pair.map(bit).sum)
          dut.io.faulty.expect(true)
        }
      }
    }
  }

  test("each part of a long word corrects a flip, and any part with two is faulty") {
    val (dataBits, width) = (100, 100 + 8 + 7)
    simulate(new CodedWord(Secded(), dataBits)) { dut =>
      val data = BigInt(dataBits, new Random(seed))
      dut.io.data.poke(data)
      // Part 0: data bits 0 to 63 and check bits 100 to 107
      val (low, high) = (0 until width).partition(i => i < 64 || (i >= 100 && i < 108))
      for ((one, other) <- low.flatMap(i => Seq(i -> high(i % high.size), i -> high((i + 7) % high.size)))) {
        dut.io.flips.poke(bit(one) | bit(other))
        dut.io.decoded.expect(data)
        dut.io.faulty.expect(false)
      }
      for {
        part <- Seq(low, high)
        pair <- part.combinations(2)
      } {
        dut.io.flips.poke(pair.map(bit).sum)
        dut.io.faulty.expect(true)
      }
    }
  }

  test("parity detects each flip and corrects none") {
    val dataBits = 9
    simulate(new CodedWord(Parity, dataBits)) { dut =>
      for (data <- 0 until 1 << dataBits) {
        dut.io.data.poke(data)
        for (flips <- BigInt(0) +: (0 to dataBits).map(bit)) {
          dut.io.flips.poke(flips)
          dut.io.faulty.expect(flips != 0)
          dut.io.decoded.expect(BigInt(data) ^ (flips & 0x1ff))
        }
      }
    }
  }
}
