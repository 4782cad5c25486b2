package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity.LogAccumulators
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The sums of the log hash alone, with hashes that the test chooses. */
class LogAccumulatorsSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.aegisLogHash, Bank(localBytes = 1 << 16))

  /** The hash of an element arrives, of those put or taken in an epoch. */
  private def arrive(dut: LogAccumulators, put: Boolean, parity: Int, hash: BigInt): Unit = {
    dut.io.cipher.answer.valid.poke(true)
    dut.io.cipher.answer.bits.tag.poke((if (put) 2 else 0) + parity)
    dut.io.cipher.answer.bits.block.poke(hash)
    step()
    dut.io.cipher.answer.valid.poke(false)
  }

  /** An element is put into an epoch, and one is taken out; whether the epoch is good. */
  private def good(dut: LogAccumulators, parity: Int, put: BigInt, taken: BigInt): Boolean = {
    dut.io.clear.valid.poke(true)
    dut.io.clear.bits.poke(parity)
    step()
    dut.io.clear.valid.poke(false)
    for (decided <- Seq(dut.io.put, dut.io.taken)) {
      decided.valid.poke(true)
      decided.bits.poke(parity)
    }
    step()
    dut.io.put.valid.poke(false)
    dut.io.taken.valid.poke(false)
    arrive(dut, put = true, parity, put)
    assert(!dut.io.complete(parity).peekBoolean(), "an element is on its way")
    arrive(dut, put = false, parity, taken)
    assert(dut.io.complete(parity).peekBoolean() && dut.io.equal(1 - parity).peekBoolean())
    dut.io.equal(parity).peekBoolean()
  }

  // covers: memory.log-compare
  test("sums that differ in one bit are not equal, whichever it is") {
    simulate(new LogAccumulators(p)) { dut =>
      for (valid <- Seq(dut.io.put.valid, dut.io.taken.valid, dut.io.element.valid, dut.io.clear.valid))
        valid.poke(false)
      dut.io.cipher.answer.valid.poke(false)
      dut.io.cipher.request.ready.poke(true)
      val random = new Random(128)
      for (parity <- 0 to 1) {
        val hash = BigInt(128, random)
        assert(good(dut, parity, hash, hash))
        for (bit <- 0 until 128) assert(!good(dut, parity, hash, hash.flipBit(bit)), s"bit $bit of epoch $parity")
        assert(good(dut, parity, hash, hash))
      }
    }
  }
}
