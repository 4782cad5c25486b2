package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.tree.LineMacGuard
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The guard of counter lines and nodes alone; the level above and the cipher are the test's. */
class LineMacGuardSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.bonsaiTree, Bank(localBytes = 1 << 18))
  private val random = new Random(56)
  private val hashKey = BigInt(64, random)
  private val macs = new LineMacs(hashKey)
  private val (misses, above, line) = (2, 3, 9)
  private val seal = misses
  private val payload = BigInt(448, random)
  private def genuine(counter: BigInt): BigInt = macs.genuine(1, line, counter, payload)

  /** @param pending verdicts above that are due */
  private class Bench(dut: LineMacGuard) {
    var pending = 0
    var failedAbove = false
    private val answers = mutable.Queue[(Int, BigInt, BigInt)]()
    private var cycle = 0
    var looked = Seq.empty[(Int, Boolean)]

    /** Of this cycle. */
    var released, sealedLine = Option.empty[BigInt]
    var settled = Option.empty[Boolean]
    def tick(): Unit = {
      dut.io.counters.pending.poke(pending)
      dut.io.counters.failed.poke(failedAbove)
      val due = answers.headOption.exists(_._1 <= cycle)
      dut.io.cipher.answer.valid.poke(due)
      if (due) {
        val (_, tag, pad) = answers.dequeue()
        dut.io.cipher.answer.bits.tag.poke(tag)
        dut.io.cipher.answer.bits.block.poke((pad << 64) | BigInt(64, random))
      }
      val cache = dut.io.cache
      released = if (cache.released.valid.peekBoolean()) Some(cache.released.bits.data.peek()) else None
      settled = if (cache.settled.valid.peekBoolean()) Some(cache.settled.bits.ok.peekBoolean()) else None
      sealedLine = if (cache.sealedLine.valid.peekBoolean()) Some(cache.sealedLine.bits.peek()) else None
      if (dut.io.counters.lookup.valid.peekBoolean()) {
        dut.io.counters.lookup.line.expect(line)
        looked :+= ((dut.io.counters.lookup.entry.peek().toInt, dut.io.counters.lookup.write.peekBoolean()))
      }
      if (dut.io.cipher.request.valid.peekBoolean())
        answers += ((
          cycle + 4,
          dut.io.cipher.request.bits.tag.peek(),
          macs.pad(dut.io.cipher.request.bits.block.peek())
        ))
      step()
      cycle += 1
      for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid, dut.io.counters.result.valid))
        valid.poke(false)
    }
    def counter(entry: Int, counter: BigInt, denied: Boolean = false): Unit = {
      dut.io.counters.result.valid.poke(true)
      dut.io.counters.result.bits.entry.poke(entry)
      dut.io.counters.result.bits.counter.poke(counter)
      dut.io.counters.result.bits.denied.poke(denied)
      tick()
    }
    def open(miss: Int): Unit = {
      dut.io.cache.opened.valid.poke(true)
      dut.io.cache.opened.bits.miss.poke(miss)
      dut.io.cache.opened.bits.line.poke(line)
      tick()
    }
    def fetch(miss: Int, data: BigInt): Unit = {
      dut.io.cache.fetched.valid.poke(true)
      dut.io.cache.fetched.bits.miss.poke(miss)
      dut.io.cache.fetched.bits.line.poke(line)
      dut.io.cache.fetched.bits.data.poke(data)
      tick()
    }
    def leave(): Unit = {
      dut.io.cache.seal.valid.poke(true)
      dut.io.cache.seal.bits.line.poke(line)
      dut.io.cache.seal.bits.data.poke((BigInt(64, random) << 448) | payload)
      assert(dut.io.cache.seal.ready.peekBoolean())
      tick()
    }

    /** Cycles until the first that is there. */
    def await[T](limit: Int = 30)(what: => Option[T]): Option[T] =
      Iterator.continually { tick(); what }.take(limit).collectFirst { case Some(found) => found }

    /** Fetches a line; what is released, and the verdict. */
    def verify(data: BigInt, counter: BigInt, denied: Boolean = false, miss: Int = 0): (BigInt, Boolean) = {
      looked = Nil
      open(miss)
      tick()
      assert(looked == Seq((miss, false)))
      this.counter(miss, counter, denied)
      fetch(miss, data)
      val bytes = await()(released).get
      val ok = settled.orElse(await()(settled)).get
      (bytes, ok)
    }
  }

  private def guard(body: (LineMacGuard, () => Bench) => Unit): Unit =
    simulate(new LineMacGuard(p, level = 1, misses, lineBits = 5, above)) { dut =>
      def begin(): Bench = {
        val cache = dut.io.cache
        for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid, dut.io.counters.result.valid))
          valid.poke(false)
        dut.io.hashKey.poke(hashKey)
        dut.io.cipher.request.ready.poke(true)
        dut.io.cipher.answer.valid.poke(false)
        dut.io.counters.lookup.answer.accepted.poke(true)
        dut.io.counters.failed.poke(false)
        resetDesign(dut)
        new Bench(dut)
      }
      body(dut, () => begin())
    }

  // covers: memory.counter-tree
  test("every bit of a MAC is compared, and only the counter 0 means that a line was never written back") {
    guard { (_, begin) =>
      val bench = begin()
      assert(bench.verify(BigInt(512, random), counter = 0) == ((BigInt(0), true)))
      for {
        bit <- 0 until 56
        miss <- 0 until misses
      } {
        val counter = BigInt(1) << bit
        assert(bench.verify(genuine(counter), counter, miss = miss) == ((genuine(counter), true)), s"counter bit $bit")
      }
      for (bit <- 0 until 64) {
        val changed = genuine(3).flipBit(448 + bit)
        assert(begin().verify(changed, counter = 3) == ((changed, false)), s"bit $bit of the MAC")
      }
      // What only a line that was never written back may be
      for (bit <- 0 until 56) assert(begin().verify(0, counter = BigInt(1) << bit) == ((BigInt(0), false)))
    }
  }

  // covers: memory.verified-counters
  test(
    "a verdict, and a line that leaves, wait for every verdict above that was due with the counter, and for no later one"
  ) {
    guard { (dut, begin) =>
      for (bit <- 0 until above) withClue(s"verdict $bit: ") {
        val bench = begin()
        bench.open(0)
        bench.pending = 7
        bench.counter(0, 3)
        bench.fetch(0, genuine(3))
        bench.pending = 1 << bit
        assert(bench.await()(bench.settled).isEmpty, "a verdict comes early")
        assert(dut.io.pending.peek() == 1)
        bench.pending = 7 - (1 << bit)
        assert(bench.await(3)(bench.settled).contains(true))
        dut.io.pending.expect(0)

        bench.leave()
        bench.tick()
        assert(bench.looked.last == ((seal, true)))
        bench.pending = 7
        bench.counter(seal, 4)
        bench.pending = 1 << bit
        assert(bench.await()(bench.sealedLine).isEmpty, "a line leaves early")
        bench.pending = 7 - (1 << bit)
        assert(bench.await(3)(bench.sealedLine).contains(genuine(4)))
      }
    }
  }

  // covers: memory.counter-tree
  test(
    "after a line was found false, here or above, or a counter was denied, nothing is released, verified or sealed"
  ) {
    val breaks = Seq[(String, Bench => Unit)](
      "a false line" -> { bench => bench.verify(genuine(3).flipBit(5), counter = 3) },
      "a failure above" -> { bench => bench.failedAbove = true; bench.tick() },
      "a failure above that is over" -> { bench =>
        bench.failedAbove = true
        bench.tick()
        bench.failedAbove = false
      },
      "a denial" -> { bench => assert(bench.verify(genuine(3), counter = 3, denied = true) == ((BigInt(0), false))) }
    )
    guard { (dut, begin) =>
      for ((name, breaks) <- breaks) withClue(s"$name: ") {
        val bench = begin()
        dut.io.failed.expect(false)
        breaks(bench)
        dut.io.failed.expect(true)
        for (miss <- 0 until misses) assert(bench.verify(genuine(3), counter = 3, miss = miss) == ((BigInt(0), false)))
        assert(!bench.verify(0, counter = 0)._2)
        bench.leave()
        bench.counter(seal, 4)
        assert(bench.await()(bench.sealedLine).contains(0), "a line is sealed")
      }
      // A seal alone that gets no counter
      val bench = begin()
      bench.leave()
      bench.counter(seal, 4, denied = true)
      assert(bench.await()(bench.sealedLine).contains(0))
    }
  }
}
