package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.fault.{DetectFaults, FaultChecks, NoFaultChecks}
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.testing.{FaultInjector, FaultSite, Flip, Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A line cache whose memories' bits can be flipped. */
private class FaultyLineCache(p: Protection, c: MetadataCacheParams, lineBits: Int)
    extends LineCacheHarness(p, c, lineBits, LineCacheHarness.unguarded) {
  private val tagBits = lineBits - log2Ceil(c.sets)
  private def perSet(name: String, bits: Int) = FaultSite.memory(s"cache.$name", c.sets, c.ways * bits)
  val data: FaultSite = FaultSite.memory("cache.data", c.lines, p.faults.words.width(512))
  val others: Seq[FaultSite] = Seq(
    perSet("tags", p.faults.tags.width(tagBits)),
    perSet("fills", p.faults.tags.width(2)),
    perSet("evictions", p.faults.tags.width(2))
  )
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(data +: others) := flip
}

/** Flips each bit of a full line cache's data, one after the other, once `sweep` is set. After each flip it exchanges, in all lines 0 to `c.lines` - 1, the
  * word that the bit is of, or whose check bit it is, and compares what was there. Until then the bench has the look-ups.
  */
private class FlipSweep(p: Protection, c: MetadataCacheParams, lineBits: Int) extends Module {
  private val harness = Module(new LineCacheHarness(p, c, lineBits, LineCacheHarness.unguarded))
  val io = IO(chiselTypeOf(harness.io))
  io <> harness.io
  val sweep = IO(Input(Bool()))
  val flips, wrong, faulty = IO(Output(UInt(32.W)))
  val finished = IO(Output(Bool()))
  private val bits = p.faults.words.width(512)
  private val row = RegInit(0.U(16.W))
  private val bit = RegInit(0.U(16.W))
  private val step = RegInit(0.U(16.W)) // 0: flip; 1 to c.lines: exchange; then one for the last answer
  private val priming = RegInit(true.B) // the first rounds write all words
  private val round = RegInit(1.U(32.W))
  private val written = Reg(Vec(8, UInt(32.W))) // the round in which a word was written
  private val answered = RegInit(0.U(32.W))
  private val (counted, errors, alarms) = (RegInit(0.U(32.W)), RegInit(0.U(32.W)), RegInit(0.U(32.W)))
  private val word = (if (bits > 512) Mux(bit < 512.U, bit(8, 6), (bit - 512.U)(5, 3)) else bit(8, 6))
  private def value(line: UInt, round: UInt): UInt = (Cat(round, line(15, 0)) * BigInt("9e3779b97f4a7c15", 16).U)(63, 0)
  private val line = step - 1.U
  private val last = step === (c.lines + 1).U
  private val looks = sweep && !finished && step =/= 0.U && !last
  finished := row === c.lines.U
  when(sweep) {
    harness.io.valid := looks
    harness.io.line := line
    harness.io.payload.write := true.B
    harness.io.payload.word := word
    harness.io.payload.value := value(line, round)
  }
  private val flip = FaultInjector(Seq(FaultSite.memory("harness.cache.data", c.lines, bits)))
  flip.valid := sweep && !finished && step === 0.U && !priming
  flip.bits.site := 0.U
  flip.bits.row := row
  flip.bits.bit := bit
  when(sweep && !finished) {
    step := Mux(last, 0.U, step + 1.U)
    when(flip.valid) { counted := counted + 1.U }
    when(looks) { assert(harness.io.hit, "a line is not in the cache") }
    when(step >= 2.U && !priming && harness.io.old =/= value(step - 2.U, written(word))) { errors := errors + 1.U }
    when(harness.io.faulty) { alarms := alarms + 1.U }
    when(last) {
      written(word) := round
      round := round + 1.U
      val bitsOfRound = Mux(priming, 64.U, 1.U)
      val isLast = Mux(priming, bit === 448.U, bit === (bits - 1).U)
      bit := Mux(isLast, 0.U, bit + bitsOfRound)
      when(isLast) {
        priming := false.B
        when(!priming) { row := row + 1.U }
      }
    }
  }
  flips := counted
  wrong := errors
  faulty := alarms
}

/** Flips in the memories of a full line cache: in its data they are corrected where they are read, elsewhere the cache tells of them. */
class LineCacheFaultSpec extends AnyFunSuite with Simulation {
  private val seed = 63
  private val c = MetadataCacheParams(lines = 8, ways = 4)
  private val lineBits = 7
  private def protection(faults: FaultChecks) =
    Protection(ProtectionParams(faults = faults), Bank(localBytes = 1 << 16))

  /** Drives the cache, and knows what every line must hold. */
  private class Bench(dut: FaultyLineCache) {
    private val random = new Random(seed)
    private def emptyMemory() = new PortMemory(LineCacheFaultSpec.this, dut.io.memory, SteadyMemory(2))
    private var memory = emptyMemory()
    private val baseBlock = (LineCacheHarness.base / 64).toInt
    private val model = scala.collection.mutable.Map.empty[Int, Array[BigInt]]

    /** Fill every place. */
    var lines = Seq.empty[Int]
    var faults, wrong = 0

    /** One cycle, with a look-up: an exchange of a word. The line, word and value that must be answered in the next. */
    private var due: Option[BigInt] = None
    private def tick(look: Option[(Int, Int)], flush: Boolean = false, write: Boolean = true): Unit = {
      val value = BigInt(64, random)
      dut.io.valid.poke(look.nonEmpty)
      for ((line, word) <- look) {
        dut.io.line.poke(line)
        dut.io.payload.write.poke(write)
        dut.io.payload.word.poke(word)
        dut.io.payload.value.poke(value)
      }
      dut.io.flush.poke(flush)
      memory.drive()
      memory.settle()
      val isFaulty = dut.io.faulty.peekBoolean()
      if (isFaulty) faults += 1
      for (old <- due) {
        assert(dut.io.done.peekBoolean())
        if (faults == 0 && dut.io.old.peek() != old) wrong += 1
      }
      assert(!isFaulty || dut.io.refused.peekBoolean())
      due = for ((line, word) <- look if faults == 0 && dut.io.hit.peekBoolean()) yield {
        val old = model(line)(word)
        if (write) model(line)(word) = value
        old
      }
      step()
    }
    def fill(): Unit = {
      resetDesign(dut)
      memory = emptyMemory()
      Seq(dut.io.valid, dut.flip.valid, dut.io.flush).foreach(_.poke(false))
      lines = for {
        set <- 0 until c.sets
        tag <- random.shuffle((0 until (1 << lineBits) / c.sets).toList).take(c.ways)
      } yield tag * c.sets + set
      due = None
      faults = 0
      model.clear()
      for (line <- lines) {
        model(line) = Array.fill(8)(BigInt(64, random))
        memory.putWords(baseBlock + line, model(line).toSeq)
        while (due.isEmpty) tick(Some((line, 0)), write = false)
        tick(None)
      }
      assert(faults == 0)
    }

    /** Flip a bit, in a cycle of its own. */
    def flip(site: Int, row: Int, bit: Int): Unit =
      FaultInjector.flip(LineCacheFaultSpec.this, dut.flip, site, row, bit)(tick(None))

    /** Exchange this word of every line. */
    def useAll(word: Int): Unit = {
      for (line <- lines if faults == 0) tick(Some((line, word)))
      tick(None)
    }
    def flush(): Unit = {
      tick(None, flush = true)
      while (dut.io.flushing.peekBoolean()) tick(None)
    }
    def inMemory: Boolean = lines.forall(line => memory.words(baseBlock + line) == model(line).toSeq)
  }

  private def wordOf(bit: Int): Int = if (bit < 512) bit / 64 else (bit - 512) / 8

  /** Sweeps over each bit of data: flips, wrong answers, alarms. */
  private def sweep(faults: FaultChecks, lines: Int): (BigInt, BigInt, BigInt) = {
    var result = (BigInt(0), BigInt(0), BigInt(0))
    simulate(new FlipSweep(protection(faults), MetadataCacheParams(lines = lines, ways = 4), lineBits)) { dut =>
      val memory = new PortMemory(this, dut.io.memory, SteadyMemory(2))
      for {
        line <- 0 until lines
        _ <- 0 until 40
      } {
        dut.io.valid.poke(true)
        dut.io.line.poke(line)
        memory.drive()
        memory.settle()
        step()
      }
      dut.io.valid.poke(false)
      dut.sweep.poke(true)
      stepUntil(dut.finished, 4000000)
      result = (dut.flips.peek(), dut.wrong.peek(), dut.faulty.peek())
    }
    result
  }

  for (lines <- Seq(8, 32)) test(s"every bit of the data of $lines lines", Thorough.unless(lines == 8): _*) {
    assert(sweep(DetectFaults, lines) == ((lines * 576, 0, 0)))
    info(s"${lines * 576} bits flipped, all corrected")
  }

  test("every bit of the data without checks changes what is read, and nobody tells") {
    assert(sweep(NoFaultChecks, 8) == ((8 * 512, 8 * 512, 0)))
  }

  test("a line with a flip goes to memory corrected") {
    simulate(new FaultyLineCache(protection(DetectFaults), c, lineBits)) { dut =>
      val bench = new Bench(dut)
      bench.fill()
      for ((bit, i) <- (0 until dut.data.bits by 29).zipWithIndex) {
        bench.useAll(0) // dirty
        bench.flip(0, i % c.lines, bit)
        bench.flush()
        assert(bench.inMemory, s"after a flip of bit $bit in place ${i % c.lines}")
        bench.useAll(wordOf(bit))
        assert(bench.wrong == 0 && bench.faults == 0, s"a flip of bit $bit in place ${i % c.lines} was not corrected")
      }
    }
  }

  test("every bit of tags and flags") {
    simulate(new FaultyLineCache(protection(DetectFaults), c, lineBits)) { dut =>
      val bench = new Bench(dut)
      val flips = for {
        (site, i) <- dut.others.zipWithIndex
        row <- 0 until site.rows
        bit <- 0 until site.bits
      } yield (i + 1, row, bit)
      for (((site, row, bit), i) <- flips.zipWithIndex) {
        bench.fill()
        bench.flip(site, row, bit)
        if (i % 2 == 0) bench.useAll(0) else bench.flush()
        assert(
          bench.wrong == 0 && bench.faults > 0,
          s"a flip of bit $bit in row $row of ${dut.others(site - 1).path} was not noticed"
        )
      }
      info(s"${flips.size} bits flipped, all alarmed")
    }
  }

  test("two flips in a part of a line") {
    simulate(new FaultyLineCache(protection(DetectFaults), c, lineBits)) { dut =>
      val bench = new Bench(dut)
      val random = new Random(seed)
      for (i <- 0 until 24) {
        val (row, word) = (random.nextInt(c.lines), random.nextInt(8))
        val part = (64 * word until 64 * word + 64) ++ (512 + 8 * word until 520 + 8 * word)
        bench.fill()
        bench.useAll(0) // dirty
        random.shuffle(part.toList).take(2).foreach(bench.flip(0, row, _))
        if (i % 2 == 0) bench.useAll(word) else bench.flush()
        assert(bench.wrong == 0 && bench.faults > 0, s"word $word of place $row")
      }
    }
  }
}
