package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.Bank
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Cycles of single accesses and of streams, on the memory model that the peers were measured on. */
object EngineTiming {
  private def line(n: Int): Seq[Byte] = Seq.tabulate(64)(i => (i + n).toByte)
  val keys: ProtectionKeys = ProtectionKeys(line(1).take(16).toArray, line(2).take(16).toArray)
  def read(block: Int): Transfer = Transfer(write = false, block * 64, 6)
  def write(block: Int): Transfer = Transfer(write = true, block * 64, 6, line(block))

  /** Writes of 1 to 8 bytes to random places of the first `blocks` blocks. */
  def partialWrites(count: Int, blocks: Int): Seq[Transfer] = {
    val random = new Random(1)
    Seq.fill(count) {
      val size = random.nextInt(4)
      Transfer(write = true, random.nextInt(64 * blocks) >> size << size, size, Transfer.randomBytes(random, 1 << size))
    }
  }

  /** Cycles from the request to each beat of the answer. */
  def delays(answer: Answer): Seq[Int] = answer.beats.map(_ - answer.asked)

  /** Cycles a line of a stream in its steady state: over the later half of its lines, by the ends of their answers. */
  def cyclesPerLine(answers: Seq[Answer]): Double = {
    val ends = answers.map(_.beats.last).sorted
    val half = answers.size / 2
    (ends.last - ends(half)).toDouble / (answers.size - 1 - half)
  }
}

// covers: memory.timing
class EngineTimingSpec extends AnyFunSuite with Simulation {
  import EngineTiming._
  private val p = Protection(ProtectionParams.aegisOtp, Bank(localBytes = 1 << 16, idBits = 6))

  test(
    "hits add nothing, misses at most one AES and a cycle, streams run at full rate, whatever the memory's latency"
  ) {
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (latency <- Seq(20, 100)) withClue(s"memory of $latency cycles: ") {
        resetDesign(dut)
        val bench = new EngineBench(this, dut, SteadyMemory(latency))
        bench.start(keys)
        bench.flush() // every counter line is initialised
        // The first access of a counter line misses; with the counter line and the block asked for together, the block's
        // beats would come right behind the counter line's. They come a cycle later, since the request for the counter takes one (CounterRequests). The
        // keystream is begun two cycles behind the counter's beat; one, behind the last
        for (place <- Seq(0, 5, 13, 15)) {
          val miss = delays(bench.run(read(16 * place + place)))
          val together = (0 until 8).map(latency + 8 + _)
          val added = miss.zip(together).map { case (is, ideal) => is - ideal }
          info(s"counter miss, counter $place of its line: added $added")
          val beatsAfter = 7 - place / 2
          val expected = 1 + p.cipher.latency - (if (beatsAfter == 0) 0 else beatsAfter - 1)
          assert(added.forall(_ == expected), s"place $place")
        }
        val hit = delays(bench.run(read(1)))
        info(s"counter hit: beats after $hit")
        assert(hit == (0 until 8).map(latency + _))
        val stream = cyclesPerLine(bench.runAll((0 until 160).map(i => read(i % 16))))
        info(f"read stream: $stream%.3f cycles a line")
        assert(stream <= 8.1)
        val writes = cyclesPerLine(bench.runAll((0 until 256).map(i => write(i % 64))))
        info(f"write stream: $writes%.3f cycles a line")
        assert(writes <= 8.1)
        val partial = cyclesPerLine(bench.runAll(partialWrites(400, 128)))
        info(f"partial writes: $partial%.3f cycles each")
        if (latency == 20) assert(partial <= 20)
      }
    }
  }

  test(
    "with pads made no faster than memory has data, reads are answered in their order, and no write waits long"
  ) {
    val halfRate = AesParams(architecture = AesArchitecture.Folded(2), extraLatency = 1)
    val p = Protection(ProtectionParams.aegisOtp.copy(cipher = halfRate), Bank(localBytes = 1 << 16, idBits = 6))
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val bench = new EngineBench(this, dut, SteadyMemory(20))
      bench.start(keys)
      // A write waits no longer than all places take in turn
      val alone =
        bench.runAll((0 until 160).map(i => write(i % 64))).map(answer => answer.beats.last - answer.asked).max
      info(s"in a stream of writes, each is answered after at most $alone cycles")
      assert(alone <= 8 * p.writes + p.cipher.latency)
      val stream = (0 until 200).map(i => if (i % 50 == 20) write(32 + i / 50) else read(i % 32))
      val answers = stream.zip(bench.runAll(stream))
      val (writes, reads) = answers.partition(_._1.write)
      val firstBeats = reads.map(_._2.beats.head)
      assert(firstBeats == firstBeats.sorted)
      val waits = writes.map { case (_, answer) => answer.beats.last - answer.asked }
      info(s"writes answered after ${waits.mkString(", ")} cycles")
      // Eight reads may get their pads before it, and those in flight have the memory before it
      assert(waits.max <= 20 + 8 * (8 + p.reads) + p.cipher.latency)
    }
  }
}
