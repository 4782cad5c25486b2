package hauberk.memory

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** What an adversary who owns memory does to counter lines and nodes, one thing at a time, and what comes of it. */
class CounterTreeSecuritySpec extends AnyFunSuite with Simulation {
  import CounterTreeSecuritySpec._

  /** Prepares memory, lets `attack` loose on it and asks for the victim's counter: nothing may come of it but the alarm `cause`, at the line
    * it returns.
    */
  private def attacks(p: Protection, write: Boolean, all: Seq[Attack]): Unit =
    simulate(new SplitCounterHarness(p)) { dut =>
      val wrong = mutable.Buffer.empty[String]
      for (attack <- all) {
        resetDesign(dut)
        val scene = new Scene(new SplitCounterBench(this, dut, SteadyMemory(4), new Random(seed)))
        scene.prepare()
        val (level, line) = attack.action(scene)
        val outcome = scene.strike(write)
        val address = BigInt(scene.bench.tree.block(level, line)) * 64
        if (outcome != ((Some((attack.cause, address)), true)))
          wrong += s"${attack.name}: alarm and denial $outcome, expected an alarm at line $line of level $level"
        scene.sealsNothing()
      }
      assert(wrong.isEmpty, wrong.mkString("\n", "\n", "\n"))
      info(s"${all.size} attacks, each found where it was made")
    }

  test("blocking: no false alarm without an attack") {
    simulate(new SplitCounterHarness(blocking)) { dut =>
      val scene = new Scene(new SplitCounterBench(this, dut, SteadyMemory(4), new Random(seed)))
      scene.prepare()
      for ((page, writes) <- scene.written) {
        val a = scene.bench.run(64 * page, write = false)
        assert(a.counter.contains(BigInt(writes)))
      }
      scene.bench.flush()
      scene.bench.verifyMemory()
      assert(scene.bench.alarms.isEmpty)
    }
  }
  test("blocking: every field of every level, replays, swaps, erasures") {
    attacks(blocking, write = false, everyField ++ movesAndReplays)
  }
  test("speculative: writes never get a counter from a line that was changed, replayed or moved") {
    attacks(speculative, write = true, movesAndReplays ++ everyField.filter(_.name.contains("word 0")))
  }
}

object CounterTreeSecuritySpec {
  val seed = 11

  /** Two levels of nodes, the upper of four lines, and caches that a few look-ups empty. */
  private def point(verification: Verification): Protection = {
    val small = SplitCountersSpec.small(verification)
    small.copy(stripe = small.stripe.copy(localBytes = 1 << 20))
  }
  val blocking: Protection = point(Verification.Blocking)
  val speculative: Protection = point(Verification.Speculative)

  case class Attack(name: String, cause: Int)(val action: Scene => (Int, Int))
  private def mismatch(name: String)(action: Scene => (Int, Int)): Attack =
    Attack(name, AlarmCause.metadataMismatch)(action)

  /** Memory in which the lines above page 0 (the victim) and above page 64 have been written back equally often, and none is cached. */
  class Scene(val bench: SplitCounterBench) {
    val victim, other = 0
    val written: mutable.Map[Int, Int] = mutable.Map.empty

    /** What stood in memory before each line was last written. */
    val old: mutable.Map[(Int, Int), Seq[BigInt]] = mutable.Map.empty
    private def write(page: Int): Unit = {
      bench.run(64 * page, write = true)
      written(page) = written.getOrElse(page, 0) + 1
    }
    def path(page: Int): Seq[(Int, Int)] = bench.tree.levels.indices.map(level => (level, page >> (3 * level)))
    def prepare(): Unit = {
      bench.fillWithNoise()
      bench.start()
      for (round <- 1 to 2) {
        write(0)
        write(64)
        bench.flush()
        if (round == 1) for (page <- Seq(0, 64); (level, line) <- path(page)) old((level, line)) = bench.words(level, line)
      }
      // Two lines of the topmost level, so that those above the victim leave its cache, and with them everything below
      for (page <- Seq(128, 192, 130, 194)) bench.run(64 * page, write = false)
    }

    /** Ask for the victim's counter. The first alarm, and whether the answer, or with speculation a later one, is denied. */
    def strike(write: Boolean): (Option[(Int, BigInt)], Boolean) = {
      bench.mayDeny = true
      val first = bench.run(0, write)
      for (_ <- 0 until 200) bench.tick()
      val later = Seq(bench.run(64, write = false), bench.run(1, write = true))
      (bench.alarms.headOption, first.denied && later.forall(_.denied))
    }

    /** Whatever leaves after an alarm carries no MAC that is worth anything. */
    def sealsNothing(): Unit = {
      val before = bench.tree.written.toMap
      bench.flush()
      for ((block, count) <- bench.tree.written.toMap if before.getOrElse(block, BigInt(0)) != count) {
        val (level, line) = bench.tree.place(block).get
        val words = bench.words(level, line)
        for (counter <- 0 to count.toInt + 1)
          assert(bench.tree.mac(level, line, counter, words) != words(7), s"line $line of level $level is sealed")
      }
    }
  }

  private val levels = 0 until 3
  val everyField: Seq[Attack] = for (level <- levels; word <- 0 until 8)
    yield mismatch(s"a bit of word $word of level $level") { scene =>
      val words = scene.bench.words(level, 0)
      val bit = (level * 23 + word * 7) % 64
      scene.bench.setWords(level, 0, words.updated(word, words(word).flipBit(bit)))
      (level, 0)
    }
  private def replace(name: String, level: Int)(by: Scene => Seq[BigInt]): Attack = mismatch(s"$name, level $level") {
    scene =>
      scene.bench.setWords(level, 0, by(scene))
      (level, 0)
  }
  val movesAndReplays: Seq[Attack] = levels.flatMap { level =>
    Seq(
      replace("the line before the last", level)(_.old((level, 0))),
      replace("another line of the level, as often written", level)(s => s.bench.words(level, 64 >> (3 * level))),
      replace("the line of another level, as often written", level)(s => s.bench.words((level + 1) % 3, 0)),
      replace("zeros", level)(_ => Seq.fill(8)(BigInt(0))),
      replace("the MAC of the line before the last", level)(s => s.bench.words(level, 0).init :+ s.old((level, 0)).last)
    )
  } :+ mismatch("all of memory as it was") { scene =>
    for (((level, line), words) <- scene.old) scene.bench.setWords(level, line, words)
    (2, 0)
  }
}
