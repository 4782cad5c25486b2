package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.integrity.LogAccumulators
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
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

  // covers: memory.log-hash
  test("every element goes to the cipher whole and into its own sum, and an epoch is complete when all are in") {
    simulate(new LogAccumulators(p)) { dut =>
      val random = new Random(9)
      resetDesign(dut)
      val sums = Array.fill(2, 2)(BigInt(0)) // of those taken and put, by parity
      val decided = Array.fill(2)(0)
      val toCome = mutable.Queue[(Boolean, Int)]()
      val waiting, inCipher = mutable.Queue[(Boolean, Int, BigInt, Int)]()
      var (both, unequal, clears) = (0, 0, 0)
      for (cycle <- 0 until 6000) {
        val (takes, puts) = (random.nextInt(8) == 0 && toCome.size < 8, random.nextInt(8) == 0 && toCome.size < 8)
        val (takenParity, putParity) = (random.nextInt(2), random.nextInt(2))
        dut.io.taken.valid.poke(takes)
        dut.io.taken.bits.poke(takenParity)
        dut.io.put.valid.poke(puts)
        dut.io.put.bits.poke(putParity)
        if (takes && puts && takenParity == putParity) both += 1
        val offers = toCome.nonEmpty && random.nextBoolean()
        val (first, second, slot) = (BigInt(64, random), BigInt(64, random), random.nextInt(KeySlot.count))
        dut.io.element.valid.poke(offers)
        for ((put, parity) <- toCome.headOption) {
          dut.io.element.bits.first.poke(first)
          dut.io.element.bits.second.poke(second)
          dut.io.element.bits.slot.poke(slot)
          dut.io.element.bits.put.poke(put)
          dut.io.element.bits.parity.poke(parity)
        }
        val goes = random.nextInt(3) == 0
        dut.io.cipher.request.ready.poke(goes)
        dut.io.cipher.request.valid.expect(waiting.nonEmpty)
        for ((put, parity, block, slot) <- waiting.headOption) {
          dut.io.cipher.request.bits.block.expect(block)
          dut.io.cipher.request.bits.slot.expect(slot)
          dut.io.cipher.request.bits.tag.expect((if (put) 2 else 0) + parity)
        }
        val answers = inCipher.nonEmpty && random.nextInt(4) == 0
        var hash = BigInt(0)
        dut.io.cipher.answer.valid.poke(answers)
        for ((put, parity, _, _) <- inCipher.headOption if answers) {
          hash = BigInt(128, random)
          dut.io.cipher.answer.bits.tag.poke((if (put) 2 else 0) + parity)
          dut.io.cipher.answer.bits.block.poke(hash)
        }
        val isComplete = decided.map(_ == 0)
        val clear = isComplete.indexOf(true)
        val isCleared =
          clear >= 0 && random.nextInt(15) == 0 && !(takes && takenParity == clear) && !(puts && putParity == clear)
        dut.io.clear.valid.poke(isCleared)
        dut.io.clear.bits.poke(clear.max(0))
        for (parity <- 0 to 1) {
          dut.io.complete(parity).expect(isComplete(parity))
          val isEqual = sums(parity)(0) == sums(parity)(1)
          dut.io.equal(parity).expect(isEqual)
          if (!isEqual) unequal += 1
        }
        dut.io.busy.expect(waiting.nonEmpty || !isComplete.forall(identity))
        val enters = offers && dut.io.element.ready.peekBoolean()
        step()

        if (waiting.nonEmpty && goes) inCipher += waiting.dequeue()
        if (enters) {
          val (put, parity) = toCome.dequeue()
          val block = (BigInt(9) << 120) | (first << 56) | (second & ((BigInt(1) << 56) - 1))
          waiting += ((put, parity, block, slot))
        }
        if (answers) {
          val (put, parity, _, _) = inCipher.dequeue()
          val kind = if (put) 1 else 0
          sums(parity)(kind) = (sums(parity)(kind) + hash) & ((BigInt(1) << 128) - 1)
          decided(parity) -= 1
        }
        if (isCleared) {
          sums(clear) = Array(0, 0)
          clears += 1
        }
        if (takes) toCome += ((false, takenParity))
        if (puts) toCome += ((true, putParity))
        if (takes) decided(takenParity) += 1
        if (puts) decided(putParity) += 1
      }
      assert(both > 20 && unequal > 500 && clears > 5, s"$both at once, $unequal unequal, $clears clears")
    }
  }
}
