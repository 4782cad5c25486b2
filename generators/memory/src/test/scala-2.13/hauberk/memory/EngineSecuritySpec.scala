package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.Timestamps
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What an engine refuses, and how it fails: closed, and visibly. */
class EngineSecuritySpec extends AnyFunSuite with Simulation {
  private val random = new Random(7)
  private def bytes(n: Int): Seq[Byte] = Seq.fill(n)(random.nextInt.toByte)
  private val keys = ProtectionKeys(bytes(16).toArray, bytes(16).toArray)
  private def bank = Bank(localBytes = 1 << 14)
  private def read(address: Int, size: Int = 6) = Transfer(write = false, address, size)
  private def write(address: Int, data: Seq[Byte]) = Transfer(write = true, address, 6, data)

  private type Scenario = (MemoryProtectionEngine, EngineBench) => Unit
  private val few = ProtectionParams(reads = 4, writes = 4)

  /** One test, and one build of the engine, for several scenarios; each begins with a reset and a new memory. */
  private def scenarios(name: String, params: ProtectionParams)(all: (String, Scenario)*): Unit =
    test(s"$name: ${all.map(_._1).mkString("; ")}") {
      simulate(new MemoryProtectionEngine(Protection(params, bank))) { dut =>
        for ((scenario, body) <- all) withClue(s"$scenario: ") {
          resetDesign(dut)
          val bench = new EngineBench(this, dut, SteadyMemory(20))
          bench.quiet()
          body(dut, bench)
        }
      }
    }
  private def waitInitialised(dut: MemoryProtectionEngine, bench: EngineBench): Unit =
    while (!dut.io.status.initialised.peekBoolean()) bench.tick()

  private def expectAlarm(dut: MemoryProtectionEngine, cause: Int, address: BigInt): Unit = {
    assert(dut.io.status.alarm.peekBoolean())
    assert(dut.io.status.cause.peek() == cause)
    assert(dut.io.status.address.peek() == address)
  }

  // every access before arming is denied and latched; arming needs initialised metadata and whole keys
  private val notArmed: Scenario = (dut, bench) => {
    bench.arm()
    assert(!dut.io.status.armed.peekBoolean(), "armed before the metadata were initialised")
    waitInitialised(dut, bench)
    bench.arm()
    assert(!dut.io.status.armed.peekBoolean(), "armed without keys")
    bench.writeKeyWord(KeySlot.static, 0, 1)
    bench.writeKeyWord(KeySlot.static, 1, 2)
    bench.writeKeyWord(KeySlot.dynamic, 1, 3)
    bench.arm()
    assert(!dut.io.status.armed.peekBoolean(), "armed with half a dynamic key")
    val traffic = bench.memory.written.size
    for (t <- Seq(read(0x40), read(0x80, 2), write(0xc0, bytes(64)))) assert(bench.run(t).denied, t)
    assert(bench.memory.written.size == traffic, "a denied write reached memory")
    expectAlarm(dut, AlarmCause.notArmed, 0x40)
    bench.writeKeyWord(KeySlot.dynamic, 0, 4)
    bench.arm()
    assert(dut.io.status.armed.peekBoolean())
    assert(!bench.run(read(0x40)).denied)
    assert(dut.io.status.alarm.peekBoolean(), "the alarm must stick")
    // Half of a new key makes the slot unusable, and with it everything
    bench.writeKeyWord(KeySlot.static, 0, 9)
    assert(bench.run(read(0x40)).denied)
    bench.writeKeyWord(KeySlot.static, 1, 9)
    assert(!bench.run(read(0x40)).denied)
    bench.zeroize(KeySlot.dynamic)
    assert(bench.run(write(0x40, bytes(64))).denied)
  }

  // when another engine has halted, what is in flight ends, and what comes then is denied without touching memory
  private val otherHalts: Scenario = (dut, bench) => {
    bench.start(keys)
    val data = bytes(64)
    assert(!bench.run(write(0x40, data)).denied)
    val sofar = bench.memory.reads
    val before = bench.ask(read(0x40))
    while (bench.memory.reads == sofar) bench.tick()
    dut.io.control.halt.poke(true)
    bench.drain()
    assert(!bench.answers(before).denied && bench.answers(before).data == data)
    val accesses = (bench.memory.reads, bench.memory.writes)
    for (t <- Seq(read(0x40), read(0x80, 2), write(0x40, bytes(64)))) assert(bench.run(t).denied, t)
    assert((bench.memory.reads, bench.memory.writes) == accesses, "a denied access reached memory")
    dut.io.control.halt.poke(false)
  }

  // the metadata region is denied in every size, latched with its address, and memory is not touched
  private val metadataDenied: Scenario = (dut, bench) => {
    bench.start(keys)
    val base = dut.p.layout.dataBytes.toInt
    val traffic = bench.memory.written.size
    assert(bench.run(read(base + 0x88, 3)).denied)
    expectAlarm(dut, AlarmCause.outsideData, base + 0x88)
    for (size <- 0 to 6) {
      assert(bench.run(read(base, size)).denied)
      assert(bench.run(Transfer(write = true, base, size, bytes(1 << size))).denied)
    }
    assert(bench.run(read((1 << 14) - 64)).denied)
    assert(bench.memory.written.size == traffic, "a denied write reached memory")
    assert(!bench.run(read(base - 64)).denied, "the last data block is data")
  }

