package hauberk.memory

import hauberk.testing.{FaultInjector, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The root of a hash tree alone: requests in every cycle, and wrong hashes, which are told when they are read and not before. */
class HashRootSpec extends AnyFunSuite with Simulation {
  private val entries = FaultyRoots.entries

  // covers: memory.hash-tree
  test("requests agree with a map from each reset on, and a wrong hash is told with its answer alone") {
    simulate(new FaultyHashRoot) { dut =>
      val random = new Random(7)
      val request = dut.io.port.request
      var (seen, unseen) = (0, 0)
      for (_ <- 0 until 8) {
        resetDesign(dut)
        val hashes = Array.fill(entries)(BigInt(0))
        val wrong = Array.fill(entries)(false)
        var owed = Option.empty[(Int, Int)] // tag, line
        for (cycle <- 0 until 200) {
          val asks = random.nextInt(4) != 0
          val (write, line, tag, hash) =
            (random.nextInt(3) == 0, random.nextInt(entries), random.nextInt(4), BigInt(64, random))
          request.valid.poke(asks)
          request.bits.write.poke(write)
          request.bits.line.poke(line)
          request.bits.tag.poke(tag)
          request.bits.hash.poke(hash)
          val takes = asks && cycle >= entries
          request.ready.expect(cycle >= entries)
          dut.io.busy.expect(cycle < entries || owed.nonEmpty)
          dut.io.port.entry.valid.expect(owed.nonEmpty)
          dut.io.faulty.expect(owed.exists { case (_, of) => wrong(of) })
          for ((tag, of) <- owed) {
            dut.io.port.entry.bits.tag.expect(tag)
            if (wrong(of)) seen += 1 else dut.io.port.entry.bits.hash.expect(hashes(of))
          }
          if (owed.isEmpty && wrong.contains(true)) unseen += 1
          step()
          owed = if (takes && !write) Some((tag, line)) else None
          if (takes && write) {
            hashes(line) = hash
            wrong(line) = false
          }
          // An entry that is not being read becomes wrong
          if (cycle >= entries && random.nextInt(30) == 0) {
            val row = random.nextInt(entries)
            if (!wrong(row) && !owed.exists(_._2 == row)) {
              for (bit <- Seq(1, 70)) FaultInjector.flip(this, dut.flip, 0, row, bit)(dut.io.busy.peek())
              wrong(row) = true
            }
          }
        }
      }
      assert(seen > 20 && unseen > 20, s"wrong hashes were read $seen times, and not read in $unseen cycles")
    }
  }
}
