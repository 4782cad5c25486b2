package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot, RegionParams}
import hauberk.memory.region.RegionFilter
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The filter before a counter store alone: plaintext is answered here, and results name the key of their block's context. */
class RegionFilterSpec extends AnyFunSuite with Simulation {
  private val p = Protection(
    ProtectionParams.aegisOtp.copy(regions = RegionParams(entries = 3, contexts = 2), reads = 3, writes = 3),
    Bank(localBytes = 1 << 16)
  )
  private val granules = p.layout.dataBlocks.toInt / 64

  // covers: memory.regions, memory.plaintext-regions
  test("look-ups of plaintext never reach the store, and each result names the key of its block's context") {
    simulate(new RegionFilter(p)) { dut =>
      val random = new Random(78)
      val (lookup, store, result, write) = (dut.io.lookup, dut.io.store, dut.io.result, dut.io.write.get)
      // Granules 2 to 4 are plaintext, 6 to 8 of context 1, 9 both
      def begin(): Unit = {
        lookup.valid.poke(false)
        store.result.valid.poke(false)
        resetDesign(dut)
        result.valid.expect(false)
        for ((first, last, plain, context, i) <- Seq((2, 4, true, 0, 0), (6, 9, false, 1, 1), (9, 9, true, 1, 2))) {
          write.valid.poke(true)
          write.bits.index.poke(i)
          write.bits.first.poke(first)
          write.bits.last.poke(last)
          write.bits.kind.plain.poke(plain)
          write.bits.kind.context.poke(context)
          step()
        }
        write.valid.poke(false)
      }
      begin()
      // Of entries that were looked up
      val contexts = scala.collection.mutable.Map.empty[Int, Int]
      var waiting = Option.empty[Int]
      var (held, plains, ofOther) = (0, 0, 0)
      for (cycle <- 0 until 4000) {
        if (cycle % 500 == 499) {
          begin()
          contexts.clear()
          waiting = None
        }
        val granule = random.nextInt(granules)
        val isPlain = granule >= 2 && granule <= 4
        val context = if (granule >= 6 && granule <= 9) 1 else 0
        val asks = random.nextInt(4) != 0
        val entry = random.nextInt(p.entries)
        lookup.valid.poke(asks)
        lookup.write.poke(random.nextBoolean())
        lookup.block.poke(64 * granule + random.nextInt(64))
        lookup.entry.poke(entry)
        val (accepts, blocks) = (random.nextBoolean(), random.nextInt(4) == 0)
        store.answer.accepted.poke(accepts)
        store.answer.blocked.poke(blocks)
        val bits = store.result.bits
        val (of, counter, key, direct, denied) =
          (
            random.nextInt(p.entries),
            BigInt(p.counterBits, random),
            random.nextInt(3),
            random.nextBoolean(),
            random.nextBoolean()
          )
        val gives = contexts.contains(of) && random.nextBoolean()
        store.result.valid.poke(gives)
        bits.entry.poke(of)
        bits.counter.poke(counter)
        bits.key.poke(key)
        bits.direct.poke(direct)
        bits.denied.poke(denied)

        store.valid.expect(asks && !isPlain)
        val takes = isPlain && asks && !(waiting.nonEmpty && gives)
        if (isPlain) {
          if (asks) lookup.answer.accepted.expect(takes)
          lookup.answer.blocked.expect(false)
        } else {
          lookup.answer.accepted.expect(accepts)
          lookup.answer.blocked.expect(blocks)
        }
        dut.io.plain.expect(waiting.nonEmpty && !gives)
        result.valid.expect(waiting.nonEmpty || gives)
        if (gives) {
          result.bits.entry.expect(of)
          result.bits.counter.expect(counter)
          result.bits.direct.expect(direct)
          result.bits.denied.expect(denied)
          val other = key == KeySlot.dynamic && contexts(of) == 1
          if (other) ofOther += 1
          result.bits.key.expect(if (other) KeySlot.spare else key)
          if (waiting.nonEmpty) held += 1
        } else for (entry <- waiting) {
          result.bits.entry.expect(entry)
          result.bits.counter.expect(0)
          result.bits.key.expect(KeySlot.static)
          result.bits.direct.expect(false)
          result.bits.denied.expect(false)
          plains += 1
        }
        step()
        if (!gives) waiting = None
        if (takes) waiting = Some(entry)
        if (takes || (asks && !isPlain && accepts)) contexts(entry) = context
      }
      assert(held > 50 && plains > 50 && ofOther > 50, s"$held, $plains, $ofOther")
    }
  }
}
