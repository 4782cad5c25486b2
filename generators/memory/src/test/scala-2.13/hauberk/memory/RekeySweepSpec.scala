package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.counter.{RekeySweep, Timestamps}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The sweep of a re-encryption alone; timestamps, writes and keys are the test's. */
// covers: memory.rekey
class RekeySweepSpec extends AnyFunSuite with Simulation {
  private val p = Protection(
    ProtectionParams(counters = Timestamps(8, reserve = Some(20))),
    Bank(localBytes = 1 << 14, idBits = 4)
  )
  private val perLine = p.layout.countersPerLine
  private val blocks = p.layout.dataBlocks.toInt

  private class Bench(dut: RekeySweep, random: Random, written: Int => Boolean, client: Boolean) {
    val keys: mutable.Set[Int] = mutable.Set(KeySlot.static, KeySlot.dynamic)
    val crossed: mutable.Set[Int] = mutable.Set.empty
    private var scans, writes = Option.empty[(Int, Int)] // line or block, and when
    private var cycle = 0
    var pointer = 0
    var ended, lost = false
    for (port <- Seq(dut.io.due, dut.io.urgent, dut.io.halt)) port.poke(false)
    resetDesign(dut)
    def sweeping: Boolean = dut.io.sweeping.peekBoolean()

    /** @param refuses the block that comes back is not written */
    def tick(refuses: Boolean = false): Unit = {
      for ((port, i) <- dut.io.usable.zipWithIndex) port.poke(keys(i))
      pointer = dut.io.pointer.peek().toInt
      val comes = scans.filter(_._2 <= cycle)
      val back = writes.filter(_._2 == cycle)
      // The write of a re-encryption takes its timestamp a cycle before it comes back
      val isWritten = !refuses && writes.exists { case (block, at) => at - 1 == cycle && block == pointer }
      val clientWrites =
        client && comes.isEmpty && back.isEmpty && sweeping && pointer < blocks && random.nextInt(20) == 0
      dut.io.scanned.valid.poke(comes.nonEmpty)
      // Bits of blocks that do not exist are memory's
      for ((line, _) <- comes)
        dut.io.scanned.bits.poke((0 until perLine).map { i =>
          if (line * perLine + i >= blocks || written(line * perLine + i)) BigInt(1) << i else BigInt(0)
        }.sum)
      if (comes.nonEmpty) scans = None
      dut.io.crossed.poke(isWritten || clientWrites)
      if (isWritten || clientWrites) crossed += pointer
      dut.io.reencrypted.poke(back.nonEmpty)
      if (back.nonEmpty) writes = None
      val (scanned, taken) = (random.nextBoolean(), random.nextBoolean())
      dut.io.scan.ready.poke(scanned)
      dut.io.reencrypt.ready.poke(taken)
      if (scanned && dut.io.scan.valid.peekBoolean())
        scans = Some((dut.io.scan.bits.peek().toInt, cycle + 1 + random.nextInt(8)))
      if (taken && dut.io.reencrypt.valid.peekBoolean()) {
        val block = dut.io.reencrypt.bits.peek().toInt
        assert(block < blocks && written(block) && block == pointer, s"block $block is re-encrypted, at $pointer")
        writes = Some((block, cycle + 2 + random.nextInt(8)))
      }
      ended = dut.io.ends.peekBoolean()
      lost = dut.io.lost.peekBoolean()
      step()
      cycle += 1
    }
    def until(hint: String)(done: => Boolean): Unit = {
      val limit = cycle + 8000
      while (!done) {
        tick()
        assert(cycle < limit, hint)
      }
    }
    def begin(next: Int): Unit = {
      dut.io.due.poke(true)
      until("no key is wanted")(dut.io.wanted.valid.peekBoolean())
      assert(dut.io.wanted.bits.peek() == next && !sweeping)
      dut.io.due.poke(false)
      keys += next
      until("no sweep begins")(sweeping)
    }
  }

  test("a sweep re-encrypts every block that was written, or its client does; then the old key goes, and no other") {
    simulate(new RekeySweep(p, perLine)) { dut =>
      assert(blocks % perLine != 0, "the last line is whole")
      for (seed <- 0 until 4) withClue(s"seed $seed: ") {
        val random = new Random(seed)
        // Behind the last block that was written there are others, or none
        val any = Seq.fill(60)(random.nextInt(blocks)).toSet
        val some = if (seed < 2) any - (blocks - 1) else any ++ Seq(0, perLine - 1, perLine, blocks - 1)
        val bench = new Bench(dut, random, some, client = seed % 2 == 0)
        for ((current, next) <- Seq(KeySlot.dynamic -> KeySlot.spare, KeySlot.spare -> KeySlot.dynamic)) {
          assert(dut.io.current.peek() == current && dut.io.next.peek() == next)
          bench.crossed.clear()
          bench.begin(next)
          bench.until("a sweep does not end") {
            assert(!bench.lost && (bench.ended || !dut.io.zeroize.valid.peekBoolean()))
            bench.ended
          }
          assert(some.subsetOf(bench.crossed), "a block is left under the old key")
          for (_ <- 0 until 3) {
            assert(dut.io.zeroize.valid.peekBoolean() && dut.io.zeroize.bits.peek() == current)
            assert(dut.io.current.peek() == next && dut.io.busy.peekBoolean() && !bench.sweeping)
            bench.tick()
          }
          bench.keys -= current
          bench.tick()
          bench.tick()
          assert(!dut.io.zeroize.valid.peekBoolean() && !dut.io.busy.peekBoolean())
        }
      }
    }
  }

  test("either key that is lost in a sweep, or a block that memory refuses, ends it, and no key goes") {
    simulate(new RekeySweep(p, perLine)) { dut =>
      val all = (0 until blocks).toSet
      def stops(bench: Bench): Unit = {
        assert(bench.lost, "nobody is told")
        for (_ <- 0 until 20) {
          assert(!bench.sweeping && !dut.io.zeroize.valid.peekBoolean() && !dut.io.busy.peekBoolean())
          bench.tick()
        }
      }
      for {
        lost <- Seq(KeySlot.dynamic, KeySlot.spare)
        after <- 0 until 12
      } withClue(s"slot $lost, after $after: ") {
        val bench = new Bench(dut, new Random(after), all, client = false)
        bench.begin(KeySlot.spare)
        for (_ <- 0 until after) bench.tick()
        assert(!bench.lost)
        bench.keys -= lost
        bench.tick()
        stops(bench)
      }
      val bench = new Bench(dut, new Random(1), all, client = false)
      bench.begin(KeySlot.spare)
      for (_ <- 0 until 60 if !bench.lost) bench.tick(refuses = true)
      stops(bench)
    }
  }

  test("a key that is urgent is waited for 65,535 cycles in a row") {
    simulate(new RekeySweep(p, perLine)) { dut =>
      val bench = new Bench(dut, new Random(1), _ => true, client = false)
      dut.io.due.poke(true)
      bench.until("no key is wanted")(dut.io.wanted.valid.peekBoolean())
      step(1 << 17)
      dut.io.keyless.expect(false)
      dut.io.urgent.poke(true)
      step((1 << 16) - 2)
      dut.io.urgent.poke(false)
      dut.io.keyless.expect(false)
      step()
      dut.io.urgent.poke(true)
      assert(stepUntil(dut.io.keyless, 1 << 17) == (1 << 16) - 1)
    }
  }
}
