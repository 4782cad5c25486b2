package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity.{LogSweep, TouchedLines}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The sweep of a log and the bits of lines that it goes through, with more lines than a word has bits. */
// covers: memory.log-hash
class LogSweepSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.aegisLogHash, Bank(localBytes = 27 * 64 * 64))
  private val lines = p.layout.versionLines.toInt
  private val perLine = p.layout.shape.versionsPerLine
  private val blocks = p.layout.dataBlocks.toInt
  private val words = (lines + 63) / 64

  test(
    "every block of the old epoch that exists is touched, once, and no other; the end comes behind the last answer"
  ) {
    assert(words > 1 && lines % 64 != 0 && blocks % perLine != 0, "the last word and the last line are whole")
    simulate(new LogSweep(p)) { dut =>
      val random = new Random(103)
      resetDesign(dut)
      for (round <- 0 to 8) withClue(s"round $round: ") {
        // Lines of the first and the last word, and bits of blocks beyond the last
        val edges = Seq(0, 63, 64, lines - 1)
        val touched =
          if (round == 8) (0 until lines).toSet
          else (edges.filter(_ => round % 2 == 0 && round > 0) ++ Seq.fill(2 * round)(random.nextInt(lines))).toSet
        def bits(line: Int) =
          if (round == 8) 1 << (line % perLine)
          else if (random.nextInt(4) == 0) 0
          else random.nextInt(1 << perLine) | 0x8001
        val old = touched.map(line => line -> bits(line)).toMap
        val expected = mutable.Set.empty[Int]
        for {
          (line, bits) <- old
          i <- 0 until perLine if (bits >> i & 1) == 1 && line * perLine + i < blocks
        }
          expected += line * perLine + i
        var wordAt, seenAt = Option.empty[(Int, Int)]
        var pending, asked, cycle = 0
        dut.io.done.expect(true)
        dut.io.start.poke(true)
        step()
        dut.io.start.poke(false)
        while (!dut.io.done.peekBoolean()) {
          cycle += 1
          assert(cycle < 4000, "a sweep does not end")
          val (scans, looks, touches) = (random.nextBoolean(), random.nextBoolean(), random.nextInt(3) == 0)
          dut.io.scan.ready.poke(scans)
          dut.io.look.ready.poke(looks)
          dut.io.touch.ready.poke(touches)
          val answers = pending > 0 && random.nextInt(12) == 0
          dut.io.touched.poke(answers)
          // Only in the cycle after
          val word = wordAt.map(_._1)
          dut.io.word.poke(word.fold(BigInt(64, random)) { w =>
            touched.filter(_ / 64 == w).map(line => BigInt(1) << (line % 64)).foldLeft(BigInt(0))(_ | _)
          })
          val sees = seenAt.filter(_._2 <= cycle)
          dut.io.seen.valid.poke(sees.nonEmpty)
          dut.io.seen.bits.poke(sees.fold(random.nextInt(1 << perLine))(line => old(line._1)))
          wordAt = if (scans && dut.io.scan.valid.peekBoolean()) Some((dut.io.scan.bits.peek().toInt, 0)) else None
          if (sees.nonEmpty) seenAt = None
          if (looks && dut.io.look.valid.peekBoolean()) {
            val line = dut.io.look.bits.peek().toInt
            assert(touched(line), s"line $line was never written")
            seenAt = Some((line, cycle + 1 + random.nextInt(6)))
            asked += 1
          }
          if (touches && dut.io.touch.valid.peekBoolean()) {
            val block = dut.io.touch.bits.peek().toInt
            assert(expected.remove(block), s"block $block is touched")
            pending += 1
          }
          if (answers) pending -= 1
          step()
        }
        assert(expected.isEmpty && pending == 0 && asked == touched.size, "a sweep ends too early")
      }
    }
  }

  test("bits of lines agree with a set, after each reset") {
    val lines = 150
    simulate(new TouchedLines(lines, lineBits = 8)) { dut =>
      val random = new Random(64)
      for (round <- 0 until 4) withClue(s"round $round: ") {
        resetDesign(dut)
        val marked = mutable.Set.empty[Int]
        var expected = Option.empty[Either[BigInt, Boolean]]
        for (cycle <- 0 until 400) {
          val cleared = cycle >= (lines + 63) / 64
          dut.io.cleared.expect(cleared)
          val (marks, asks, scans) = (random.nextInt(3) == 0, random.nextBoolean(), random.nextBoolean())
          val (line, asked, word) = (random.nextInt(lines), random.nextInt(lines), random.nextInt(3))
          dut.io.mark.valid.poke(marks && cleared)
          dut.io.mark.bits.poke(line)
          dut.io.ask.valid.poke(asks && asked != line)
          dut.io.ask.bits.poke(asked)
          dut.io.scan.valid.poke(scans)
          dut.io.scan.bits.poke(word)
          val isAsked = asks && asked != line
          dut.io.scan.ready.expect(cleared && !isAsked)
          for (answer <- expected) answer match {
            case Left(bits) => dut.io.word.expect(bits)
            case Right(bit) => dut.io.answer.expect(bit)
          }
          val before = marked.filter(_ / 64 == word).map(i => BigInt(1) << (i % 64)).foldLeft(BigInt(0))(_ | _)
          expected =
            if (!cleared) None
            else if (isAsked) Some(Right(marked(asked)))
            else if (scans && !(marks && line / 64 == word)) Some(Left(before))
            else None
          if (marks && cleared) marked += line
          step()
        }
        assert(marked.size > 50)
      }
    }
  }
}
