package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.integrity.ImageTagCheck
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The check of image blocks against the image's tags alone; the cipher is the test's. */
class ImageTagCheckSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.aegisLogHash, Bank(localBytes = 1 << 17, engine = 6))
  private val arithmetic = new TagArithmetic(Nil, 6)
  private val imageBlocks = 300
  private def at(block: Int) = (p.layout.tagBase + 8 * block).toInt

  private class Bench(dut: ImageTagCheck, random: Random) {
    val memory = new PortMemory(ImageTagCheckSpec.this, dut.io.memory, new UnsteadyMemory(random, 12))
    memory.unset = _ => {
      val bytes = new Array[Byte](64)
      random.nextBytes(bytes)
      bytes
    }
    val hashKey = BigInt(64, random)
    for ((keys, i) <- dut.io.hashKeys.zipWithIndex) {
      keys.first.poke(if (i == 0) hashKey else BigInt(64, random))
      keys.second.poke(BigInt(64, random))
    }
    dut.io.imageBlocks.poke(imageBlocks)
    reset()
    def reset(): Unit = {
      dut.io.job.valid.poke(false)
      dut.io.cipher.answer.valid.poke(false)
      resetDesign(dut)
    }

    /** The image's tag of a block, as memory has it. */
    def tag(block: Int): BigInt = memory.words(at(block) / 64)(at(block) % 64 / 8)

    /** The block's number is the first of nine words. */
    def numberPart(block: Int): BigInt =
      (0 until 9).foldLeft(BigInt(block))((word, _) => arithmetic.multiply(word, hashKey))

    /** The verdict on a block with this digest, whose pad comes a while after its request; the latency of the verdict. */
    def check(block: Int, entry: Int, digest: BigInt, pad: BigInt, latency: Int = 3): Boolean = {
      dut.io.job.ready.expect(true)
      dut.io.job.valid.poke(true)
      dut.io.job.bits.entry.poke(entry)
      dut.io.job.bits.block.poke(block)
      dut.io.job.bits.digest.poke(digest)
      var asked = Option.empty[Int]
      for (cycle <- 0 until 200) {
        memory.drive()
        val request = dut.io.cipher.request
        request.ready.poke(cycle % 3 == 2)
        val asks = request.valid.peekBoolean()
        if (asks) {
          assert(asked.isEmpty, "the pad is asked for again")
          request.bits.block.expect(
            (BigInt(4) << 120) | (BigInt(6) << 112) | (BigInt(block) << 72) | (BigInt(imageBlocks) << 8)
          )
          request.bits.slot.expect(0)
          request.bits.decrypt.expect(false)
          request.bits.tweak.expect(false)
          if (cycle % 3 == 2) asked = Some(cycle)
        }
        val answers = asked.exists(_ + latency == cycle)
        dut.io.cipher.answer.valid.poke(answers)
        dut.io.cipher.answer.bits.block.poke(if (answers) (pad << 64) | BigInt(64, random) else BigInt(128, random))
        if (cycle > 0) dut.io.busy.expect(true)
        val decided = dut.io.verdict.valid.peekBoolean()
        val ok = dut.io.verdict.bits.ok.peekBoolean()
        if (decided) {
          assert(asked.exists(_ + latency < cycle) && cycle > 9, "a verdict without its pad or hash")
          dut.io.verdict.bits.entry.expect(entry)
        }
        memory.settle()
        step()
        if (cycle == 0) {
          dut.io.job.ready.expect(false)
          // Another waits with other values
          dut.io.job.bits.entry.poke((entry + 1) % p.entries)
          dut.io.job.bits.block.poke(block ^ 1)
          dut.io.job.bits.digest.poke(digest ^ 1)
        }
        dut.io.job.valid.poke(!decided && cycle > 3 && !dut.io.job.ready.peekBoolean())
        if (decided) {
          dut.io.verdict.valid.expect(false)
          return ok
        }
      }
      fail("no verdict")
    }
  }

  private def checker(body: ImageTagCheck => Unit): Unit =
    simulate(new ImageTagCheck(p, MetadataCacheParams(lines = 4, ways = 2, mshrs = 2), 0))(body)

  // covers: memory.image-tags
  test("every bit of tag, pad and digest is compared, whichever comes last") {
    checker { dut =>
      val random = new Random(108)
      val bench = new Bench(dut, random)
      for (bit <- 0 until 64) withClue(s"bit $bit: ") {
        val (block, entry, pad) = (random.nextInt(imageBlocks), random.nextInt(p.entries), BigInt(64, random))
        val digest = bench.tag(block) ^ pad ^ bench.numberPart(block)
        val latency = Seq(1, 4, 40)(bit % 3)
        assert(bench.check(block, entry, digest, pad, latency))
        assert(!bench.check(block, entry, digest.flipBit(bit), pad, latency), "of the digest")
        assert(!bench.check(block, entry, digest, pad.flipBit(bit), latency), "of the pad")
      }
    }
  }

  test("a tag of 0 is no block's: a sum of 0 has the tag 1") {
    checker { dut =>
      val bench = new Bench(dut, new Random(1))
      bench.memory.putWords(at(16) / 64, Seq[BigInt](0, 1, 2, 3, 4, 5, 6, 7))
      for (place <- 0 until 8) {
        val pad = BigInt(place) << 40
        assert(bench.check(16 + place, place % p.entries, pad ^ bench.numberPart(16 + place), pad) == (place == 1))
      }
    }
  }

  test("it is busy after a reset, until its cache is cleared, and idle before the first block") {
    checker { dut =>
      val bench = new Bench(dut, new Random(3))
      val sets = 2
      for (cycle <- 0 until 20) {
        if (cycle < sets) dut.io.busy.expect(true)
        if (cycle > sets + 2) dut.io.busy.expect(false)
        bench.memory.drive()
        bench.memory.settle()
        step()
      }
    }
  }

  test("a tag line that memory refuses is told") {
    checker { dut =>
      val bench = new Bench(dut, new Random(2))
      bench.memory.refused += at(40) / 64
      for (block <- Seq(20, 40)) {
        dut.io.job.bits.block.poke(block)
        dut.io.job.valid.poke(true)
        val told = (0 until 60).map { _ =>
          bench.memory.drive()
          val told = dut.io.refused.peekBoolean()
          dut.io.faulty.expect(false)
          bench.memory.settle()
          step()
          dut.io.job.valid.poke(false)
          told
        }
        assert(told.contains(true) == (block == 40))
        bench.reset()
      }
    }
  }
}
