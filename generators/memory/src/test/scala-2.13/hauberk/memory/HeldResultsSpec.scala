package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.counter.HeldResults
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Fresh counters that wait for verdicts alone, beside a map: each waits for the verdicts of its moment, and for no later ones. */
class HeldResultsSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.bonsaiTree.copy(reads = 3, writes = 5), Bank(localBytes = 1 << 17))
  private val fetches = 3
  private case class Held(fields: Seq[BigInt], waits: Set[Int])

  // covers: memory.verified-counters
  test("a fresh counter leaves, whole and once, when each verdict that was due with it has been clear once") {
    simulate(new HeldResults(p, fetches)) { dut =>
      val put = dut.io.put
      def fields(bits: counter.CounterResult) = Seq(bits.entry, bits.counter, bits.key, bits.direct, bits.denied)
      for (seed <- 1 to 4) {
        put.valid.poke(false)
        resetDesign(dut)
        val random = new Random(seed)
        val held = mutable.Map.empty[Int, Held]
        var (atOnce, full, refused) = (0, 0, 0)
        for (cycle <- 0 until 2000) {
          // A stage that holds many, and one that lets them go
          val busy = cycle / 100 % 2 == 0
          val pending = (0 until fetches).filter(_ => random.nextInt(8) < (if (busy) 7 else 2)).toSet
          val free = (0 until p.writes).filterNot(held.contains)
          val puts = free.nonEmpty && random.nextInt(3) == 0
          val entry = if (puts) free(random.nextInt(free.size)) else random.nextInt(p.writes)
          val bits = Seq(
            BigInt(p.reads + entry),
            BigInt(p.counterBits, random),
            BigInt(random.nextInt(3)),
            BigInt(1, random),
            BigInt(1, random)
          )
          put.valid.poke(puts)
          fields(put.bits).zip(bits).foreach { case (port, value) => port.poke(value) }
          dut.io.pending.poke(pending.map(1 << _).sum)
          val takes = random.nextInt(3) != 0
          dut.io.result.ready.poke(takes)

          val ripe = held.filter(_._2.waits.isEmpty)
          dut.io.result.valid.expect(ripe.nonEmpty)
          dut.io.busy.expect(held.nonEmpty)
          var left = Option.empty[Int]
          if (ripe.nonEmpty) {
            val leaves = dut.io.result.bits.entry.peek().toInt - p.reads
            assert(ripe.contains(leaves), s"the counter of $leaves leaves early, or twice")
            fields(dut.io.result.bits).zip(held(leaves).fields).foreach { case (port, value) => port.expect(value) }
            if (takes) left = Some(leaves) else refused += 1
          }
          if (held.size == p.writes) full += 1
          step()
          for ((entry, of) <- held.toSeq) held(entry) = of.copy(waits = of.waits & pending)
          left.foreach(held -= _)
          if (puts) {
            held(entry) = Held(bits, pending)
            if (pending.isEmpty) atOnce += 1
          }
        }
        assert(atOnce > 20 && full > 20 && refused > 20, s"$atOnce at once, full for $full cycles, $refused refused")
      }
    }
  }
}
