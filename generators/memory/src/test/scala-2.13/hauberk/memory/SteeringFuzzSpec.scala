package hauberk.memory

import org.scalatest.funsuite.AnyFunSuite

/** A moment of `make fuzz-steering`, on the smaller of its engines. */
class SteeringFuzzSpec extends AnyFunSuite {
  private val seed = 3
  // covers: memory.steered-pads
  test("thousands of random hints before a memory that lies repeat no pad") {
    val (name, p) = SteeringFuzz.engines.last
    val counts = new SteeringFuzz(seed, info(_)).run(name, p, hints = 20000)
    assert(
      counts.steered > 1000 && counts.writes - counts.steered > 1000,
      "one of steered pairs and the global counter is hardly used"
    )
  }
}
