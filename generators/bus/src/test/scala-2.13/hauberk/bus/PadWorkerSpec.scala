package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** A worker alone, with a cipher of any latency, and counters that change in any cycle. */
class PadWorkerSpec extends AnyFunSuite with Simulation {
  private val aesBlocks = 2
  private val pid = 1
  private case class Entry(valid: Boolean, writer: Int, count: Int)
  private case class Job(block: Int, group: Int, writer: Int, count: Int, aesBlock: Int) {

    /** No two are alike. */
    def answer: BigInt = BigInt(128, new Random(hashCode))
  }

  private def run(coherence: PadCoherence, encrypts: Boolean): Unit = {
    val p = PadParams(4, countBits = 16, coherence, aesLatency = 16, groups = 2)
    simulate(new PadWorker(p, 2, 128 * aesBlocks, encrypts)) { dut =>
      val random = new Random(31)
      def oneIn(n: Int) = random.nextInt(n) == 0
      val entries = Array.fill(p.blocks)(Entry(valid = true, 0, 0))
      // The counter of the last block is at its end: nothing is to be encrypted in it, but somebody may expect so
      val blocks = if (encrypts) p.blocks - 1 else p.blocks
      if (encrypts) entries(p.blocks - 1) = Entry(valid = true, 0, (1 << p.countBits) - 1)
      val jobs = mutable.Queue[Job]()
      var work = Option.empty[(Int, Int, BigInt)]
      var found = Option.empty[Entry]
      var (done, wait) = (0, 0)
      dut.io.pid.poke(pid)
      for (_ <- 0 until 12000) {
        if (work.isEmpty && oneIn(8)) work = Some((random.nextInt(blocks), random.nextInt(2), BigInt(256, random)))
        dut.io.work.valid.poke(work.nonEmpty)
        for ((block, group, data) <- work) {
          dut.io.work.bits.place.block.poke(block)
          dut.io.work.bits.place.group.poke(group)
          dut.io.work.bits.data.poke(data)
        }
        dut.io.hint.valid.poke(oneIn(20))
        dut.io.hint.bits.block.poke(random.nextInt(p.blocks))
        dut.io.hint.bits.group.poke(random.nextInt(2))
        dut.io.look.ready.poke(!oneIn(3))
        dut.io.job.ready.poke(!oneIn(3))
        dut.io.message.ready.poke(!oneIn(3))
        dut.io.done.ready.poke(!oneIn(3))
        for (entry <- found) {
          dut.io.found.valid.poke(entry.valid)
          dut.io.found.writer.poke(entry.writer)
          dut.io.found.count.poke(entry.count)
        }
        val made = if (jobs.nonEmpty && oneIn(3)) Some(jobs.dequeue()) else None
        dut.io.made.valid.poke(made.nonEmpty)
        dut.io.made.bits.poke(made.fold(BigInt(0))(_.answer))
        val looks = dut.io.look.valid.peekBoolean() && dut.io.look.ready.peekBoolean()
        // In the cycle of a look nothing changes; what is not known is told sooner or later
        val hit = random.nextInt(blocks)
        val changes = !looks && (if (entries(hit).valid) oneIn(40) else oneIn(10))
        dut.io.changed.valid.poke(changes)
        dut.io.changed.bits.poke(hit)

        val message = dut.io.message
        val says = message.valid.peekBoolean() && message.ready.peekBoolean()
        val finishes = dut.io.done.valid.peekBoolean() && dut.io.done.ready.peekBoolean()
        dut.io.work.ready.expect(finishes)
        dut.io.write.valid.expect(encrypts && finishes)
        dut.io.exhausted.expect(false)
        if (finishes) {
          val (block, group, data) = work.get
          assert(!(changes && hit == block), "the counter changes")
          val entry = entries(block)
          assert(entry.valid)
          val (writer, count) = if (encrypts) (pid, entry.count + 1) else (entry.writer, entry.count)
          val pad = (0 until aesBlocks).map(i => Job(block, group, writer, count, i).answer << (128 * i)).sum
          assert((dut.io.done.bits.peek() ^ data) == pad, s"block $block")
          if (encrypts) {
            assert(says, "nobody was told")
            message.bits.kind.expect(
              if (coherence == PadCoherence.WriteUpdate) PadMessage.update else PadMessage.invalidate
            )
            message.bits.block.expect(block)
            message.bits.count.expect(count)
            dut.io.block.expect(block)
            dut.io.write.bits.valid.expect(true)
            dut.io.write.bits.owner.expect(true)
            dut.io.write.bits.writer.expect(pid)
            dut.io.write.bits.count.expect(count)
            entries(block) = Entry(valid = true, pid, count)
          }
          done += 1
        } else if (says) {
          message.bits.kind.expect(PadMessage.request)
          message.bits.count.expect(0)
        }
        wait = if (finishes || work.isEmpty) 0 else wait + 1
        assert(wait < 1000, "a block waits for ever")
        if (dut.io.job.valid.peekBoolean() && dut.io.job.ready.peekBoolean()) {
          val bits = dut.io.job.bits
          val Seq(block, group, writer, count, aesBlock) =
            Seq(bits.place.block, bits.place.group, bits.writer, bits.count, bits.aesBlock).map(_.peek().toInt)
          jobs += Job(block, group, writer, count, aesBlock)
        }
        found = if (looks) Some(entries(dut.io.look.bits.peek().toInt)) else None
        step()
        if (changes) {
          val entry = entries(hit)
          entries(hit) =
            if (entry.valid && oneIn(2)) entry.copy(valid = false)
            else Entry(valid = true, random.nextInt(4), entry.count + 1 + random.nextInt(3))
        }
        if (finishes) work = None
      }
      assert(done > 50, s"no more than $done blocks")
    }
  }

  // covers: bus.tile-pads
  test(
    "a pad is laid over a block only while its counter is known and the last one, and one counter later to encrypt"
  ) {
    run(PadCoherence.WriteInvalidate, encrypts = false)
    run(PadCoherence.WriteInvalidate, encrypts = true)
    run(PadCoherence.WriteUpdate, encrypts = true)
  }
}
