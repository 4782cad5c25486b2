package hauberk.memory

import chisel3._
import chisel3.util.Valid
import hauberk.fault.{Secded, Unchecked, WordCode}
import hauberk.memory.tree.RootTable
import hauberk.testing.{FaultInjector, FaultSite, Flip, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A root whose counters a test can set, bit by bit. */
private class SettableRootTable(entries: Int, code: WordCode) extends Module {
  private val root = Module(new RootTable(entries, 3, 4, code))
  val io = IO(chiselTypeOf(root.io))
  io <> root.io
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(Seq(FaultSite.memory("root.table", entries, code.width(56)))) := flip
}

/** The root of a counter tree alone: the end of its counters, and nothing but denials after that or after a wrong counter. */
class RootTableSpec extends AnyFunSuite with Simulation {
  private val entries = 8
  private val largest = (BigInt(1) << 56) - 1

  /** Drives look-ups, and expects all outputs in each cycle. */
  private class Bench(dut: SettableRootTable) {
    import dut.io
    private val counters = Array.fill(entries)(BigInt(0))
    private var owed = Option.empty[(Int, BigInt)]
    private var cleared = 0
    private var broken, breaks, isFault = false
    private var wrong = Set.empty[Int]
    resetDesign(dut)
    private def flip(row: Int, bit: Int): Unit =
      FaultInjector.flip(RootTableSpec.this, dut.flip, 0, row, bit)(io.busy.peek())

    /** The stored counter is this one from now on. */
    def set(row: Int, value: BigInt): Unit = {
      for (bit <- 0 until 56 if (counters(row) ^ value).testBit(bit)) flip(row, bit)
      counters(row) = value
    }

    /** Two bits of it are wrong from now on. */
    def spoil(row: Int): Unit = {
      flip(row, 3)
      flip(row, 50)
      wrong += row
    }
    def isCleared: Boolean = cleared == entries
    def isOwed: Boolean = owed.nonEmpty
    def isBroken: Boolean = broken

    /** A cycle, in which this line may be asked for. */
    def cycle(asked: Option[(Int, Boolean)], entry: Int): Unit = {
      val lookup = io.children.lookup
      lookup.valid.poke(asked.nonEmpty)
      lookup.line.poke(asked.fold(0)(_._1))
      lookup.write.poke(asked.exists(_._2))
      lookup.entry.poke(entry)
      val takes = asked.nonEmpty && isCleared && !isOwed
      lookup.answer.accepted.expect(takes)
      lookup.answer.blocked.expect(false)
      val result = io.children.result
      result.valid.expect(isOwed)
      for ((tag, counter) <- owed) {
        result.bits.entry.expect(tag)
        result.bits.denied.expect(broken || breaks)
        if (!broken && !breaks) result.bits.counter.expect(counter)
      }
      io.overflow.expect(breaks && !broken && !isFault)
      io.faulty.expect(breaks && !broken && isFault)
      io.children.failed.expect(broken)
      io.children.retry.expect(false)
      io.children.pending.expect(0)
      io.busy.expect(isOwed || !isCleared)
      step()
      broken ||= breaks
      breaks = false
      if (!isCleared) cleared += 1
      owed = None
      for ((line, writes) <- asked if takes) {
        isFault = wrong(line)
        breaks = isFault || (writes && counters(line) == largest)
        if (writes && !breaks && !broken) counters(line) += 1
        owed = Some((entry, counters(line)))
      }
    }

    /** A look-up, and its result. */
    def look(line: Int, writes: Boolean): Unit = {
      cycle(Some((line, writes)), entry = 2 * line % 16)
      cycle(None, entry = 15)
    }
    def ready(): Unit = while (!isCleared) cycle(None, 0)
  }

  // covers: memory.counter-tree
  test("only a write of the largest counter ends the counters, and every look-up is denied from then on") {
    simulate(new SettableRootTable(entries, Unchecked)) { dut =>
      val bench = new Bench(dut)
      bench.ready()
      for (bit <- 0 until 56) {
        bench.set(bit % entries, largest.clearBit(bit))
        bench.look(bit % entries, writes = true)
        bench.look(bit % entries, writes = false)
      }
      for (row <- 0 until entries) withClue(s"entry $row: ") {
        val bench = new Bench(dut)
        bench.ready()
        bench.set(row, largest)
        bench.look(row, writes = false)
        assert(!bench.isBroken)
        bench.look((row + 1) % entries, writes = true)
        bench.look(row, writes = true)
        assert(bench.isBroken)
        // The end is told once
        for {
          _ <- 0 until 3
          line <- 0 until entries
          writes <- Seq(false, true)
        } bench.look(line, writes)
      }
    }
  }

  test("a wrong counter is told when it is looked up, and once; every look-up is denied from then on") {
    simulate(new SettableRootTable(entries, Secded())) { dut =>
      for {
        row <- 0 until entries
        writes <- Seq(false, true)
      } withClue(s"entry $row: ") {
        val bench = new Bench(dut)
        bench.ready()
        bench.spoil(row)
        for (_ <- 0 until 3) bench.cycle(None, 0)
        for {
          line <- 0 until entries if line != row
          again <- Seq(writes, false)
        } bench.look(line, again)
        assert(!bench.isBroken)
        bench.look(row, writes)
        assert(bench.isBroken)
        for (line <- 0 until entries) bench.look(line, !writes)
        bench.look(row, writes)
      }
    }
  }

  test("random look-ups agree with the model from each reset on, also where the counters end") {
    simulate(new SettableRootTable(entries, Unchecked)) { dut =>
      val random = new Random(66)
      var broken = 0
      for (_ <- 0 until 12) {
        val bench = new Bench(dut)
        for (cycle <- 0 until 150) {
          // Between look-ups, a counter is set just below the end
          if (bench.isCleared && !bench.isOwed && random.nextInt(40) == 0)
            bench.set(random.nextInt(entries), largest - random.nextInt(3))
          val asked = if (random.nextInt(3) == 0) None else Some((random.nextInt(entries), random.nextBoolean()))
          bench.cycle(asked, random.nextInt(16))
        }
        if (bench.isBroken) broken += 1
      }
      assert(broken > 2 && broken < 12, s"the counters ended $broken times")
    }
  }
}
