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
}
