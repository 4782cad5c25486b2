package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.mode.DirectCbc
import hauberk.memory.counter.Timestamps
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The engine against the reference model, with random traffic on a random memory. */
class EngineSpec extends AnyFunSuite with Simulation {
  private val small = Bank(localBytes = 1 << 16)
  private val points = Seq(
    "one-time pad" -> Protection(ProtectionParams.aegisOtp, small),
    "one-time pad, few of everything" -> Protection(
      ProtectionParams(
        counters = Timestamps(cache = MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)),
        reads = 2,
        writes = 2
      ),
      small
    ),
    "one-time pad, fully associative, 64-bit timestamps, engine 5" -> Protection(
      ProtectionParams(
        counters = Timestamps(64, MetadataCacheParams(lines = 4, ways = 4, mshrs = 3)),
        reads = 4,
        writes = 3
      ),
      small.copy(engine = 5)
    ),
    "direct CBC" -> Protection(ProtectionParams.xom, small),
    "direct CBC, one job" -> Protection(
      ProtectionParams.xom.copy(
        mode = DirectCbc(1),
        counters = Timestamps(cache = MetadataCacheParams(lines = 2, ways = 2, mshrs = 2)),
        reads = 3,
        writes = 2
      ),
      small
    )
  )

  private val first = Set("one-time pad, few of everything", "direct CBC, one job")

  // covers: memory.reference, memory.plain-memory
  for ((name, p) <- points) test(s"random traffic agrees with the model: $name", Thorough.unless(first(name)): _*) {
    val random = new Random(20261120)
    val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
    val model = new ReferenceModel(p.params.mode, p.layout, p.bank.engine)
    val blocks = 96
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val bench = new EngineBench(this, dut, new UnsteadyMemory(random, 60))
      // What the memory held before power-on must not matter
      for (i <- 0 until (p.bank.localBytes / 64).toInt) random.nextBytes(bench.block(i))
      bench.start(keys)
      val expected = Array.tabulate(blocks) { b =>
        val plain = Transfer.randomBytes(random, 64).toArray
        bench.memory.blocks(b) = model.encrypt(keys, b, 0, plain)
        plain
      }
      for (_ <- 0 until 12) {
        // Transfers in flight together may overlap: keep to one per block in a batch where one of them writes
        val batch = Seq.fill(150)(Transfer.random(random, p, blocks))
        val answers = bench.runAll(batch)
        for ((t, answer) <- batch.zip(answers)) {
          assert(!answer.denied, t)
          val data = t.applyTo(expected(t.address / 64))
          if (!t.write) assert(answer.data == data, t)
        }
      }
      bench.flush()
      assert(!dut.io.status.alarm.peekBoolean())
      var timestamps = Set.empty[BigInt]
      for (b <- 0 until blocks) {
        val at = p.layout.counterAddress(b).toInt
        val stored = bench.block(at / 64).slice(at % 64, at % 64 + p.layout.counterBytes)
        val counter = BigInt(1, stored.reverse)
        if (counter != 0) {
          assert(!timestamps(counter), s"timestamp $counter is used twice")
          timestamps += counter
        }
        assert(
          model.decrypt(keys, b, counter, bench.block(b)).toSeq == expected(b).toSeq,
          s"block $b, counter $counter"
        )
        assert(bench.block(b).toSeq != expected(b).toSeq, s"block $b stands in the clear")
      }
      assert(timestamps.size > blocks / 2)
    }
  }
}
