package hauberk.fault

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The health tests of an entropy source: limits, good sources, and broken ones. */
class EntropyHealthSpec extends AnyFunSuite with Simulation {
  private val seed = 90
  private val limits = EntropyLimits()
  private val windowWords = EntropyHealth.window / EntropyHealth.wordBits
  private val ones = (BigInt(1) << 64) - 1

  /** Words that come out of a source, cut off when it fails. */
  private def run(dut: EntropyHealth, source: Seq[BigInt]): (Seq[BigInt], Boolean) = {
    resetDesign(dut)
    dut.io.tested.ready.poke(true)
    val out = Seq.newBuilder[BigInt]
    for (word <- source if !dut.io.failed.peekBoolean()) {
      dut.io.source.bits.poke(word)
      dut.io.source.valid.poke(true)
      stepUntil(dut.io.source.ready, 10)
      step()
      dut.io.source.valid.poke(false)
      for (_ <- 0 to 64) {
        if (dut.io.tested.valid.peekBoolean()) out += dut.io.tested.bits.peek()
        step()
      }
    }
    for (_ <- 0 until 200) {
      if (dut.io.failed.peekBoolean()) dut.io.tested.valid.expect(false)
      step()
    }
    (out.result(), dut.io.failed.peekBoolean())
  }
  private def words(bits: Seq[Boolean]): Seq[BigInt] =
    bits.grouped(64).map(_.foldLeft(BigInt(0))((word, bit) => (word << 1) | (if (bit) 1 else 0))).toSeq

  /** Of a full window: words that pass on are those behind it, but the first of each window. */
  private def passedOn(source: Seq[BigInt]): Seq[BigInt] =
    source.zipWithIndex.collect { case (word, i) if i >= windowWords && i % windowWords != 0 => word }

  test("limits are those of SP 800-90B") {
    assert(EntropyLimits(1, 20).repetitions == 21 && EntropyLimits(0.75, 30).repetitions == 41)
    // CRITBINOM, exactly: of a fair coin in integers
    val outcomes = (1 to 1024).scanLeft(BigInt(1))((c, i) => c * (1025 - i) / i)
    for (exponent <- Seq(20, 40)) {
      val critical = (0 to 1024).find(k => (outcomes.drop(k + 1).sum << exponent) <= (BigInt(1) << 1024)).get
      assert(EntropyLimits(1, exponent).proportion == 1 + critical)
    }
    assert(limits.repetitions == 55 && limits.proportion > EntropyLimits(1).proportion)
  }

  test("a claim that makes equal words likely is refused") {
    assertThrows[IllegalArgumentException](EntropyLimits(0.6))
    assertThrows[IllegalArgumentException](EntropyLimits(1.1))
  }

  test("good words pass in their order after the start-up test") {
    simulate(new EntropyHealth(limits)) { dut =>
      val random = new Random(seed)
      val source = Seq.fill(5 * windowWords)(BigInt(64, random))
      assert(run(dut, source) == ((passedOn(source), false)))
    }
  }

  test("a source that is stuck from the start yields no word, one that sticks later none after it") {
    simulate(new EntropyHealth(limits)) { dut =>
      val random = new Random(seed)
      for (stuck <- Seq(BigInt(0), ones, BigInt("5555555555555555", 16), BigInt(64, random))) {
        assert(run(dut, Seq.fill(40)(stuck)) == ((Nil, true)), stuck.toString(16))
        val good = Seq.fill(windowWords + 5)(BigInt(64, random))
        val (out, failed) = run(dut, good ++ Seq.fill(5)(stuck))
        // The first of the equal words is no repetition yet, unless its bits are
        assert(failed && out.diff(passedOn(good)).size <= 1 && out.count(_ == stuck) <= 1, stuck.toString(16))
      }
      for (period <- 2 until windowWords) {
        val cycle = Seq.fill(period)(BigInt(64, random))
        assert(run(dut, Seq.fill(40)(cycle).flatten.take(40)) == ((Nil, true)), s"period $period")
      }
    }
  }

