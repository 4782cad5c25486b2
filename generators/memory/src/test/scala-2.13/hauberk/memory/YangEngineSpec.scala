package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.Bank
import hauberk.memory.counter.SequenceNumberCache
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Whole engines with Yang's sequence number caches, and with XTS, under random traffic: what clients read, and what memory holds. */
class YangEngineSpec extends AnyFunSuite with Simulation {
  private val engine = 3
  private val bank = Bank(localBytes = 1 << 16, engine = engine)
  private val blocks = 96
  private val random = new Random(2003)
  private def bytes(n: Int): Array[Byte] = Transfer.randomBytes(random, n).toArray
  private val keys = ProtectionKeys(bytes(16), bytes(16))
  private def pad(key: Array[Byte], block: Int, counter: BigInt, in: Array[Byte]) =
    JdkModes.oneTimePad(key, engine, block, counter, in)
  private def encryptXts(key: Array[Byte], unit: BigInt, in: Array[Byte]) =
    JdkModes.encryptXts(key, JdkModes.tweakKey(key), (BigInt(engine) << 40) | unit, in)

  /** Random traffic on a memory whose blocks the package encrypted this way; the plaintexts at the end, and which blocks were written. */
  private def traffic(bench: EngineBench, p: Protection, packaged: (Int, Array[Byte]) => Array[Byte]) = {
    val written = mutable.Set.empty[Int]
    val expected = Array.tabulate(blocks) { b =>
      val plain = bytes(64)
      bench.memory.blocks(b) = packaged(b, plain)
      plain
    }
    for (_ <- 0 until 8) {
      val batch = Seq.fill(120)(Transfer.random(random, p, blocks))
      for ((t, answer) <- batch.zip(bench.runAll(batch))) {
        assert(!answer.denied, t)
        val data = t.applyTo(expected(t.address / 64))
        if (t.write) written += t.address / 64
        else assert(answer.data == data, t)
      }
    }
    bench.flush()
    (expected, written)
  }

  /** Cycles from the request of a whole block to the first beat of its answer. */
  private def wait(bench: EngineBench, block: Int): Int = {
    val answer = bench.run(Transfer(write = false, 64 * block, 6))
    answer.beats.head - answer.asked
  }
  private val steady = SteadyMemory(30)

  /** What a block that is encrypted directly waits for, when its tweak is made while memory works. */
  private def directWait(p: Protection): Int =
    steady.latency + (p.core.blockBeats - 1) + 1 + p.cipher.latency + (p.aesBlocks - 1) + 1

