package hauberk.memory

import chisel3._
import circt.stage.ChiselStage
import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.{Failure, Random, Try}

/** Corners of steered engines: keys that change under reads that wait for pads made ahead, streams of hints, one of everything, other
  * sizes.
  */
class SteeredCornersSpec extends AnyFunSuite with Simulation {
  private def point(
      bank: Bank,
      counters: CompilerCounters,
      cipher: AesParams,
      reads: Int = 4,
      writes: Int = 4,
      posted: Boolean = true
  ) =
    Protection(
      ProtectionParams(counters = counters, cipher = cipher, reads = reads, writes = writes, postedWrites = posted),
      bank
    )
  private val words = Bank(localBytes = 1 << 14, blockBytes = 8)

  private def bench(dut: MemoryProtectionEngine, random: Random, timing: MemoryTiming) =
    new SteeringBench(this, dut, random, timing)

  /** Reads a block whose pad is expected, and changes the key so many cycles later: what is read afterwards is under the new key alone. */
  private def changeKeys(
      p: Protection,
      latency: Int,
      delays: Range
  )(change: (SteeringBench, Array[Byte]) => Unit): Unit =
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val stale = mutable.Buffer.empty[Int]
      for (delay <- delays) {
        resetDesign(dut)
        val s = bench(dut, new Random(1), SteadyMemory(latency))
        s.start()
        val data = Seq.fill(s.blockBytes)(55.toByte)
        s.give(CounterHint.store, 5, 2)
        s.bench.run(s.write(5, data))
        s.idle(80)
        assert(s.pairOf(5) == (BigInt(2) << 24) + 1)
        s.give(CounterHint.load, 5, 2)
        val before = s.bench.ask(s.read(5))
        s.idle(delay)
        val other = Transfer.randomBytes(new Random(2), 16).toArray
        change(s, other)
        s.bench.drain()
        val first = s.bench.answers(before)
        assert(first.denied || first.data == data, s"changed after $delay cycles")
        s.idle(60)
        s.give(CounterHint.load, 5, 2)
        val answer = s.bench.run(s.read(5))
        val expected = s.model.decrypt(ProtectionKeys(s.keys.static, other), 5, s.pairOf(5), s.bench.block(5)).toSeq
        if (!answer.denied && answer.data != expected) stale += delay
      }
      assert(stale.isEmpty, s"pads of the old key are used when it is changed after ${stale.mkString(", ")} cycles")
    }
  private val small = CompilerCounters(registers = 2, ids = 8)
  private val deep = AesParams(extraLatency = 20)
  private def replace(s: SteeringBench, key: Array[Byte]): Unit = s.bench.loadKey(KeySlot.dynamic, key)
  private def zeroizeAndWait(s: SteeringBench, key: Array[Byte]): Unit = {
    s.bench.zeroize(KeySlot.dynamic)
    s.idle(200)
    s.bench.loadKey(KeySlot.dynamic, key)
  }

  // covers: memory.old-pads
  test("pads do not outlive a key that is replaced at once: words") {
    changeKeys(point(words, small, deep), latency = 3, 1 until 36 by 4)(replace)
  }
  test("pads do not outlive a key that is replaced at once, made when the hint comes: words") {
    changeKeys(point(words, small.copy(ahead = true), deep), latency = 3, 1 until 36 by 4)(replace)
  }
