package hauberk.memory

import hauberk.memory.counter.NumberTable
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The table of numbers that are never replaced alone, beside a map. */
class NumberTableSpec extends AnyFunSuite with Simulation {
  private val numberBits = 10

  /** lineBits, sets, ways, words */
  private val shapes = Seq((14, 4, 2, 8), (5, 1, 3, 2), (4, 8, 1, 4), (3, 1, 1, 1))

  // covers: memory.reference
  for ((lineBits, sets, ways, words) <- shapes)
    test(
      s"$sets sets of $ways ways hold the first lines that are written to them, with all their numbers, until reset"
    ) {
      simulate(new NumberTable(lineBits, sets, ways, words, numberBits)) { dut =>
        val io = dut.io
        val random = new Random(lineBits)
        for (round <- 0 until 4) {
          io.valid.poke(false)
          resetDesign(dut)
          val held = mutable.Map.empty[BigInt, Array[BigInt]]
          // Lines that differ in one bit, so that no bit goes unnoticed
          val base = BigInt(lineBits, random)
          val lines = base +: (0 until lineBits).map(base.flipBit)
          var owed = Option.empty[BigInt]
          for (cycle <- 0 until 500) {
            val line = if (random.nextInt(4) == 0) BigInt(lineBits, random) else lines(random.nextInt(lines.size))
            val (asks, writes, word, fresh) =
              (random.nextInt(3) != 0, random.nextInt(3) == 0, random.nextInt(words), BigInt(numberBits, random))
            io.valid.poke(asks)
            io.write.poke(writes)
            io.line.poke(line)
            io.word.poke(word)
            io.fresh.poke(fresh)
            owed.foreach(io.number.expect(_))
            owed = None
            val emptied = cycle >= sets
            io.emptied.expect(emptied)
            val room = held.keys.count(other => (other ^ line) % sets == 0) < ways
            val holds = emptied && (held.contains(line) || (writes && room))
            io.holds.expect(holds)
            step()
            if (asks && holds) {
              if (writes) held.getOrElseUpdate(line, Array.fill(words)(BigInt(0)))(word) = fresh
              else owed = Some(held(line)(word))
            }
          }
          assert(held.size == sets * ways || lineBits > 8, "the table is not full")
        }
      }
    }
}
