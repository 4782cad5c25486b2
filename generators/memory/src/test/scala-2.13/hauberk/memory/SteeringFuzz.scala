package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.counter.CompilerCounters
import hauberk.testing.Simulation
import java.util.{HashSet => JavaSet}
import scala.util.Random

/** Random hints beside random accesses before a memory that lies ([[SteeringAdversary]]), until a pad repeats for a block or so many hints were
  * given. An exact set of blocks and pads decides. The test of [[SteeringFuzzSpec]] does the same for a moment.
  */
class SteeringFuzz(seed: Long, report: String => Unit) extends Simulation {

  /** What was done. */
  case class Counts(hints: Long, writes: Long, steered: Long)

  def run(name: String, p: Protection, hints: Long): Counts = {
    val rows = 64
    var result = Counts(0, 0, 0)
    simulate(new SteeringAdversary(p, rows)) { dut =>
      val random = new Random(seed)
      Seq(dut.io.run, dut.io.load, dut.io.empty, dut.io.arm, dut.io.keyWrite.valid).foreach(_.poke(false))
      dut.io.row.poke(0)
      dut.io.seed.poke(BigInt(64, random))
      dut.io.load.poke(true)
      step()
      dut.io.load.poke(false)
      stepUntil(dut.io.initialised, 100000)
      for {
        slot <- Seq(KeySlot.static, KeySlot.dynamic)
        word <- 0 until 2
      } {
        dut.io.keyWrite.bits.slot.poke(slot)
        dut.io.keyWrite.bits.word.poke(word)
        dut.io.keyWrite.bits.data.poke(BigInt(64, random))
        dut.io.keyWrite.valid.poke(true)
        step()
        dut.io.keyWrite.valid.poke(false)
      }
      stepUntil(dut.io.keyed, 1000)
      dut.io.arm.poke(true)
      step()
      dut.io.arm.poke(false)
      dut.io.run.poke(true)

      val pads = Array.fill((p.layout.dataBytes / p.bank.blockBytes).toInt)(new JavaSet[Long])
      val begun = System.nanoTime
      var told = begun
      var sinceWrite = 0
      var writes = 0L
      while (result.hints < hints) {
        step(1500)
        val logged = dut.io.logged.peek().toInt
        for (row <- 0 until logged by SteeringAdversary.recordsInRow) {
          dut.io.row.poke(row / SteeringAdversary.recordsInRow)
          val records = dut.io.records.peek()
          for (i <- 0 until math.min(SteeringAdversary.recordsInRow, logged - row)) {
            val record = records >> (i * SteeringAdversary.recordBits)
            val block = ((record >> 64) & 0xffffffffL).toInt
            writes += 1
            assert(pads(block).add(record.toLong), s"seed $seed, $name: write $writes repeats a pad of block $block")
          }
        }
        dut.io.empty.poke(true)
        step()
        dut.io.empty.poke(false)
        sinceWrite = if (logged > 0) 0 else sinceWrite + 1
        assert(
          sinceWrite < 100 && !dut.io.halted.peekBoolean(),
          s"seed $seed, $name: the engine stopped after $writes writes"
        )
        result = Counts(dut.io.hints.peek().toLong, writes, dut.io.steered.peek().toLong)
        val now = System.nanoTime
        if (now - told > 10e9 || result.hints >= hints) {
          told = now
          val seconds = (now - begun) / 1e9
          val left = math.max(0, hints - result.hints) * seconds / result.hints
          report(
            f"$name: ${result.hints}%,d of $hints%,d hints, ${result.writes}%,d writes, ${result.steered}%,d steered; " +
              f"${result.hints / seconds}%,.0f hints a second, ${left / 60}%.1f minutes left"
          )
        }
      }
    }
    result
  }
}

/** `make fuzz-steering`: hints of all engines together, and a seed. */
object SteeringFuzz {
  private def engine(counters: CompilerCounters, posted: Boolean) = Protection(
    ProtectionParams(
      counters = counters,
      cipher = AesParams(architecture = AesArchitecture.Folded(2)),
      reads = 4,
      writes = 4,
      postedWrites = posted
    ),
    Bank(localBytes = 1 << 14, blockBytes = 8)
  )

  /** The sizes of the paper, and tables that are so small that their places are always in dispute. */
  val engines: Seq[(String, Protection)] = Seq(
    "8 registers, 128 ids" -> engine(CompilerCounters(ahead = true), posted = true),
    "2 registers, 12 ids" -> engine(
      CompilerCounters(
        registers = 2,
        ids = 12,
        loadHints = 2,
        storeHints = 4,
        filter = 4,
        pairFetches = 1,
        updates = 2
      ),
      posted = false
    )
  )

  def main(arguments: Array[String]): Unit = {
    val hints = arguments.head.toLong
    val seed = arguments.lift(1).fold(System.nanoTime)(_.toLong)
    println(s"seed $seed")
    val fuzz = new SteeringFuzz(seed, println(_))
    val counts = engines.map { case (name, p) => fuzz.run(name, p, hints / engines.size) }
    println(
      f"no pad was used twice: ${counts.map(_.hints).sum}%,d hints, ${counts.map(_.writes).sum}%,d writes, ${counts.map(_.steered).sum}%,d steered"
    )
  }
}
