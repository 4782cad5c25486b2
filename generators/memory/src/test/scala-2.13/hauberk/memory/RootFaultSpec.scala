package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.testing.{FaultInjector, Flip, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Flips in the roots of both trees: each bit once, and pairs. */
class RootFaultSpec extends AnyFunSuite with Simulation {
  import FaultyRoots.entries

  private def poke(flip: Valid[Flip], row: Int, bits: Int*): Unit =
    bits.foreach(FaultInjector.flip(this, flip, 0, row, _)(step()))

  test("a counter of the root is right after a flip of any bit, and denied after two") {
    simulate(new FaultyRootTable) { dut =>
      val port = dut.io.children
      def lookup(line: Int, write: Boolean): (BigInt, Boolean) = {
        port.lookup.line.poke(line)
        port.lookup.write.poke(write)
        port.lookup.valid.poke(true)
        stepUntil(port.lookup.answer.accepted, 100)
        step()
        port.lookup.valid.poke(false)
        port.result.valid.expect(true)
        val denied = port.result.bits.denied.peekBoolean()
        val result = (port.result.bits.counter.peek(), denied)
        assert(dut.io.faulty.peekBoolean() == denied)
        step()
        result
      }
      val model = Array.fill(entries)(BigInt(0))
      for {
        row <- 0 until entries
        bit <- 0 until 63
      } {
        poke(dut.flip, row, bit)
        assert(lookup(row, write = false) == ((model(row), false)), s"bit $bit of entry $row")
        if (bit % 2 == 0) {
          model(row) += 1
          assert(lookup(row, write = true) == ((model(row), false)), s"bit $bit of entry $row")
        } else poke(dut.flip, row, bit) // back
      }
      for ((row, other) <- (0 until entries).zip(Seq(1, 7, 20, 40, 55, 56, 60, 62))) {
        poke(dut.flip, row, 0, other)
        assert(lookup(row, write = row % 2 == 0)._2, s"bits 0 and $other of entry $row")
        assert(port.failed.peekBoolean())
        resetDesign(dut)
        assert(lookup(row, write = false) == ((BigInt(0), false)))
      }
    }
  }

  test("a hash of the root is right after a flip of any bit, and told after two") {
    simulate(new FaultyHashRoot) { dut =>
      val request = dut.io.port.request
      val random = new Random(63)
      def ask(line: Int, hash: Option[BigInt]): Unit = request.send() { bits =>
        bits.line.poke(line)
        bits.write.poke(hash.nonEmpty)
        bits.hash.poke(hash.getOrElse(BigInt(0)))
      }
      def read(line: Int): (BigInt, Boolean) = {
        ask(line, None)
        dut.io.port.entry.valid.expect(true)
        (dut.io.port.entry.bits.hash.peek(), dut.io.faulty.peekBoolean())
      }
      for {
        row <- 0 until entries
        bit <- 0 until 72
      } {
        val hash = BigInt(64, random)
        ask(row, Some(hash))
        poke(dut.flip, row, bit)
        assert(read(row) == ((hash, false)), s"bit $bit of entry $row")
      }
      for ((row, other) <- (0 until entries).zip(Seq(1, 7, 20, 40, 63, 64, 70, 71))) {
        ask(row, Some(BigInt(64, random)))
        poke(dut.flip, row, 0, other)
        assert(read(row)._2, s"bits 0 and $other of entry $row")
      }
    }
  }
}
