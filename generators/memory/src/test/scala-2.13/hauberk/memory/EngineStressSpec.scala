package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.mode.DirectCbc
import hauberk.memory.counter.Timestamps
import hauberk.memory.engine.TransactionCore
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The engine at its corners: memory that hurries as much as TileLink allows, clients that hesitate, flushes under traffic, odd sizes, and
  * traffic that never lets up. Every block that memory takes is decrypted at once, so that a pad used twice shows when it is used.
  */
class EngineStressSpec extends AnyFunSuite with Simulation {
  private val seed = 99
  private type Scenario = (MemoryProtectionEngine, Random) => Unit

  private def fillMemory(bench: EngineBench, p: Protection, random: Random): Unit =
    for (i <- 0 until (p.bank.localBytes / p.bank.blockBytes).toInt) random.nextBytes(bench.block(i))

  private def scenarios(name: String, p: Protection)(all: (String, Scenario)*): Unit =
    test(s"$name: ${all.map(_._1).mkString("; ")}") {
      val failures = mutable.Buffer.empty[String]
      simulate(new MemoryProtectionEngine(p)) { dut =>
        for ((scenario, body) <- all) {
          resetDesign(dut)
          val start = System.nanoTime
          try body(dut, new Random(seed))
          catch {
            case e: Throwable => failures += s"$scenario: $e\n    " + e.getStackTrace.filter(
                _.getClassName.contains("hauberk.memory")
              ).take(4).mkString("\n    ")
          }
          info(s"$scenario: ${(System.nanoTime - start) / 1000000} ms")
        }
      }
      assert(failures.isEmpty, failures.mkString("\n", "\n", "\n"))
    }

  /** Random traffic against the model; every write is looked at as it reaches memory. */
  private def traffic(
      blocks: Int,
      stride: Int,
      transfers: Int,
      flushes: Boolean
  )(timing: Random => MemoryTiming): Scenario =
    (dut, random) => {
      val p = dut.p
      val blockBytes = p.bank.blockBytes
      val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
      val model = new ReferenceModel(p.params.mode, p.layout, p.bank.engine)
      val bench = new EngineBench(this, dut, timing(random))
      fillMemory(bench, p, random)
      bench.start(keys)
      def spread(t: Transfer): Transfer =
        t.copy(address = t.address / blockBytes * stride * blockBytes + t.address % blockBytes)
      val expected = Array.tabulate(blocks) { b =>
        val plain = Transfer.randomBytes(random, blockBytes).toArray
        bench.memory.blocks(b * stride) = model.encrypt(keys, b * stride, 0, plain)
        plain
      }
      val versions = mutable.Map.empty[Int, mutable.Queue[Seq[Byte]]]
      val used = mutable.Set.empty[BigInt]
      val inMemory = mutable.Map.empty[Int, BigInt]
      bench.onBlockWritten = (b, stored) => {
        val plain = versions(b).dequeue().toArray
        val candidates = (BigInt(1) to BigInt(used.size + p.params.writes + 1)).filterNot(used)
        val counter = candidates.find(c => model.encrypt(keys, b, c, plain).sameElements(stored))
        assert(counter.isDefined, s"what was written to block $b is under no counter that is new")
        used += counter.get
        inMemory(b) = counter.get
      }
      val asked = (0 until transfers).map { _ =>
        val t = Transfer.random(random, p, blocks)
        val block = expected(t.address / blockBytes)
        val answer = t.applyTo(block)
        if (t.write)
          versions.getOrElseUpdate(t.address / blockBytes * stride, mutable.Queue.empty).enqueue(block.toSeq)
        val there = spread(t)
        (there, answer, bench.ask(there))
      }
      val limit = bench.cycle + transfers * 400
      while (!bench.idle) {
        if (flushes && random.nextInt(40) == 0) bench.pulseFlush()
        bench.tick()
        assert(bench.cycle < limit, "the engine hangs")
      }
      for ((t, data, ticket) <- asked) {
        assert(!bench.answers(ticket).denied, t)
        if (!t.write) assert(bench.answers(ticket).data == data, t)
      }
      bench.flush()
      assert(!dut.io.status.alarm.peekBoolean())
      for (b <- 0 until blocks) {
        val at = p.layout.counterAddress(b * stride).toInt
        val stored = bench.block(at / blockBytes).slice(at % blockBytes, at % blockBytes + p.layout.counterBytes)
        val counter = BigInt(1, stored.reverse)
        assert(counter == inMemory.getOrElse(b * stride, BigInt(0)), s"counter of block ${b * stride} after the flush")
      }
      val lines = inMemory.keySet.map(block => p.layout.counterLine(block).toInt)
      for (line <- 0 until p.layout.counterLines.toInt if !lines(line))
        assert(
          bench.block(p.layout.counterLineAddress(line).toInt / blockBytes).forall(_ == 0),
          s"counter line $line is not zeroed by the flush"
        )
      val s = dut.io.statistics
      assert(s.dataWrites.peek() == used.size)
      assert(
        s.hits.peek() + s.misses.peek() == asked.size + s.partialWrites.peek(),
        "each block access is counted once"
      )
    }

  private def started(
      dut: MemoryProtectionEngine,
      random: Random,
      timing: MemoryTiming
  ): (EngineBench, ProtectionKeys) = {
    val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
    val bench = new EngineBench(this, dut, timing)
    bench.start(keys)
    (bench, keys)
  }
  private def read(block: Int, size: Int = 6) = Transfer(write = false, block * 64, size)
  private def write(block: Int) = Transfer(write = true, block * 64, 6, Seq.fill(64)(block.toByte))

