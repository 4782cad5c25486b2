package hauberk.contexts

import hauberk.testing.Simulation
import java.security.MessageDigest
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class RangeHasherSpec extends AnyFunSuite with Simulation {
  private val lineNumberBits = 10
  private val memory = {
    val bytes = new Array[Byte](64 << lineNumberBits)
    new Random(64).nextBytes(bytes)
    bytes
  }
  private def sha256(message: Array[Byte]): BigInt = BigInt(1, MessageDigest.getInstance("SHA-256").digest(message))
  private def littleEndian(bytes: Array[Byte]): BigInt = BigInt(1, bytes.reverse)

  /** Memory that answers after some cycles, with gaps, the beats of several lines mixed.
    *
    * @param fails the line whose read fails, in its last beat, and mostly in the cycle in which another is asked for
    */
  private class Memory(dut: RangeHasher, random: Random, latency: => Int, gaps: Boolean, fails: Int = -1) {

    /** Aborts in the cycle of the failure. */
    var aborts = false
    private val takes = if (fails < 0) 2 else 40
    private var lines = Map.empty[Int, (Int, Seq[(BigInt, Boolean)])]
    var asked, cycles = 0

    /** A cycle. */
    def cycle(): Unit = {
      cycles += 1
      val ready = lines.collect { case (slot, (0, beats)) => slot -> beats.head }.toSeq.sortBy(_._1)
      val offers = ready.nonEmpty && !(gaps && random.nextInt(3) == 0)
      dut.io.beat.valid.poke(offers)
      val chosen = if (offers) Some(ready(random.nextInt(ready.size))) else None
      chosen.foreach { case (slot, (data, failed)) =>
        dut.io.beat.bits.slot.poke(slot)
        dut.io.beat.bits.data.poke(data)
        dut.io.beat.bits.failed.poke(failed)
        if (aborts) dut.io.abort.poke(failed)
      }
      dut.io.read.ready.poke(!gaps || random.nextInt(takes) == 0 || chosen.exists(_._2._2))
      val asks = dut.io.read.valid.peekBoolean() && dut.io.read.ready.peekBoolean()
      val line = dut.io.read.bits.line.peek().toInt
      val slot = dut.io.read.bits.slot.peek().toInt
      step()
      lines = lines.map { case (slot, (waits, beats)) => slot -> ((math.max(0, waits - 1), beats)) }
      chosen.foreach { case (slot, _) =>
        lines(slot)._2.tail match {
          case Nil => lines -= slot
          case left => lines += slot -> ((0, left))
        }
      }
      if (asks) {
        assert(!lines.contains(slot), "a second line is asked for in a slot")
        asked += 1
        val of = memory.slice(64 * line, 64 * line + 64).grouped(8).map(littleEndian).toSeq
        val beats = of.zipWithIndex.map { case (data, i) => (data, line == fails && i == 7) }
        lines += slot -> ((latency, beats))
      }
    }
  }

  private def begin(dut: RangeHasher): Unit = {
    Seq(
      dut.io.range.valid,
      dut.io.word.valid,
      dut.io.abort,
      dut.io.beat.valid,
      dut.io.read.ready
    ).foreach(_.poke(false))
    dut.io.busy.expect(false)
  }
  private def hash(dut: RangeHasher, at: Memory, line: Int, lines: Int): Unit = {
    dut.io.range.valid.poke(true)
    dut.io.range.bits.line.poke(line)
    dut.io.range.bits.lines.poke(lines)
    while (!dut.io.range.ready.peekBoolean()) at.cycle()
    at.cycle()
    dut.io.range.valid.poke(false)
  }
  private def send(dut: RangeHasher, at: Memory, word: Array[Byte], last: Boolean): Unit = {
    dut.io.word.valid.poke(true)
    dut.io.word.bits.data.poke(BigInt(1, word.padTo(8, 0.toByte)))
    dut.io.word.bits.bytes.poke(word.length)
    dut.io.word.bits.last.poke(last)
    while (!dut.io.word.ready.peekBoolean()) at.cycle()
    at.cycle()
    dut.io.word.valid.poke(false)
  }
  private def abort(dut: RangeHasher, at: Memory): Unit = {
    dut.io.abort.poke(true)
    dut.io.read.valid.expect(false)
    at.cycle()
    dut.io.abort.poke(false)
  }

  /** `closes`: the message has its last word, and nothing is taken before the digest is there. */
  private def digest(dut: RangeHasher, at: Memory, closes: Boolean = false): BigInt = {
    var cycles = 0
    while (dut.io.busy.peekBoolean()) {
      if (closes) {
        for (ready <- Seq(dut.io.range.ready, dut.io.word.ready)) ready.expect(false)
        dut.io.reading.expect(true)
      }
      dut.io.digest.valid.expect(false)
      dut.io.digest.bits.expect(0)
      at.cycle()
      cycles += 1
      assert(cycles < 5000)
    }
    val (isValid, digest) = (dut.io.digest.valid.peekBoolean(), dut.io.digest.bits.peek())
    // It stays until the next message begins
    for (_ <- 0 until 3) {
      at.cycle()
      dut.io.digest.valid.expect(isValid)
      dut.io.digest.bits.expect(digest)
    }
    digest
  }

  // covers: contexts.hasher
  test("every bit of the number of lines counts") {
    simulate(new RangeHasher(lineNumberBits)) { dut =>
      begin(dut)
      for (bit <- 0 until RangeHasher.countBits) {
        dut.io.range.valid.poke(true)
        dut.io.range.bits.line.poke(0)
        dut.io.range.bits.lines.poke(BigInt(1) << bit)
        dut.io.range.ready.expect(true)
        step()
        dut.io.range.valid.poke(false)
        dut.io.word.valid.poke(true)
        for (_ <- 0 until 3) {
          dut.io.reading.expect(true)
          dut.io.read.valid.expect(true)
          dut.io.word.ready.expect(false)
          dut.io.range.ready.expect(false)
          step()
        }
        dut.io.word.valid.poke(false)
        dut.io.abort.poke(true)
        step()
        dut.io.abort.poke(false)
        dut.io.busy.expect(false)
      }
    }
  }

  // covers: contexts.hasher
  test("messages of ranges and words, against the JDK") {
    simulate(new RangeHasher(lineNumberBits)) { dut =>
      val random = new Random(1)
      begin(dut)
      for (round <- 0 until 40) {
        val at = new Memory(dut, random, random.nextInt(60), gaps = round % 2 == 0)
        val parts = Seq.fill(random.nextInt(5)) {
          if (random.nextBoolean()) {
            val lines = random.nextInt(4)
            val line = (1 << lineNumberBits) - 1 - lines - random.nextInt(20)
            hash(dut, at, line, lines)
            memory.slice(64 * line, 64 * (line + lines))
          } else {
            val word = new Array[Byte](8)
            random.nextBytes(word)
            send(dut, at, word, last = false)
            word
          }
        }
        val tail = new Array[Byte](random.nextInt(9))
        random.nextBytes(tail)
        send(dut, at, tail, last = true)
        assert(digest(dut, at, closes = true) == sha256((parts :+ tail).reduce(_ ++ _)), s"round $round")
        dut.io.digest.valid.expect(true)
        dut.io.failed.expect(false)
        if (round % 3 == 0) {
          abort(dut, at)
          dut.io.digest.valid.expect(false)
          dut.io.digest.bits.expect(0)
        }
      }
    }
  }

// covers: contexts.hasher
  test(
    "ranges of 4 KiB take 66 cycles a line, with memory of 230 cycles, and the next is taken while the last lines of one are read"
  ) {
    simulate(new RangeHasher(lineNumberBits)) { dut =>
      val ranges = 4
      begin(dut)
      val at = new Memory(dut, new Random(2), 230, gaps = false)
      for (range <- 0 until ranges) {
        hash(dut, at, 64 * (ranges - 1 - range), 64)
        dut.io.word.ready.expect(false)
      }
      while (dut.io.reading.peekBoolean()) at.cycle()
      assert(at.cycles <= 66 * 64 * ranges + 300 && at.asked == 64 * ranges)
      send(dut, at, new Array[Byte](0), last = true)
      assert(digest(dut, at) == sha256((0 until ranges).flatMap(i =>
        memory.slice(4096 * (ranges - 1 - i), 4096 * (ranges - i))
      ).toArray))
    }
  }

  // covers: contexts.hash-failure
  test("a range behind one whose last line fails begins no message") {
    simulate(new RangeHasher(lineNumberBits)) { dut =>
      begin(dut)
      for (late <- 0 until 60) {
        val at = new Memory(dut, new Random(late), 20, gaps = false, fails = 23)
        hash(dut, at, 20, 4)
        // In some rounds before the failure, in others behind it
        for (_ <- 0 until late) at.cycle()
        dut.io.range.valid.poke(true)
        dut.io.range.bits.line.poke(30)
        dut.io.range.bits.lines.poke(1)
        dut.io.word.valid.poke(true)
        dut.io.word.bits.last.poke(true)
        for (_ <- 0 until 400) {
          if (dut.io.range.valid.peekBoolean() && dut.io.range.ready.peekBoolean()) {
            at.cycle()
            dut.io.range.valid.poke(false)
          } else at.cycle()
          dut.io.digest.valid.expect(false)
        }
        dut.io.failed.expect(true)
        dut.io.busy.expect(false)
        dut.io.range.valid.poke(false)
        dut.io.word.valid.poke(false)
        abort(dut, at)
        dut.io.failed.expect(false)
      }
    }
  }

  // covers: contexts.hash-failure
  test("a read that fails, and an abort in any cycle, leave no digest, and the next message is right") {
    simulate(new RangeHasher(lineNumberBits)) { dut =>
      val random = new Random(3)
      begin(dut)
      def isRight(at: Memory): Unit = {
        hash(dut, at, 7, 6)
        send(dut, at, new Array[Byte](3), last = true)
        assert(digest(dut, at) == sha256(memory.slice(448, 832) ++ new Array[Byte](3)))
      }
      // The next message begins at once, while answers of this one are still to come
      for {
        fails <- 20 until 32
        latency <- Seq(1, 10, 40)
      } {
        val at = new Memory(dut, random, latency, gaps = true, fails)
        hash(dut, at, 20, 12)
        assert(digest(dut, at) == 0)
        dut.io.failed.expect(true)
        dut.io.digest.valid.expect(false)
        dut.io.range.ready.expect(false)
        abort(dut, at)
        dut.io.range.ready.expect(true)
        assert(at.asked >= fails - 19 && at.asked <= fails - 19 + RangeHasher.slots)
        isRight(at)
      }
      for (latency <- Seq(1, 10)) {
        val at = new Memory(dut, random, latency, gaps = false, fails = 21)
        at.aborts = true
        hash(dut, at, 20, 4)
        for (_ <- 0 until 200) at.cycle()
        dut.io.abort.poke(false)
        dut.io.failed.expect(false)
        isRight(at)
      }
      for (cycles <- 0 to 240) {
        val at = new Memory(dut, random, 10, gaps = cycles % 2 == 0)
        hash(dut, at, 30, 2)
        for (_ <- 0 until cycles) at.cycle()
        abort(dut, at)
        dut.io.busy.expect(false)
        dut.io.digest.valid.expect(false)
        dut.io.failed.expect(false)
        dut.io.range.ready.expect(true)
        // In every second message that follows, what memory still owes comes before
        if (cycles % 16 == 0) for (_ <- 0 until 100) at.cycle()
        if (cycles % 8 == 0) isRight(at) else for (_ <- 0 until 100) at.cycle()
      }
    }
  }
}
