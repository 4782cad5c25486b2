package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Presets as a whole: random traffic of every kind against a plain model, over a package and over memory that holds noise, with caches so
  * small that all metadata keep moving. Those that no other specification runs as a whole; `make attack` does it with all of them.
  */
class SchemeSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 17, idBits = 4, engine = 3)

  for {
    name <- Seq("BlockMac", "BonsaiTree", "BonsaiTreeBlocking", "YangSncNoReplacement")
    scheme = SmallCaches(ProtectionParams.presets(name))
  }
    // covers: memory.plain-memory
    test(s"$name: the client sees a plain memory, whatever moves behind it") {
      val p = Protection(scheme, bank)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        for (timing <- Seq(SteadyMemory(20), new HastyMemory(new Random(5), 40))) withClue(s"$timing: ") {
          resetDesign(dut)
          val scheme = new SchemeBench(this, dut, timing, seed = 7, imageBlocks = 100)
          scheme.start()
          val all = scheme.plain.indices.toVector
          scheme.traffic(120, all.take(24), flushes = true)
          scheme.traffic(160, scheme.random.shuffle(all).take(200))
          scheme.flush()
          scheme.traffic(60, scheme.random.shuffle(all).take(40), flushes = true)
        }
      }
    }
}
