package hauberk.memory

import chisel3._
import hauberk.fault.Unchecked
import hauberk.memory.tree.{HashEntryPort, HashRoot, LineCounterPort, RootTable}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Both kinds of root, of several sizes. */
private class TreeRoots(val sizes: Seq[Int], val lineBits: Int) extends Module {
  val io = IO(new Bundle {
    val counters = Vec(sizes.size, new LineCounterPort(lineBits, 4, 0))
    val hashes = Vec(sizes.size, Flipped(new HashEntryPort(lineBits, 4)))
    val busy = Output(Vec(2 * sizes.size, Bool()))
  })
  for ((entries, i) <- sizes.zipWithIndex) {
    val counters = Module(new RootTable(entries, lineBits, 4, Unchecked))
    counters.io.children <> io.counters(i)
    val hashes = Module(new HashRoot(entries, lineBits, 4, Unchecked))
    hashes.io.port <> io.hashes(i)
    io.busy(2 * i) := counters.io.busy
    io.busy(2 * i + 1) := hashes.io.busy
  }
}

/** The roots of trees alone, beside maps: every entry is 0 after each reset, and each is one line's own. */
class TreeRootsSpec extends AnyFunSuite with Simulation {
  private val sizes = Seq(1, 2, 5, 8)

  // covers: memory.counter-tree, memory.hash-tree
  test("look-ups agree with a map, from each reset on") {
    simulate(new TreeRoots(sizes, lineBits = 3)) { dut =>
      val random = new Random(3)
      for (round <- 0 until 5) {
        resetDesign(dut)
        val counters, hashes = sizes.map(_ => mutable.Map.empty[Int, BigInt].withDefaultValue(BigInt(0)))
        val owedCounters, owedHashes = Array.fill(sizes.size)(Option.empty[(Int, BigInt)])
        val seen = sizes.map(_ => mutable.Set.empty[Int])
        for (cycle <- 0 until 200) {
          for ((entries, i) <- sizes.zipWithIndex) {
            val port = dut.io.counters(i)
            val (asks, writes, line, tag) =
              (random.nextInt(4) != 0, random.nextBoolean(), random.nextInt(entries), random.nextInt(16))
            port.lookup.valid.poke(asks)
            port.lookup.write.poke(writes)
            port.lookup.line.poke(line)
            port.lookup.entry.poke(tag)
            val takes = cycle >= entries && owedCounters(i).isEmpty
            if (asks) port.lookup.answer.accepted.expect(takes)
            port.lookup.answer.blocked.expect(false)
            port.result.valid.expect(owedCounters(i).nonEmpty)
            for ((entry, counter) <- owedCounters(i)) {
              port.result.bits.entry.expect(entry)
              port.result.bits.counter.expect(counter)
              port.result.bits.denied.expect(false)
            }
            dut.io.busy(2 * i).expect(cycle < entries || owedCounters(i).nonEmpty)
            owedCounters(i) =
              if (asks && takes) {
                if (writes) counters(i)(line) += 1
                seen(i) += line
                Some((tag, counters(i)(line)))
              } else None

            val root = dut.io.hashes(i)
            val hash = BigInt(64, random)
            root.request.valid.poke(asks)
            root.request.bits.write.poke(writes)
            root.request.bits.line.poke(line)
            root.request.bits.hash.poke(hash)
            root.request.bits.tag.poke(tag)
            root.request.ready.expect(cycle >= entries)
            root.entry.valid.expect(owedHashes(i).nonEmpty)
            for ((entry, hash) <- owedHashes(i)) {
              root.entry.bits.tag.expect(entry)
              root.entry.bits.hash.expect(hash)
            }
            dut.io.busy(2 * i + 1).expect(cycle < entries || owedHashes(i).nonEmpty)
            owedHashes(i) = None
            if (asks && cycle >= entries) {
              if (writes) hashes(i)(line) = hash else owedHashes(i) = Some((tag, hashes(i)(line)))
            }
          }
          step()
        }
        assert(seen.map(_.size) == sizes, "a line was never asked for")
      }
    }
  }
}
