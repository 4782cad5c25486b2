package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.Timestamps
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite

/** What verifiers need of the engine around them: takes and touches for the log, and another key for a hash tree. */
class VerifiedEngineSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 16, engine = 2)
  private def scheme(params: ProtectionParams)(body: (MemoryProtectionEngine, SchemeBench) => Unit): Unit =
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), bank))) { dut =>
      val bench = new SchemeBench(this, dut, SteadyMemory(20), seed = 4, imageBlocks = 30)
      bench.start()
      body(dut, bench)
    }

  test("log hash: checks under traffic find nothing, until memory is changed; the next check finds that") {
    scheme(ProtectionParams.aegisLogHash) { (dut, bench) =>
      val blocks = Seq(0, 1, 7, 29, 30, 31, 200, 201, 210, 400)
      for (_ <- 0 until 4) {
        bench.bench.pulseCheck()
        assert(dut.io.status.checking.peekBoolean())
        bench.traffic(120, blocks, flushes = true)
      }
      bench.bench.pulseCheck()
      bench.bench.awaitCheck()
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
      assert(!dut.io.status.halted.peekBoolean())
      val stored = bench.bench.block(201)
      stored(17) = (stored(17) ^ 4).toByte
      bench.bench.pulseCheck()
      bench.bench.awaitCheck()
      for (_ <- 0 until 3) bench.bench.tick()
      assert(dut.io.status.alarm.peekBoolean() && dut.io.status.halted.peekBoolean(), "the change is not found")
      assert(dut.io.status.cause.peek() == AlarmCause.logMismatch)
      assert(bench.bench.run(Transfer(write = false, 64 * 7, 6)).denied, "a halted protector must deny")
    }
  }

  // So few timestamps that writes wait for the end of a re-encryption, too
  private val rekeyed = Timestamps(timestampBits = 8, reserve = Some(120))

  /** Traffic while all memory comes under a new key, twice. */
  private def changeKeys(dut: MemoryProtectionEngine, bench: SchemeBench): Unit = {
    val blocks = Seq(0, 1, 7, 29, 30, 31, 200, 201, 210, 400, 555, 600, 700)
    var changes = 0
    for (_ <- 0 until 24 if changes < 2) {
      bench.traffic(60, blocks, flushes = true)
      if (dut.io.keyWanted.valid.peekBoolean()) {
        val slot = dut.io.keyWanted.bits.peek().toInt
        for (word <- 0 to 1) bench.bench.writeKeyWord(slot, word, BigInt(64, bench.random))
        val old = KeySlot.dynamic + KeySlot.spare - slot
        while (dut.io.status.usable(old).peekBoolean()) bench.traffic(4, blocks)
        changes += 1
      }
    }
    assert(changes == 2, s"the key was changed $changes times")
    bench.flush()
    bench.traffic(150, bench.random.shuffle(bench.plain.indices.toList).take(100) ++ blocks)
  }

  test("log hash: the log goes on when all memory comes under a new key", Thorough) {
    scheme(ProtectionParams.aegisLogHash.copy(counters = rekeyed)) { (dut, bench) =>
      changeKeys(dut, bench)
      bench.bench.pulseCheck()
      bench.bench.awaitCheck()
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
    }
  }

  test("hash tree: all memory comes under a new key, while it is in use; the tree is as sharp as before", Thorough) {
    scheme(ProtectionParams.aegisHashTree.copy(counters = rekeyed)) { (dut, bench) =>
      changeKeys(dut, bench)
      bench.flush()
      val tags = (bench.p.layout.tagBase / 64).toInt
      bench.traffic(60, bench.random.shuffle(bench.plain.indices.toList).filter(_ > 300).take(60))
      val line = bench.bench.block(tags + 200 / 8)
      line(3) = (line(3) ^ 1).toByte
      bench.bench.run(Transfer(write = false, 64 * 201, 6))
      for (_ <- 0 until 300) bench.bench.tick()
      assert(dut.io.status.cause.peek() == AlarmCause.metadataMismatch, "a changed tag line is not found")
    }
  }

  /** A memory that takes its time over writes, and a client that is quiet on demand. */
  private class SlowWrites extends SteadyMemory(20) {
    override def delay(write: Boolean): Int = if (write) 120 else latency
    override val inOrder = false
    var quiet = false
    override def clientOffers: Boolean = !quiet
  }

  /** An engine with a hash tree after reset, blocks of many lines of tags written, while all memory comes under a new key. */
  private class KeyChange(dut: MemoryProtectionEngine) {
    resetDesign(dut)
    val memory = new SlowWrites
    val scheme = new SchemeBench(VerifiedEngineSpec.this, dut, memory, seed = 4, imageBlocks = 0)
    val bench: EngineBench = scheme.bench
    scheme.start()
    // The last has a line of tags and a node of its own, and the sweep comes to it as soon as the one before has its timestamp
    val written: Seq[Int] = (0 until 384 by 16) ++ Seq(383, 384)
    for (b <- written) bench.run(Transfer(write = true, 64 * b, 6, Seq.fill(64)(b.toByte)))
    bench.flush()
    assert(dut.io.keyWanted.valid.peekBoolean(), "nothing is to be re-encrypted")
    bench.loadKey(KeySlot.spare, Transfer.randomBytes(scheme.random, 16).toArray)
    await("no sweep begins")(sweeping)
    private val begin = bench.cycle

    def await(hint: String)(done: => Boolean): Unit = {
      val start = bench.cycle
      while (!done) {
        bench.tick()
        assert(bench.cycle - start < 100000, hint)
      }
    }

    /** Cycles of the sweep so far. */
    def time: Int = bench.cycle - begin
    def sweeping: Boolean = dut.io.status.rekeying.peekBoolean()
    def gone: Boolean = !dut.io.status.usable(KeySlot.dynamic).peekBoolean()
    def idle(cycles: Int): Unit = for (_ <- 0 until cycles) bench.tick()
  }
  private def withTree(body: MemoryProtectionEngine => Unit): Unit = {
    val params = ProtectionParams.aegisHashTree.copy(counters = Timestamps(timestampBits = 8, reserve = Some(235)))
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), bank)))(body)
  }

  // A line that is wrong under the new key is tried under the old one, as long as it may be right under that. An adversary may change it so
  // late that the old key would go before it is tried, and the hasher wait for a key that is gone
  // covers: memory.rekey
  test("hash tree: a tag line changed as the old key goes is found, and nothing waits for that key") {
    withTree { dut =>
      val calm = new KeyChange(dut)
      calm.await("the sweep does not end")(!calm.sweeping)
      calm.await("the old key does not go")(calm.gone)
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
      val took = for (at <- calm.time - 80 until calm.time - 60) yield {
        val change = new KeyChange(dut)
        change.await("the sweep does not end")(!change.sweeping)
        val attacked = 208 // its tag line is not in the cache, and the node above is
        val line = change.bench.block((change.scheme.p.layout.tagAddress(attacked) / 64).toInt)
        line(60) = (line(60) ^ 1).toByte
        change.await("no time goes by")(change.time == at)
        assert(!change.gone, "the old key is gone before the attack begins")
        change.bench.ask(Transfer(write = false, 64 * attacked, 6))
        change.await("the old key does not go")(change.gone)
        val gone = change.time
        change.idle(300)
        assert(
          dut.io.status.cause.peek() == AlarmCause.metadataMismatch,
          s"a changed tag line is not found, read at $at, when the old key goes at $gone"
        )
        gone
      }
      assert(took.exists(_ > calm.time), "the old key never had to wait")
    }
  }

  // The verdict on a line that is being tried under a key waits for that key. Whoever zeroizes it must not thereby get the line accepted, nor
  // those that wait behind it
  // covers: memory.key-loss, memory.rekey
  test("hash tree: a key zeroized while memory leaves the old one hides no change of memory") {
    withTree { dut =>
      val calm = new KeyChange(dut)
      calm.await("the sweep does not end")(!calm.sweeping)
      val end = calm.time
      calm.await("the old key does not go")(calm.gone)
      val unnoticed = for {
        (slot, at) <-
          (calm.time - 16 until calm.time by 2).map(KeySlot.dynamic -> _) :+ (KeySlot.dynamic -> (end + 20)) :+
            (KeySlot.spare -> (end + 20)) :+ (KeySlot.spare -> (calm.time - 6))
        change = new KeyChange(dut)
        line = change.bench.block((change.scheme.p.layout.tagAddress(208) / 64).toInt)
        _ = change.await("the sweep does not end")(change.time >= at - 12)
        _ = line(60) = (line(60) ^ 1).toByte
        _ = change.bench.ask(Transfer(write = false, 64 * 208, 6))
        _ = change.await("no time goes by")(change.time >= at)
        _ = change.bench.zeroize(slot)
        _ = change.idle(600)
        if !dut.io.status.alarm.peekBoolean()
      } yield (slot, at - end)
      assert(unnoticed.isEmpty, s"no alarm for keys zeroized so many cycles after the sweep, of $end to ${calm.time}")
    }
  }

  test("hash tree: the old key waits for a write that ends the re-encryption and has not recorded its tag") {
    withTree { dut =>
      val calm = new KeyChange(dut)
      calm.await("the sweep does not end")(!calm.sweeping)
      val end = calm.time
      val waited = for (at <- end - 650 until end - 550 by 10) yield {
        val change = new KeyChange(dut)
        import change.bench
        change.await("no time goes by")(change.time == at)
        // As much as one beat of it or two, and the others only when the engine has had all the time it wants
        val data = Seq.fill(64)(0x5a.toByte)
        val last = 64 * change.written.last
        bench.ask(Transfer(write = true, last, 6, data))
        change.idle(2)
        change.memory.quiet = true
        change.idle(1500)
        val waits = !change.sweeping && !change.gone
        change.memory.quiet = false
        bench.drain()
        change.await("the old key does not go")(change.gone)
        for (b <- change.written) bench.run(Transfer(write = false, 64 * b, 6))
        val read = bench.run(Transfer(write = false, last, 6))
        assert(!dut.io.status.alarm.peekBoolean(), s"a false alarm, with a write at $at, where a sweep takes $end")
        assert(read.data == data)
        waits
      }
      assert(waited.exists(identity), "the old key never had to wait")
    }
  }
}
