package hauberk.memory

import chisel3._
import hauberk.memory.cipher.LineHasher
import hauberk.memory.common.{AesInput, Bank, KeySlot}
import hauberk.memory.integrity.MacVerifier
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The last step of a tag. */
private class TagStep extends Module {
  val io = IO(new Bundle {
    val digest, pad = Input(UInt(64.W))
    val tag = Output(UInt(64.W))
  })
  io.tag := MacVerifier.tag(io.digest, io.pad)
}

/** Tags and hashes of lines alone, where the cipher's answer is the test's. */
class LineHasherSpec extends AnyFunSuite with Simulation {
  private val random = new Random(120)
  private val low = (BigInt(1) << 64) - 1

  // covers: memory.tag-compare
  test("a tag is digest and pad, and 1 instead of 0") {
    simulate(new TagStep) { dut =>
      def tag(digest: BigInt, pad: BigInt): BigInt = {
        dut.io.digest.poke(digest)
        dut.io.pad.poke(pad)
        dut.io.tag.peek()
      }
      for (_ <- 0 until 20) {
        val (digest, pad) = (BigInt(64, random), BigInt(64, random))
        assert(tag(digest, pad) == (digest ^ pad))
        assert(tag(digest, digest) == 1)
      }
      for (bit <- 0 until 64) assert(tag(0, BigInt(1) << bit) == BigInt(1) << bit)
    }
  }

  // covers: memory.hash-compare
  test("a hash is of all of its line, under its key, and 1 instead of 0; each comes back to its user") {
    val p = Protection(ProtectionParams.aegisHashTree, Bank(localBytes = 1 << 16))
    val users = 3
    simulate(new LineHasher(p, users, tagBits = 4)) { dut =>
      val keys = Seq.fill(KeySlot.count)((BigInt(64, random), BigInt(64, random)))
      val arithmetic = new TagArithmetic(Nil, 0)
      for ((port, (first, second)) <- dut.io.hashKeys.zip(keys)) {
        port.first.poke(first)
        port.second.poke(second)
      }
      case class Job(user: Int, tag: Int, level: Int, line: Int, data: BigInt, slot: Int) {
        private val words = ((BigInt(level) << 56) | line) +: (0 until 8).map(i => (data >> (64 * i)) & low)
        private val (first, second) = keys(slot)
        val block: BigInt = (BigInt(AesInput.lineHash) << 120) | (arithmetic.polynomial(words, first) << 56) |
          (arithmetic.polynomial(words, second) & ((BigInt(1) << 56) - 1))
      }
      val taken, inCipher = mutable.Queue[Job]()
      var (zeros, most) = (0, 0)
      for (cycle <- 0 until 3000) {
        // Now a cipher that holds its answers back, now a hasty one
        val holds = cycle / 500 % 2 == 0 && cycle % 500 < 400
        val offered = (0 until users).filter(_ => random.nextInt(3) == 0).map { user =>
          Job(
            user,
            random.nextInt(16),
            random.nextInt(4),
            random.nextInt(1 << 7),
            BigInt(512, random),
            random.nextInt(KeySlot.count)
          )
        }
        for ((port, user) <- dut.io.jobs.zipWithIndex) {
          val job = offered.find(_.user == user)
          port.valid.poke(job.nonEmpty)
          for (j <- job) {
            port.bits.level.poke(j.level)
            port.bits.line.poke(j.line)
            port.bits.data.poke(j.data)
            port.bits.slot.poke(j.slot)
            port.bits.tag.poke(j.tag)
          }
        }
        val takesBlock = random.nextInt(3) != 0
        dut.io.cipher.request.ready.poke(takesBlock)
        val answers = inCipher.nonEmpty && !holds && random.nextInt(3) == 0
        val high = if (random.nextInt(3) == 0) BigInt(0) else BigInt(1) << random.nextInt(64)
        dut.io.cipher.answer.valid.poke(answers)
        dut.io.cipher.answer.bits.block.poke((high << 64) | BigInt(64, random))
        dut.io.busy.expect(taken.nonEmpty || inCipher.nonEmpty)
        val ready = offered.filter(job => dut.io.jobs(job.user).ready.peekBoolean())
        assert(ready.isEmpty || ready == offered.take(1), "the first user goes first, alone")
        if (taken.isEmpty && offered.nonEmpty) assert(ready.nonEmpty)
        for ((port, user) <- dut.io.hashes.zipWithIndex) {
          val mine = answers && inCipher.head.user == user
          port.valid.expect(mine)
          if (mine) {
            port.bits.tag.expect(inCipher.head.tag)
            port.bits.hash.expect(if (high == 0) BigInt(1) else high)
            if (high == 0) zeros += 1
          }
        }
        if (dut.io.cipher.request.valid.peekBoolean()) {
          dut.io.cipher.request.bits.block.expect(taken.head.block)
          dut.io.cipher.request.bits.slot.expect(taken.head.slot)
          dut.io.cipher.request.bits.decrypt.expect(false)
          dut.io.cipher.request.bits.tweak.expect(false)
        }
        val leaves = takesBlock && dut.io.cipher.request.valid.peekBoolean()
        step()
        if (answers) inCipher.dequeue()
        if (leaves) inCipher += taken.dequeue()
        taken ++= ready
        most = most.max(inCipher.size)
      }
      assert(zeros > 20 && most == LineHasher.inCipher, s"$zeros zeros, $most hashes in the cipher")
    }
  }
}
