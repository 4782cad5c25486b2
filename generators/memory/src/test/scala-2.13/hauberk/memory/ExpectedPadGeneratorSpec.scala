package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.counter.CompilerCounters
import hauberk.memory.mode.ExpectedPadGenerator
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Pads that were made ahead go to reads of the same block under the same counter and key: whichever bit differs, a read gets its own. */
class ExpectedPadGeneratorSpec extends AnyFunSuite with Simulation {
  private val p =
    Protection(
      ProtectionParams(counters = CompilerCounters(expectedPads = 2)),
      Bank(localBytes = 1 << 14, blockBytes = 8)
    )
  private case class Pad(block: BigInt, counter: BigInt, key: BigInt)
  private val pad = Pad(block = 0x2a5, counter = BigInt("95a6c3f1", 16), key = KeySlot.dynamic)

  /** Cycles in which the cipher answers with the request itself, so that a pad tells what it was made for. */
  private def serve(dut: ExpectedPadGenerator, cycles: Int): Unit = for (_ <- 0 until cycles) {
    val request = dut.io.cipher.request
    val answers = request.valid.peekBoolean()
    val (block, tag) = (request.bits.block.peek(), request.bits.tag.peek())
    step()
    dut.io.port.expected.get.valid.poke(false)
    dut.io.port.job.valid.poke(false)
    dut.io.cipher.answer.valid.poke(answers)
    dut.io.cipher.answer.bits.block.poke(block)
    dut.io.cipher.answer.bits.tag.poke(tag)
  }

  /** Whether a read gets the pad that was made for `pad`. */
  private def getsPadFor(dut: ExpectedPadGenerator, read: Pad): Boolean = {
    resetDesign(dut)
    val expected = dut.io.port.expected.get
    expected.valid.poke(true)
    expected.bits.block.poke(pad.block)
    expected.bits.counter.poke(pad.counter)
    expected.bits.key.poke(pad.key)
    serve(dut, 4)
    val job = dut.io.port.job
    job.valid.poke(true)
    job.bits.write.poke(false)
    job.bits.entry.poke(0)
    job.bits.first.poke(0)
    job.bits.last.poke(0)
    job.bits.block.poke(read.block)
    job.bits.counter.poke(read.counter)
    job.bits.key.poke(read.key)
    assert(job.ready.peekBoolean() && dut.io.right.peekBoolean() != dut.io.wrong.peekBoolean())
    val right = dut.io.right.peekBoolean()
    // A pad of its own goes through the cipher
    assert(dut.io.cipher.request.valid.peekBoolean() != right)
    serve(dut, 4)
    right
  }

  // covers: memory.pad-compare
  test("block, counter and key are compared, each bit of them") {
    simulate(new ExpectedPadGenerator(p)) { dut =>
      dut.io.usable.get.foreach(_.poke(true))
      dut.io.cipher.request.ready.poke(true)
      dut.io.cipher.answer.valid.poke(false)
      dut.io.port.expected.get.valid.poke(false)
      dut.io.port.ahead.valid.poke(false)
      dut.io.port.job.valid.poke(false)
      assert(getsPadFor(dut, pad))
      val others = (0 until p.core.blockIndexBits).map(bit => pad.copy(block = pad.block.flipBit(bit))) ++
        (0 until p.counterBits).map(bit => pad.copy(counter = pad.counter.flipBit(bit))) ++
        (0 until KeySlot.width).map(bit => pad.copy(key = pad.key.flipBit(bit)))
      for (other <- others) assert(!getsPadFor(dut, other), other)
      assert(getsPadFor(dut, pad))
    }
  }
}
