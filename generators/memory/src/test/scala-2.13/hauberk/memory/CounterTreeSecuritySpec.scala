package hauberk.memory

import hauberk.memory.common.AlarmCause
import hauberk.memory.integrity.Verification
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** What an adversary who owns memory does to counter lines and nodes, one thing at a time, and what comes of it. */
class CounterTreeSecuritySpec extends AnyFunSuite with Simulation {
  import CounterTreeSecuritySpec._

  /** First a scene without an attack, where nothing may happen. Then each attack on a scene of its own: nothing may come of it but its alarm
    * at the line it returns, and denials.
    */
  private def attacks(name: String, p: Protection, write: Boolean, all: Seq[Attack]): Unit = test(name) {
    simulate(new SplitCounterHarness(p)) { dut =>
      def scene(): Scene = {
        resetDesign(dut)
        val made = new Scene(new SplitCounterBench(this, dut, SteadyMemory(4), new Random(seed)))
        made.prepare()
        made
      }
      val calm = scene()
      for ((page, writes) <- calm.written)
        assert(calm.bench.run(64 * page, write = false).counter.contains(BigInt(writes)))
      calm.bench.flush()
      calm.bench.verifyMemory()
      assert(calm.bench.alarms.isEmpty)

      val wrong = mutable.Buffer.empty[String]
      for (attack <- all) {
        val victim = scene()
        val (level, line) = attack.action(victim)
        val outcome = victim.strike(write)
        val address = if (attack.atLine) BigInt(victim.bench.tree.block(level, line)) * 64 else BigInt(0)
        if (outcome != ((Some((attack.cause, address)), true)))
          wrong += s"${attack.name}: alarm and denial $outcome, expected cause ${attack.cause} at line $line of level $level"
        victim.sealsNothing(level)
      }
      assert(wrong.isEmpty, wrong.mkString("\n", "\n", "\n"))
      info(s"${all.size} attacks, each found where it was made")
    }
  }

  attacks(
    // covers: memory.counter-tree
    "blocking: every field of every level, replays, swaps, erasures, refusals, the end of counters",
    blocking,
    write = false,
    everyField ++ macBits ++ movesAndReplays ++ refusals
  )
  attacks(
    // covers: memory.verified-counters
    "speculative: writes never get a counter from a line that was changed, replayed or moved, nor one after the last",
    speculative,
    write = true,
    movesAndReplays ++ everyField.filter(_.name.contains("word 0")) ++ refusals ++ lastCounters
  )
}

object CounterTreeSecuritySpec {
  val seed = 11

  val blocking: Protection = SplitCountersSpec.small(Verification.Blocking)
  val speculative: Protection = SplitCountersSpec.small(Verification.Speculative)

  /** @param action changes memory, and returns level and number of the line the alarm must be raised at */
  case class Attack(name: String, cause: Int, atLine: Boolean = true)(val action: Scene => (Int, Int))
  private def mismatch(name: String)(action: Scene => (Int, Int)): Attack =
    Attack(name, AlarmCause.metadataMismatch)(action)

  /** Memory in which the lines above page 0 (the victim) and above page 64 have been written back equally often, and none is cached. */
  class Scene(val bench: SplitCounterBench) {
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
        if (round == 1) for {
          page <- Seq(0, 64)
          (level, line) <- path(page)
        } old((level, line)) = bench.words(level, line)
      }
      // Two lines of the topmost level, so that those above the victim leave its cache, and with them everything below
      for (page <- Seq(128, 192, 130, 194)) bench.run(64 * page, write = false)
    }

    /** Put a line into memory as the holder of the key could. */
    def forge(level: Int, line: Int, counter: BigInt, words: Seq[BigInt]): Unit =
      bench.setWords(level, line, words.updated(7, bench.tree.mac(level, line, counter, words)))

    /** Ask for the victim's counter. The first alarm, and whether the answer, or with speculation a later one, is denied. */
    def strike(write: Boolean): (Option[(Int, BigInt)], Boolean) = {
      bench.mayDeny = true
      val first = bench.run(0, write)
      for (_ <- 0 until 200) bench.tick()
      val later = Seq(bench.run(64, write = false), bench.run(1, write = true))
      (bench.alarms.headOption, first.denied && later.forall(_.denied))
    }

    /** What leaves after an alarm at a level, of that level or below, carries no MAC that is worth anything. */
    def sealsNothing(broken: Int): Unit = {
      val before = bench.tree.written.toMap
      bench.flush()
      for ((block, count) <- bench.tree.written.toMap if before.getOrElse(block, BigInt(0)) != count) {
        val (level, line) = bench.tree.place(block).get
        val words = bench.words(level, line)
        for (counter <- 0 to count.toInt + 1 if level <= broken)
          assert(bench.tree.mac(level, line, counter, words) != words(7), s"line $line of level $level is sealed")
      }
    }
  }

  private val levels = 0 until 3
  private def flip(name: String, level: Int, word: Int, bit: Int): Attack = mismatch(name) { scene =>
    val words = scene.bench.words(level, 0)
    scene.bench.setWords(level, 0, words.updated(word, words(word).flipBit(bit)))
    (level, 0)
  }
  val everyField: Seq[Attack] = for {
    level <- levels
    word <- 0 until 8
  } yield flip(s"a bit of word $word of level $level", level, word, (level * 23 + word * 7) % 64)

  /** Flips each bit of the MAC, so that a comparison of fewer bits fails. */
  val macBits: Seq[Attack] = for (bit <- 0 until 64) yield flip(s"bit $bit of the MAC of level 0", 0, 7, bit)
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

  /** Memory refuses a beat of a line; the alarm names the array. */
  val refusals: Seq[Attack] = for {
    level <- levels
    beat <- Seq(0, 7)
  } yield Attack(s"beat $beat of level $level is refused", AlarmCause.metadataError) { scene =>
    scene.bench.memory.broken += ((scene.bench.tree.block(level, 0), beat))
    (level, 0)
  }

  /** Lines that are genuine, as far as the key goes, at the largest counter of each level but the root. */
  val lastCounters: Seq[Attack] = Seq(
    Attack("the last major counter, of block 0", AlarmCause.counterOverflow, atLine = false) { scene =>
      val last = LineWords.split((BigInt(1) << 448) - 1).updated(0, (BigInt(1) << 58) - 1)
      scene.forge(0, 0, 2, last)
      (0, 0)
    },
    Attack("the last counter of a node", AlarmCause.counterOverflow) { scene =>
      val last = (BigInt(1) << 56) - 1
      scene.forge(0, 0, last, scene.bench.words(0, 0))
      scene.forge(1, 0, 2, LineWords.split(last))
      scene.bench.run(0, write = true)
      scene.bench.flush()
      (1, 0)
    }
  )
}
