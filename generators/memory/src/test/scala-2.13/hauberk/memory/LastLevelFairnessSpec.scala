package hauberk.memory

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Nobody waits for ever at the last-level cache: flushes end, and requests are answered, while a client goes on without end. */
class LastLevelFairnessSpec extends AnyFunSuite with Simulation {

  /** Memory that takes a request in one of so many cycles, and a client that takes an answer in one of so many. */
  private class Slow(requests: Int, answers: Int, latency: Int, write: Int = 1) extends MemoryTiming {
    private var asked, offered = 0
    def delay(write: Boolean): Int = if (write) this.write else latency
    val inOrder = true
    def requestReady: Boolean = {
      asked += 1
      asked % requests == 0
    }
    def clientReady: Boolean = {
      offered += 1
      offered % answers == 0
    }
  }
  private def read(block: Int) = Transfer(write = false, 64 * block, 6)
  private def whole(cache: LastLevelBench, block: Int) =
    Transfer(write = true, 64 * block, 6, Transfer.randomBytes(cache.random, 64))
  private def word(cache: LastLevelBench, block: Int, offset: Int) =
    Transfer(write = true, 64 * block + offset, 3, Transfer.randomBytes(cache.random, 8))
  private type Next = (LastLevelBench, Int) => Transfer

  /** Goes on for some cycles with always more to ask. */
  private def goOn(cache: LastLevelBench, cycles: Int, from: Int, next: Next)(until: => Boolean): Int = {
    var asked = from
    var cycle = 0
    while (cycle < cycles && !until) {
      while (asked < cache.client.answers.size + 16) {
        cache.ask(next(cache, asked))
        asked += 1
      }
      cache.tick()
      cycle += 1
    }
    asked
  }

  private val flushes = Seq[(String, Int, Int, Int, MemoryTiming, Next)](
    ("words of one line", 4, 2, 8, SteadyMemory(20), (cache, n) => word(cache, 0, 8 * (n % 8))),
    ("lines of one set", 4, 4, 8, new Slow(1, 1, 20, write = 30), (cache, n) => whole(cache, 4 * (n % 4))),
    ("a line at a beat of 32 bytes", 4, 2, 32, SteadyMemory(20), (cache, _) => whole(cache, 0)),
    ("lines that miss", 4, 2, 8, SteadyMemory(20), (cache, n) => whole(cache, n % 256)),
    (
      "lines that miss, slowly acknowledged",
      16,
      4,
      8,
      new Slow(1, 1, 20, write = 40),
      (cache, n) => whole(cache, n % 256)
    ),
    ("reads that miss", 4, 2, 8, new Slow(12, 1, 5), (cache, n) => if (n < 4) whole(cache, n) else read(n * 7 % 256))
  )
  for ((name, sets, ways, beatBytes, timing, next) <- flushes) test(s"a flush ends while a client goes on: $name") {
    simulate(LastLevelBench.cache(sets, ways, 4, beatBytes)) { dut =>
      val cache = new LastLevelBench(this, dut, timing, 3)
      val asked = goOn(cache, 600, 0, next)(until = false)
      cache.tick(flush = true)
      goOn(cache, 2000, asked, next)(until = !dut.io.flushing.peekBoolean())
      assert(!dut.io.flushing.peekBoolean(), "a flush does not end")
      cache.drain()
      cache.flush()
      cache.checkMemory()
    }
  }

  private val fair = Seq[(String, Int, Int, MemoryTiming, Next)](
    ("memory takes few requests", 8, 4, new Slow(12, 1, 5), (_, n) => read(n * 7 % 256)),
    ("the client takes few answers", 8, 4, new Slow(1, 3, 2), (_, n) => read(n * 7 % 256)),
    ("16 misses", 8, 16, new Slow(1, 2, 2), (_, n) => read(n * 7 % 256)),
    (
      "a hit among acknowledgements and misses",
      64,
      4,
      new Slow(1, 2, 2),
      (cache, n) => if (n % 100 == 0) read(0) else if (n % 2 == 0) word(cache, 0, 8) else read(1 + n * 7 % 255)
    )
  )
  for ((name, sets, mshrs, timing, next) <- fair) test(s"every request is answered before long: $name") {
    simulate(LastLevelBench.cache(sets, 2, mshrs)) { dut =>
      val cache = new LastLevelBench(this, dut, timing, 3)
      goOn(cache, 4000, 0, next)(until = false)
      cache.drain()
      val longest = cache.client.answers.values.map(answer => answer.beats.head - answer.asked).max
      assert(longest < 1000, "a request starves")
    }
  }
}