  private def run(
      params: ProtectionParams
  )(body: (EngineBench, Protection) => Unit)(timing: (EngineBench, Protection) => Unit = (_, _) => ()): Unit = {
    val p = Protection(params, bank)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val bench = new EngineBench(this, dut, new HastyMemory(random, 50))
      // What the memory held before power-on must not matter
      for (i <- 0 until (p.bank.localBytes / 64).toInt) random.nextBytes(bench.block(i))
      bench.start(keys)
      body(bench, p)
      assert(!dut.io.status.alarm.peekBoolean())

      resetDesign(dut)
      val second = new EngineBench(this, dut, steady)
      second.start(keys)
      timing(second, p)
    }
  }
  private val iterative = AesParams(architecture = AesArchitecture.Iterative)

  // covers: memory.reference
  test("XTS: every block is under the static key, and nothing else is in memory") {
    run(ProtectionParams.xts.copy(reads = 5, writes = 4)) { (bench, p) =>
      assert(p.layout.metadataBytes == 0)
      val (expected, _) = traffic(bench, p, (b, plain) => encryptXts(keys.static, b, plain))
      for (b <- 0 until blocks)
        assert(bench.block(b).toSeq == encryptXts(keys.static, b, expected(b)).toSeq, s"block $b")
    } { (bench, p) =>
      assert(wait(bench, 7) == directWait(p))
    }
  }

  for (
    (name, params) <- Seq(
      "4 lines in 2 ways" -> ProtectionParams.yangSncLru.copy(counters = SequenceNumberCache(bytes = 256, ways = 2)),
      "one line, few of everything" -> ProtectionParams.yangSncLru
        .copy(
          counters = SequenceNumberCache(bytes = 64, ways = 1, mshrs = 1),
          reads = 2,
          writes = 2,
          cipher = iterative
        )
    )
  ) test(
    s"SNC with replacement: blocks are under pads of numbers that are never used twice, and spilled numbers are hidden: $name",
    Thorough.unless(name == "4 lines in 2 ways"): _*
  ) {
    run(params) { (bench, p) =>
      val (expected, written) = traffic(bench, p, (b, plain) => pad(keys.static, b, 0, plain))
      val seen = mutable.Set.empty[BigInt]
      for (b <- 0 until blocks) {
        val stored = bench.block((p.layout.counterBase / 64).toInt + b / 16)
        val unit = (BigInt(1) << 48) | (BigInt(engine) << 40) | (b / 16)
        val line =
          if (stored.forall(_ == 0)) stored
          else JdkModes.decryptXts(keys.dynamic, JdkModes.tweakKey(keys.dynamic), unit, stored)
        val number = BigInt(1, line.slice(b % 16 * 4, b % 16 * 4 + 4).reverse)
        assert((number != 0) == written(b), s"block $b has number $number")
        if (number != 0) assert(seen.add(number), s"number $number is used twice")
        val key = if (number == 0) keys.static else keys.dynamic
        assert(bench.block(b).toSeq == pad(key, b, number, expected(b)).toSeq, s"block $b, number $number")
      }
    }()
  }

// covers: memory.reference
  test(
    "SNC without replacement: blocks are under pads of numbers on the chip, or direct if there is no room, and bits tell which were written"
  ) {
    val store = SequenceNumberCache(bytes = 256, ways = 2, replaces = false, writtenLines = 1)
    run(ProtectionParams.yangSncNoReplacement.copy(counters = store)) { (bench, p) =>
      val (expected, written) = traffic(bench, p, (b, plain) => pad(keys.static, b, 0, plain))
      val seen = mutable.Set.empty[BigInt]
      var direct = 0
      for (b <- 0 until blocks) {
        val bits = bench.block((p.layout.counterBase / 64).toInt + b / 512)
        val isDirect = ((bits(b % 512 / 8) >> (b % 8)) & 1) == 1
        if (isDirect) {
          direct += 1
          assert(
            written(b) && bench.block(b).toSeq == encryptXts(keys.dynamic, b, expected(b)).toSeq,
            s"direct block $b"
          )
        } else if (!written(b)) {
          assert(bench.block(b).toSeq == pad(keys.static, b, 0, expected(b)).toSeq, s"block $b, which nobody wrote")
        } else {
          val number =
            (1 to 2000).find(n => pad(keys.dynamic, b, n, expected(b).take(16)).toSeq == bench.block(b).take(16).toSeq)
          assert(number.nonEmpty, s"block $b is under no pad")
          assert(seen.add(number.get), s"number $number is used twice")
          assert(bench.block(b).toSeq == pad(keys.dynamic, b, number.get, expected(b)).toSeq, s"block $b")
        }
      }
      assert(seen.size > 40 && direct > 15, s"${seen.size} blocks with numbers and $direct direct ones")
    } { (bench, p) =>
      // Lines 0 and 2 have all the room of their set
      for (block <- Seq(0, 32, 64)) bench.run(Transfer(write = true, 64 * block, 6, bytes(64).toSeq))
      assert(wait(bench, 0) == steady.latency && wait(bench, 32) == steady.latency)
      assert(wait(bench, 64) == directWait(p))
      assert(wait(bench, 65) == steady.latency) // nobody wrote it
    }
  }
}
