package hauberk.memory

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** What verifiers need of the engine around them: takes and touches for the log, and another key for a hash tree. */
class VerifiedEngineSpec extends AnyFunSuite with Simulation {
  private val stripe = Stripe(localBytes = 1 << 16, engine = 2)
  private def scheme(params: ProtectionParams)(body: (MemoryProtectionEngine, SchemeBench) => Unit): Unit =
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), stripe))) { dut =>
      val bench = new SchemeBench(this, dut, SteadyMemory(20), seed = 4, extent = 30)
      bench.start()
      body(dut, bench)
    }
  private def pulseCheck(dut: MemoryProtectionEngine, bench: SchemeBench): Unit = {
    dut.io.control.check.poke(true)
    bench.bench.tick()
    dut.io.control.check.poke(false)
  }
  private def awaitCheck(dut: MemoryProtectionEngine, bench: SchemeBench): Unit = {
    val limit = bench.bench.cycle + 200000
    while (dut.io.status.checking.peekBoolean()) {
      bench.bench.tick()
      assert(bench.bench.cycle < limit, "the check does not end")
    }
  }

  test("log hash: checks under traffic find nothing, until memory is changed; the next check finds that") {
    scheme(ProtectionParams.aegisLogHash) { (dut, bench) =>
      val blocks = Seq(0, 1, 7, 29, 30, 31, 200, 201, 210, 400)
      for (_ <- 0 until 4) {
        pulseCheck(dut, bench)
        assert(dut.io.status.checking.peekBoolean())
        bench.traffic(120, blocks, flushes = true)
      }
      pulseCheck(dut, bench)
      awaitCheck(dut, bench)
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
      assert(!dut.io.status.halted.peekBoolean())
      val stored = bench.bench.block(201)
      stored(17) = (stored(17) ^ 4).toByte
      pulseCheck(dut, bench)
      awaitCheck(dut, bench)
      for (_ <- 0 until 3) bench.bench.tick()
      assert(dut.io.status.alarm.peekBoolean() && dut.io.status.halted.peekBoolean(), "the change is not found")
      assert(dut.io.status.cause.peek() == AlarmCause.logMismatch)
      assert(bench.bench.run(Transfer(write = false, 64 * 7, 6)).denied, "a halted protector must deny")
    }
  }

  // So few time stamps that writes wait for the end of a re-encryption, too
  private val rekeyed = GlobalTimer(timestampBits = 8, reserve = Some(120))

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

  test("log hash: the log goes on when all memory comes under a new key") {
    scheme(ProtectionParams.aegisLogHash.copy(counters = rekeyed)) { (dut, bench) =>
      changeKeys(dut, bench)
      pulseCheck(dut, bench)
      awaitCheck(dut, bench)
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
    }
  }

  test("hash tree: all memory comes under a new key, while it is in use; the tree is as sharp as before") {
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

  // A line that is wrong under the new key is tried under the old one, as long as it may be right under that. An adversary may change it so
  // late that the old key would go before it is tried, and the hasher wait for a key that is gone
  private val attacked = 208 // its tag line is in memory at the end of the sweep, and the node above in its cache
  private val slowWrites = new SteadyMemory(20) {
    override def delay(write: Boolean): Int = if (write) 120 else latency
    override val inOrder = false
  }

  /** A change of keys, and a read of a block whose tag line memory changed after it was re-encrypted.
    *
    * @param at cycles from the end of the sweep to the read; none without one
    * @return cycles from the end of the sweep until the old key is gone
    */
  private def changeKeysUnderAttack(dut: MemoryProtectionEngine, at: Option[Int]): Int = {
    resetDesign(dut)
    val scheme = new SchemeBench(this, dut, slowWrites, seed = 4, extent = 0)
    val bench = scheme.bench
    def until(limit: Int, hint: String)(done: => Boolean): Unit = {
      val start = bench.cycle
      while (!done) {
        bench.tick()
        assert(bench.cycle - start < limit, s"$hint, with a read $at cycles after the sweep")
      }
    }
    scheme.start()
    for (b <- 0 until 400 by 16) bench.run(Transfer(write = true, 64 * b, 6, Seq.fill(64)(b.toByte)))
    assert(dut.io.keyWanted.valid.peekBoolean(), "nothing is to be re-encrypted")
    bench.loadKey(KeySlot.spare, Transfer.randomBytes(scheme.random, 16).toArray)
    until(2000, "no sweep begins")(dut.io.status.rekeying.peekBoolean())
    until(100000, "the sweep does not end")(!dut.io.status.rekeying.peekBoolean())
    val end = bench.cycle
    def gone = !dut.io.status.usable(KeySlot.dynamic).peekBoolean()
    for (cycles <- at) {
      val line = bench.block((scheme.p.layout.tagAddress(attacked) / 64).toInt)
      line(60) = (line(60) ^ 1).toByte
      until(cycles + 1, "no time goes by")(bench.cycle == end + cycles)
      assert(!gone, "the old key is gone before the attack begins")
      bench.ask(Transfer(write = false, 64 * attacked, 6))
    }
    until(5000, "the old key does not go")(gone)
    val took = bench.cycle - end
    for (_ <- 0 until 300) bench.tick()
    took
  }

  test("hash tree: a tag line changed as the old key goes is found, and nothing waits for that key") {
    val params = ProtectionParams.aegisHashTree.copy(counters = GlobalTimer(timestampBits = 8, reserve = Some(235)))
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), stripe))) { dut =>
      val calm = changeKeysUnderAttack(dut, None)
      assert(!dut.io.status.alarm.peekBoolean(), "a false alarm")
      val took = for (at <- calm - 80 until calm - 60) yield {
        val gone = changeKeysUnderAttack(dut, Some(at))
        assert(
          dut.io.status.cause.peek() == AlarmCause.metadataMismatch,
          s"a changed tag line is not found, read $at cycles after the sweep, when the old key goes after $gone"
        )
        gone
      }
      assert(took.exists(_ > calm), "the old key never had to wait")
    }
  }
}
