package hauberk.testing

import java.nio.file.Files
import org.scalatest.funsuite.AnyFunSuite

class KeptSimulatorsSpec extends AnyFunSuite with Simulation {
  test("a test that is repeated runs on the simulators that it has built, from their beginning") {
    val simulators = new KeptSimulators
    var built = 0
    val used = for (_ <- 0 until 3) yield {
      simulators.repeat {
        for (steps <- Seq(3, 5))
          simulate { built += 1; new SimulationExample } { dut =>
            step(steps)
            dut.io.count.expect(steps)
          }
      }
      simulators.used.toSet
    }
    assert(built == 2)
    assert(used.toSet.size == 1 && used.head.size == 2 && used.head.forall(Files.isDirectory(_)))
    simulators.clear()
    assert(!used.head.exists(Files.exists(_)))
  }
}