  /** Memory refuses one beat of the block a partial write needs. */
  private val refusedBeat: Scenario = (dut, random) =>
    for {
      beat <- 0 until 8
      latency <- Seq(2, 40)
    } {
      resetDesign(dut)
      val (bench, _) = started(dut, random, SteadyMemory(latency))
      bench.run(read(3)) // the counter is cached from here on
      val before = bench.block(3).toSeq
      bench.memory.broken += ((3, beat))
      val answer = bench.run(Transfer(write = true, 0xc8, 3, Seq.fill(8)(1.toByte)))
      assert(
        answer.denied,
        s"beat $beat, memory latency $latency: a partial write of what memory refused is acknowledged"
      )
      assert(bench.block(3).toSeq == before)
    }

  /** One transfer is asked for in the midst of an endless stream; its answer must not have to wait for the stream's end. */
  private def passed(before: Seq[Transfer], stream: Int => Transfer, many: Int, one: Transfer): Scenario =
    (dut, random) => {
      val latency = 2
      val (bench, _) = started(dut, random, SteadyMemory(latency))
      bench.runAll(before)
      (0 until 60).foreach(i => bench.ask(stream(i)))
      val ticket = bench.ask(one)
      (60 until many).foreach(i => bench.ask(stream(i)))
      val bound = 2 * TransactionCore.starvationLimit + 600 // into the second generation of elders, and its end
      while (!bench.answers.contains(ticket)) bench.tick()
      val waited = bench.answers(ticket).beats.last - bench.answers(ticket).asked
      info(s"waited for $waited cycles")
      assert(!bench.idle, "the stream was too short to show anything")
      assert(waited <= bound)
      bench.drain()
    }
  private def missing(p: Protection)(i: Int) = read(16 * (1 + i % (p.layout.counterLines.toInt - 2)))
  private def hitting(i: Int) = read(16 + i % 16, 3)

  /** A key is zeroized with reads and writes on their way, and another is loaded. */
  private val zeroized: Scenario = (dut, random) =>
    for (delay <- Seq(0, 5, 12, 20, 30)) {
      resetDesign(dut)
      val (bench, keys) = started(dut, random, SteadyMemory(20))
      bench.runAll((0 until 8).map(write))
      val tickets = (0 until 16).map(i => bench.ask(if (i % 4 == 0) write(i / 2) else read(i / 2)))
      for (_ <- 0 until 20 + delay) bench.tick()
      bench.zeroize(KeySlot.dynamic)
      for (_ <- 0 until 200) bench.tick()
      for ((word, i) <- keys.static.grouped(8).zipWithIndex) bench.writeKeyWord(KeySlot.dynamic, i, BigInt(1, word))
      bench.drain(5000)
      val answers = tickets.map(bench.answers)
      assert(answers.exists(_.denied), "nothing was in flight")
      for ((a, i) <- answers.zipWithIndex) {
        val right = (i / 2).toByte
        // Beats that came before that stand, even if the answer is denied in the end
        assert(
          a.data.forall(x => x == right || (a.denied && x == 0)),
          s"data under another key, zeroized after ${20 + delay} cycles"
        )
      }
      assert(!bench.run(write(2)).denied)
      assert(bench.run(read(2)).data == write(2).data)
    }

  private val hasty = "hasty memory and a hesitant client, with flushes under traffic"
  private val small = Bank(localBytes = 1 << 16, idBits = 5)
  private val manyReads = Protection(
    ProtectionParams(
      counters = Timestamps(cache = MetadataCacheParams(lines = 2, ways = 2, mshrs = 1)),
      reads = 20,
      writes = 3
    ),
    small
  )
  scenarios("one-time pad, two counter lines, one fetch, many reads", manyReads)(
    hasty -> traffic(24, 5, 1200, flushes = true)(new HastyMemory(_, 40)),
    // covers: memory.no-pad-twice
    "a counter line fought over" -> traffic(12, 16, 600, flushes = true)(new HastyMemory(_, 12)),
    // covers: memory.refusals
    "one beat refused under a partial write" -> refusedBeat,
    "reads that miss do not starve a write" -> passed(Nil, missing(manyReads), 600, write(0)),
    "reads that miss do not starve a read" -> passed(Nil, missing(manyReads), 600, read(0)),
    "reads that hit do not starve a write-back of counters" -> passed(
      Seq(write(0), write(1), read(16)),
      hitting,
      5000,
      read(48)
    ),
    "reads that hit do not starve a write" -> passed(Seq(read(0), read(16)), hitting, 5000, write(0)),
    // covers: memory.key-loss
    "a key zeroized under traffic" -> zeroized
  )
  scenarios(
    "one-time pad, one of everything, 128-byte blocks on a 128-bit bus",
    Protection(
      ProtectionParams(counters = Timestamps(cache = MetadataCacheParams(1, 1, 1)), reads = 1, writes = 1),
      Bank(localBytes = 1 << 16, idBits = 2, beatBytes = 16, blockBytes = 128, engine = 255)
    )
  )(hasty -> traffic(20, 9, 500, flushes = true)(new HastyMemory(_, 20)))
  scenarios(
    "direct CBC, odd numbers, 32-byte blocks on a 128-bit bus",
    Protection(
      ProtectionParams.xom.copy(
        mode = DirectCbc(3),
        counters = Timestamps(cache = MetadataCacheParams(lines = 4, ways = 2, mshrs = 3)),
        reads = 5,
        writes = 3
      ),
      Bank(localBytes = 1 << 14, idBits = 4, beatBytes = 16, blockBytes = 32)
    )
  )(hasty -> traffic(40, 5, 800, flushes = true)(new HastyMemory(_, 20)))
}
