package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, MetadataCacheParams}
import hauberk.memory.counter.SplitCounters
import hauberk.memory.integrity.BonsaiTree
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A block, its tag and its counter line as they were before the last write fit each other: only the tree can tell. Here it tells late. Many
  * counter lines come at once, over a bus that brings them faster than the tree hashes them, and everything else has come before, so that
  * the block's own tag is found good first. A blocking engine must wait for the tree all the same.
  */
class LateTreeSpec extends AnyFunSuite with Simulation {
  private val pages = 6
  private val pageBlocks = 64
  private val params = ProtectionParams.bonsaiTreeBlocking.copy(
    counters = SplitCounters(cache = MetadataCacheParams(lines = 8, ways = 8, mshrs = pages)),
    integrity = BonsaiTree(tags = MetadataCacheParams(lines = 8, ways = 8, mshrs = pages))
  )
  private val p = Protection(params, Bank(localBytes = 1 << 17, beatBytes = 16))

  /** Counter lines come after everything else that was asked for, in the opposite order. */
  private object LateCounters extends MemoryTiming {
    def delay(write: Boolean): Int = if (write) 1 else 20
    override def delay(write: Boolean, address: Int): Int =
      if (write || address < p.layout.counterBase || address >= p.layout.tagBase) delay(write)
      else 200 - 5 * ((address - p.layout.counterBase) / 64).toInt
    val inOrder = false
    val requestReady, clientReady = true
  }

  /** Reads a block of every page at once, the pages evicted before and one of them, perhaps, replayed. Its answers, and what was written. */
  private def read(dut: MemoryProtectionEngine, replayed: Option[Int]): (Seq[Answer], Seq[Seq[Byte]]) = {
    resetDesign(dut)
    val random = new Random(17)
    val bench = new EngineBench(this, dut, LateCounters)
    bench.start(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
    def victim(page: Int) = page * pageBlocks
    def writeAll(): Seq[Seq[Byte]] = (0 until pages).map { page =>
      val data = Transfer.randomBytes(random, 64)
      assert(!bench.run(Transfer(write = true, victim(page) * 64, 6, data)).denied)
      data
    }
    def lines(page: Int) = Seq(
      BigInt(victim(page)),
      p.layout.tagAddress(victim(page)) / 64,
      p.layout.counterLineAddress(p.layout.counterLine(victim(page))) / 64
    ).map(_.toInt)
    writeAll()
    bench.flush()
    val before = (0 until pages).map(lines(_).map(n => n -> bench.block(n).clone))
    val written = writeAll()
    bench.flush()
    // Other pages take the places of these in the caches
    for (page <- pages until pages + 8) bench.run(Transfer(write = false, victim(page) * 64, 6))
    for {
      page <- replayed
      (number, bytes) <- before(page)
    } bytes.copyToArray(bench.block(number))
    // A beat of each, lest sending one gives the tree the time for the next
    (bench.runAll((0 until pages).map(page => Transfer(write = false, victim(page) * 64, 4))), written.map(_.take(16)))
  }

  // covers: memory.blocking
  test("a blocking engine answers nothing before the tree has judged its counter, however late that is") {
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val (calm, written) = read(dut, None)
      assert(calm.map(a => (a.denied, a.data)) == written.map((false, _)))
      for (victim <- 0 until pages) {
        val (answers, written) = read(dut, Some(victim))
        for ((answer, page) <- answers.zipWithIndex)
          assert(
            answer.denied || answer.data == written(page),
            s"page $page, with page $victim replayed, reads $answer"
          )
        assert(answers(victim).denied)
        assert(dut.io.status.cause.peek() == AlarmCause.metadataMismatch)
      }
    }
  }
}