  // memory that refuses metadata halts the protector; data whose counter is unknown is denied
  private val metadataRefused: Scenario = (dut, bench) => {
    bench.start(keys)
    bench.flush()
    bench.memory.refused += dut.p.layout.counterAddress(0).toInt / 64
    assert(bench.run(read(0)).denied)
    expectAlarm(dut, AlarmCause.metadataError, dut.p.layout.counterBase)
    assert(dut.io.status.halted.peekBoolean())
    assert(bench.run(read(0x2000)).denied)
  }

  // memory that refuses a zero write halts the protector, whether an access or a flush caused it
  private def zeroingRefused(cause: EngineBench => Unit): Scenario = (dut, bench) => {
    bench.start(keys)
    bench.memory.refused += dut.p.layout.counterAddress(0).toInt / 64
    assert(!bench.run(read(0x2000)).denied, "another group is initialised")
    cause(bench)
    expectAlarm(dut, AlarmCause.metadataError, dut.p.layout.counterBase)
    assert(dut.io.status.halted.peekBoolean())
    for (address <- Seq(0, 0x2000)) assert(bench.run(read(address)).denied)
    bench.flush()
  }

  // memory that refuses data gives a denied answer and no alarm, and a partial write of it changes nothing
  private val dataRefused: Scenario = (dut, bench) => {
    bench.start(keys)
    val before = bench.block(3).toSeq
    bench.memory.refused += 3
    assert(bench.run(read(0xc0)).denied)
    assert(bench.run(write(0xc0, bytes(64))).denied)
    assert(bench.run(Transfer(write = true, 0xc8, 3, bytes(8))).denied)
    assert(bench.block(3).toSeq == before)
    assert(!bench.run(read(0x100)).denied)
    assert(!dut.io.status.alarm.peekBoolean())
  }

  private val bits = 3
  private val overflow: Scenario = (dut, bench) => {
    bench.start(keys)
    for (i <- 1 until (1 << bits)) assert(!bench.run(write(64 * (i % 3), bytes(64))).denied, s"write $i")
    val traffic = bench.memory.written.size
    assert(bench.run(write(0x140, bytes(64))).denied)
    expectAlarm(dut, AlarmCause.counterOverflow, 0x140)
    assert(dut.io.status.halted.peekBoolean())
    assert(bench.memory.written.size == traffic, "a write without a counter reached memory")
    assert(bench.run(read(0)).denied, "a halted protector must deny")
    bench.loadKeys(keys)
    bench.arm()
    assert(bench.run(read(0)).denied, "no command restarts a halted protector")
    bench.flush()
    val flushed = bench.memory.written.drop(traffic).grouped(8).toSeq
    assert(
      flushed.size == 1 && flushed.head.exists(_._2 != 0),
      "a halted protector zeroes counters that nobody may use"
    )
  }

  private val equalPlaintext: Scenario = (dut, bench) => {
    bench.start(keys)
    val plain = bytes(16) ++ bytes(16)
    val line = plain ++ plain
    var seen = Set.empty[Seq[Byte]]
    for {
      round <- 0 until 8
      block <- 0 until 4
    } {
      assert(!bench.run(write(64 * block, line)).denied)
      val aesBlocks = bench.block(block).toSeq.grouped(16).toSeq
      for (aesBlock <- aesBlocks) {
        assert(!seen(aesBlock), s"ciphertext repeats in round $round, block $block")
        seen += aesBlock
      }
    }
    assert(dut.io.status.alarm.peekBoolean() == false)
  }

  scenarios("one-time pad", few)(
    // covers: memory.arming
    "every access before arming is denied and latched, and arming needs initialised metadata and whole keys" -> notArmed,
    // covers: memory.metadata-access
    "the metadata are denied in every size and latched" -> metadataDenied,
    // covers: memory.halt
    "what comes when another engine has halted is denied" -> otherHalts,
    "memory that refuses metadata halts the protector" -> metadataRefused,
    // covers: memory.refusals, memory.first-touch
    "memory that refuses a zero write for a read halts the protector" ->
      zeroingRefused(bench => assert(bench.run(read(0)).denied)),
    "memory that refuses a zero write for a write halts the protector" ->
      zeroingRefused(bench => assert(bench.run(write(0, bytes(64))).denied)),
    "memory that refuses a zero write of a flush halts the protector" -> zeroingRefused(_.flush()),
    // covers: memory.refusals
    "memory that refuses data gives a denied answer and no alarm" -> dataRefused,
    // covers: memory.fresh-ciphertext
    "equal plaintext gives new ciphertext at every write, at every place" -> equalPlaintext
  )
  scenarios("direct CBC", ProtectionParams.xom.copy(reads = 4, writes = 4))(
    "equal plaintext gives new ciphertext at every write, at every place" -> equalPlaintext,
    "memory that refuses metadata halts the protector" -> metadataRefused,
    "memory that refuses data gives a denied answer and no alarm" -> dataRefused
  )
  scenarios("one-time pad with a small TIMER", few.copy(counters = Timestamps(bits)))(
    // covers: memory.counter-end
    "the last timestamp stops the protector, visibly, and nothing of the write is stored" -> overflow
  )
}
