package hauberk.memory

import hauberk.memory.common.KeySlot
import hauberk.memory.tree.TreeKeyChange
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** The change of a hash tree's key alone: which keys are tried, when the old one may go, and when a missing one halts the engine. */
// covers: memory.rekey
class TreeKeyChangeSpec extends AnyFunSuite with Simulation {
  private val writes = 3

  private class Bench(dut: TreeKeyChange) {
    resetDesign(dut)
    usable(KeySlot.static, KeySlot.dynamic, KeySlot.spare)
    def usable(slots: Int*): Unit = dut.io.usable.zipWithIndex.foreach { case (port, i) =>
      port.poke(slots.contains(i))
    }
    def keys: (Int, Int, Boolean) =
      (dut.io.keys.current.peek().toInt, dut.io.keys.previous.peek().toInt, dut.io.keys.changing.peekBoolean())
    def events: (Boolean, Boolean, Boolean) =
      (dut.io.flush.peekBoolean(), dut.io.mayZeroize.peekBoolean(), dut.io.lost.peekBoolean())
    val none: (Boolean, Boolean, Boolean) = (false, false, false)

    /** The sweep, up to its end with some writes in flight; nothing happens yet. */
    def sweep(from: Int, to: Int, inFlight: Int): Unit = {
      assert(keys == ((from, from, false)) && events == none)
      step()
      dut.io.rekeying.poke(true)
      for (_ <- 0 until 4) {
        assert(keys == ((to, from, true)) && events == none)
        step()
      }
      dut.io.rekeying.poke(false)
      dut.io.ending.poke(true)
      dut.io.writing.poke(inFlight)
      assert(keys == ((to, from, true)) && events == none)
      step()
      dut.io.writing.poke(7) // others begin
    }

    /** The flush, and the tries that are left. */
    def end(from: Int, to: Int): Unit = {
      assert(keys == ((to, from, true)) && events == ((true, false, false)))
      step()
      dut.io.written.poke(0)
      dut.io.flushing.poke(true)
      dut.io.trying.poke(true)
      for (_ <- 0 until 5) {
        assert(keys == ((to, from, true)) && events == none)
        step()
      }
      dut.io.flushing.poke(false)
      step()
      for (_ <- 0 until 3) {
        assert(keys == ((to, from, false)) && events == none, "the old key goes while a line is tried under it")
        step()
      }
      dut.io.trying.poke(false)
      assert(keys == ((to, from, false)) && events == ((false, true, false)))
      step()
      usable(KeySlot.static, to)
      for (_ <- 0 until 3) {
        assert(keys == ((to, from, false)) && !dut.io.flush.peekBoolean() && !dut.io.lost.peekBoolean())
        step()
      }
      dut.io.ending.poke(false)
      dut.io.writing.poke(0)
      assert(keys == ((to, to, false)) && events == none)
      step()
      assert(keys == ((to, to, false)) && events == none)
      usable(KeySlot.static, KeySlot.dynamic, KeySlot.spare)
    }
  }
  private val turns = Seq(KeySlot.dynamic -> KeySlot.spare, KeySlot.spare -> KeySlot.dynamic)

  test("a flush follows the writes that were in flight and no later ones; both keys are tried until it is over") {
    simulate(new TreeKeyChange(writes)) { dut =>
      for (inFlight <- 0 until 8) withClue(s"writes $inFlight: ") {
        val bench = new Bench(dut)
        for ((from, to) <- turns) {
          bench.sweep(from, to, inFlight)
          val each = (0 until writes).filter(i => (inFlight >> i & 1) == 1)
          for (write <- each) {
            for (_ <- 0 until 3) {
              assert(bench.keys == ((to, from, true)) && bench.events == bench.none, "a write is left out")
              step()
            }
            dut.io.written.poke(1 << write)
            assert(bench.events == bench.none)
            step()
            dut.io.written.poke(0)
          }
          bench.end(from, to)
        }
      }
    }
  }

  test("either key that is lost before the old one may go halts the engine") {
    simulate(new TreeKeyChange(writes)) { dut =>
      for ((lost, left) <- Seq(KeySlot.dynamic -> KeySlot.spare, KeySlot.spare -> KeySlot.dynamic)) {
        // While writes are in flight, while the flush is on, while a line is tried
        for (when <- 0 until 3) withClue(s"slot $lost, stage $when: ") {
          val bench = new Bench(dut)
          bench.sweep(KeySlot.dynamic, KeySlot.spare, inFlight = if (when == 0) 1 else 0)
          dut.io.flushing.poke(when == 1)
          dut.io.trying.poke(true)
          step(4)
          assert(bench.events == bench.none)
          bench.usable(KeySlot.static, left)
          dut.io.lost.expect(true)
          step()
          dut.io.lost.expect(true)
          bench.usable(KeySlot.static, KeySlot.dynamic, KeySlot.spare)
          dut.io.lost.expect(false)
          for (port <- Seq(dut.io.ending, dut.io.flushing, dut.io.trying)) port.poke(false)
          dut.io.writing.poke(0)
        }
      }
      // The new key is needed for ever
      val bench = new Bench(dut)
      bench.sweep(KeySlot.dynamic, KeySlot.spare, inFlight = 0)
      step(4)
      dut.io.mayZeroize.expect(true)
      bench.usable(KeySlot.static)
      dut.io.lost.expect(true)
    }
  }
}