// covers: memory.old-pads
  test(
    "pads do not outlive a key that is zeroized, and written after a long time: blocks of 64 bytes, several AES blocks each"
  ) {
    val cipher = AesParams(architecture = AesArchitecture.Iterative)
    changeKeys(point(Bank(localBytes = 1 << 16), small, cipher), latency = 3, 2 until 60 by 6)(zeroizeAndWait)
  }

  private def passes(n: Int) = ProtectionParams.compilerCounters.cipher.copy(architecture = AesArchitecture.Folded(n))

  /** The longest that a read waits beside a hint in every cycle. */
  private def besideHints(p: Protection, limit: Int): Int = {
    var longest = 0
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val random = new Random(3)
      val s = bench(dut, random, SteadyMemory(12))
      s.start()
      val data = Seq.fill(s.blockBytes)(55.toByte)
      for (block <- 0 until 8) {
        s.give(CounterHint.store, block, 2)
        s.bench.run(s.write(block, data))
      }
      s.idle(100)
      var n = 0
      for (_ <- 0 until 30 if longest < limit) {
        val block = random.nextInt(8)
        val begin = s.bench.cycle
        val ticket = s.bench.ask(s.read(block))
        while (!s.bench.idle && s.bench.cycle - begin < limit) {
          n += 1
          // One that is right now and then, then any
          if (n % 7 == 0) s.hint(CounterHint.load, block, 2) else s.hint(CounterHint.load, 8 + n % 64, 2)
          s.bench.tick()
        }
        longest = math.max(longest, s.bench.cycle - begin)
        s.quiet()
        s.bench.drain()
        assert(s.bench.answers(ticket).data == data)
      }
    }
    longest
  }
  for {
    (name, p) <- Seq(
      "words, the embedded engine" -> point(words, small.copy(ahead = true), ProtectionParams.compilerCounters.cipher),
      "words, WithCipherPasses(5)" -> point(words, small.copy(ahead = true), passes(5)),
      "words, WithCipherPasses(10)" -> point(words, small.copy(ahead = true), passes(10)),
      "blocks of 64 bytes" -> point(
        Bank(localBytes = 1 << 16),
        small.copy(ahead = true),
        ProtectionParams.compilerCounters.cipher
      )
    )
  } test(
    s"a stream of hints does not keep a read from its pad: $name",
    Thorough.unless(name == "words, the embedded engine"): _*
  ) {
    val longest = besideHints(p, limit = 2000)
    info(s"the longest read took $longest cycles")
    assert(longest < 1000)
  }

  for (reads <- Seq(0, 1)) test(s"memory may answer in the cycle of a request: reads after $reads cycles") {
    simulate(new MemoryProtectionEngine(point(words, small, AesParams(extraLatency = 1)))) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(reads))
      s.start()
      val data = (0 until 8).map(i => Seq.fill(8)(i.toByte))
      for (b <- data.indices) s.bench.run(s.write(b, data(b)))
      s.idle(60)
      for (b <- data.indices) {
        val ticket = s.bench.ask(s.read(b))
        s.bench.drain(limit = 2000)
        assert(s.bench.answers(ticket).data == data(b), s"block $b")
      }
      val all = data.indices.map(b => s.bench.ask(s.read(b)))
      s.bench.drain(limit = 2000)
      for ((ticket, b) <- all.zipWithIndex) assert(s.bench.answers(ticket).data == data(b), s"block $b of many")
    }
  }

  private val odd = Seq(
    "one of everything" -> point(
      words,
      LeastSteering.counters.copy(ids = 2),
      AesParams(architecture = AesArchitecture.Iterative),
      reads = 1,
      writes = 1
    ),
    "three of much" -> point(
      words.copy(blockBytes = 32),
      CompilerCounters(registers = 4, ids = 7, pairFetches = 3, updates = 3, expectedPads = 3, ahead = true),
      AesParams(architecture = AesArchitecture.Folded(2), extraLatency = 1),
      reads = 3,
      writes = 5
    ),
    "a bus of 16 bytes" -> point(
      Bank(localBytes = 1 << 14, beatBytes = 16, blockBytes = 16),
      CompilerCounters(registers = 16, ids = 128, filter = 2, ahead = true, updates = 2),
      deep,
      posted = false
    )
  )
  for ((name, p) <- odd) test(
    s"random programs agree with the model, pads are used once: $name",
    Thorough.unless(name == "one of everything"): _*
  ) {
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (round <- 1 until 3) {
        resetDesign(dut)
        val random = new Random(round)
        val s = bench(dut, random, if (round == 2) new UnsteadyMemory(random, 40) else new NextCycleMemory(random, 30))
        val g = p.params.counters.asInstanceOf[CompilerCounters]
        s.start()
        val blocks = 24
        s.agree(500, blocks, limit = 300000) {
          random.nextInt(4) match {
            case 0 => s.hint(CounterHint.next, 0, random.nextInt(g.registers))
            case 3 =>
            case n => s.hint(n % 2, random.nextInt(blocks), random.nextInt(math.min(8, g.ids)))
          }
          if (random.nextInt(50) == 0) s.bench.pulseFlush() else s.bench.tick()
        }
        val statistics = dut.io.statistics
        info(
          s"${statistics.dataWrites.peek()} writes, ${statistics.steeredWrites.peek()} steered, " +
            s"pads ${statistics.rightPads.peek()} right, ${statistics.wrongPads.peek()} wrong"
        )
      }
    }
  }

  test("what the parameters admit can be made") {
    val cases = Seq(
      "1 id" -> (words, CompilerCounters(registers = 1, ids = 1)),
      "2 ids" -> (words, CompilerCounters(registers = 2, ids = 2)),
      "127 ids" -> (words, CompilerCounters(registers = 8, ids = 127)),
      "no ids" -> (words, CompilerCounters(registers = 0, ids = 0)),
      "1024 store hints in a bank of 2^14" -> (words, CompilerCounters(storeHints = 1024)),
      "16 registers, filter 2" -> (words, CompilerCounters(registers = 16, filter = 2)),
      "16 expected pads" -> (words, CompilerCounters(expectedPads = 16)),
      "64 expected pads" -> (words, CompilerCounters(expectedPads = 64)),
      "no expected pads" -> (words, CompilerCounters(expectedPads = 0)),
      "no registers, no expected pads" -> (words, CompilerCounters(registers = 0, expectedPads = 0))
    )
    def made(bank: Bank, counters: CompilerCounters) =
      Try(ChiselStage.emitCHIRRTL(new MemoryProtectionEngine(point(bank, counters, deep))))
    def why(e: Throwable) = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString(" / ")
    val broken = for {
      (name, (bank, counters)) <- cases
      Failure(e) <- Seq(made(bank, counters))
    } yield s"$name: ${why(e)}"
    assert(broken.isEmpty)
    for (
      counters <-
        Seq(CompilerCounters(loadHints = 4096), CompilerCounters(filter = 4096), CompilerCounters(storeHints = 1 << 13))
    )
      assert(made(words, counters).failed.map(why).get.contains("more than the bank has blocks"), counters)
  }
}