  test("runs of equal bits, one below the limit and at it, anywhere in words") {
    simulate(new EntropyHealth(limits)) { dut =>
      val random = new Random(seed)
      for {
        start <- Seq(64, 100, 127)
        bit <- Seq(false, true)
        (length, fails) <- Seq(limits.repetitions - 1 -> false, limits.repetitions -> true)
      } {
        val noise = Array.fill(2 * EntropyHealth.window)(random.nextBoolean())
        for (i <- start until start + length) noise(i) = bit
        noise(start - 1) = !bit
        noise(start + length) = !bit
        assert(run(dut, words(noise.toSeq))._2 == fails, s"$length bits of $bit from $start")
      }
    }
  }

  test("bits of a window equal to its first, one below the limit and at it") {
    simulate(new EntropyHealth(limits)) { dut =>
      val random = new Random(seed)
      for {
        bit <- Seq(false, true)
        window <- 0 to 1
        (equal, fails) <- Seq(limits.proportion - 1 -> false, limits.proportion -> true)
      } {
        // Evenly spread, so that neither runs nor equal words fail
        val size = EntropyHealth.window
        val others = random.shuffle((1 until size by 2).toList ++ (2 until size by 4)).take(size - equal).toSet
        val biased = (0 until size).map(i => bit ^ others(i))
        // The next window begins with the same bit, and does not count for this one
        val good = bit +: Seq.fill(size - 1)(random.nextBoolean())
        val (_, failed) = run(dut, words(if (window == 0) biased ++ good else good ++ biased))
        assert(failed == fails, s"$equal bits of $bit in window $window")
      }
    }
  }

  /** What is to come of words, cycle by cycle. */
  private class Model {
    private var taken = Vector.empty[BigInt]
    private var (run, count, sample) = (0, 0, false)
    private var last = Option.empty[Boolean]

    /** Cycles since a word came, if there is one. */
    private var since = Option.empty[Int]
    var failed = false
    def previous: Option[BigInt] = taken.lastOption
    def first: Option[BigInt] = taken.lift(taken.size / windowWords * windowWords)
    def isReady: Boolean = since.isEmpty && !failed
    private def isFirst = taken.size % windowWords == 1
    private def isDropped = isFirst || taken.size <= windowWords
    def tested: Option[BigInt] = if (since.exists(_ >= 64) && !isDropped && !failed) previous else None

    def cycle(offered: Option[BigInt], takes: Boolean): Unit = since match {
      case None => if (!failed) for (word <- offered) {
          failed = previous.contains(word) || first.contains(word)
          taken :+= word
          since = Some(0)
        }
      case Some(bits) if bits < 64 =>
        val bit = taken.last.testBit(63 - bits)
        run = if (last.contains(bit)) run + 1 else 1
        last = Some(bit)
        if (isFirst && bits == 0) {
          sample = bit
          count = 1
        } else if (bit == sample) count += 1
        failed ||= run >= limits.repetitions || count >= limits.proportion
        since = Some(bits + 1)
      case _ => if (isDropped || takes) since = None
    }
  }

  test(
    "words that come, wait and go in any cycle, and differ from others in any one bit; a failure lasts until reset"
  ) {
    simulate(new EntropyHealth(limits)) { dut =>
      val random = new Random(seed)
      var near = 0
      for (session <- 0 until 10) {
        resetDesign(dut)
        val model = new Model
        // Every second session ends with a failure, the others by a reset in any cycle
        val fails = session % 2 == 0
        val cycles = 3000 + random.nextInt(500)
        for (cycle <- 0 until cycles + 300) {
          val others = (model.previous ++ model.first).toSeq
          val offered =
            if (model.isReady && random.nextInt(4) > 0 && others.nonEmpty) {
              near += 1
              val like = others(near / 64 % others.size)
              if (fails && cycle > cycles) like else like.flipBit(near % 64)
            } else BigInt(64, random)
          val (comes, takes) = (random.nextInt(3) > 0, random.nextInt(3) == 0)
          dut.io.source.bits.poke(offered)
          dut.io.source.valid.poke(comes)
          dut.io.tested.ready.poke(takes)
          dut.io.source.ready.expect(model.isReady)
          dut.io.failed.expect(model.failed)
          dut.io.tested.valid.expect(model.tested.nonEmpty)
          model.tested.foreach(dut.io.tested.bits.expect(_))
          step()
          model.cycle(if (comes) Some(offered) else None, takes)
        }
        assert(model.failed == fails)
      }
      assert(near > 256)
    }
  }
}
