package hauberk.instruction

import hauberk.fault.DetectFaults
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The table unit alone, beside a model of it, with any of its events in one cycle. */
class TableUnitSpec extends AnyFunSuite with Simulation {
  private val small = EmuParams(pages = 3, keySlots = 4)
  private val checked = small.copy(faults = DetectFaults)

  private class Entry(var page: Int, var slot: Int, var ancillary: BigInt, var current: Boolean, var stale: Boolean)

  private def events(p: EmuParams, pages: Seq[Int], searches: Int = 2): Unit =
    simulate(new TableUnit(p, searches)) { dut =>
      val random = new Random(3)
      val entries = Seq.fill(p.pages)(new Entry(0, 0, 0, current = false, stale = false))
      def oneIn(n: Int) = random.nextInt(n) == 0
      def among[T](values: T*): T = values(random.nextInt(values.size))
      for (cycle <- 0 until 6000) {
        if (cycle % 1000 == 500) {
          resetDesign(dut)
          for (entry <- entries) {
            entry.slot = 0
            entry.stale = false
          }
        }
        val (maps, rekeys, flushes) = (oneIn(2), oneIn(3), oneIn(4))
        val index = if (oneIn(8)) among(p.pages, p.pages + 1, 4 * p.pages - 1, 65535) else random.nextInt(p.pages)
        val slot =
          if (oneIn(8)) among(p.keySlots, p.keySlots + 1, 2 * p.keySlots, 65532, 65535) else random.nextInt(p.keySlots)
        val (page, ancillary) = (pages(random.nextInt(pages.size)), BigInt(128, random))
        val rekeyed = random.nextInt(p.keySlots)
        val usable = Seq.fill(p.keySlots)(!oneIn(8))
        dut.io.mapping.valid.poke(maps)
        dut.io.mapping.bits.index.poke(index)
        dut.io.mapping.bits.slot.poke(slot)
        dut.io.mapping.bits.page.poke(page)
        dut.io.mapping.bits.ancillary.poke(ancillary)
        dut.io.rekeyed.valid.poke(rekeys)
        dut.io.rekeyed.bits.poke(rekeyed)
        dut.io.flushed.poke(flushes)
        dut.io.usable.zip(usable).foreach { case (port, value) => port.poke(value) }

        val isElsewhere = entries.indices.exists(i => i != index && entries(i).slot != 0 && entries(i).page == page)
        val error =
          if (index >= p.pages) EmuError.badIndex
          else if (slot >= p.keySlots) EmuError.badSlot
          else if (slot == 0) EmuError.none
          else if (isElsewhere) EmuError.duplicatePage
          else if (!usable(slot)) EmuError.noKey
          else EmuError.none
        val writes = maps && error == EmuError.none
        if (maps) dut.io.error.expect(error)
        dut.io.changed.mapping.expect(writes)
        if (writes) dut.io.changed.index.expect(index)
        dut.io.changed.key.expect(rekeys)
        if (rekeys) dut.io.changed.slot.expect(rekeyed)
        dut.io.stale.expect(entries.exists(_.stale))
        for (port <- dut.io.search) {
          // One that is mapped, or differs in one bit from one
          val wanted = among(pages: _*) ^ (if (oneIn(2)) 0 else 1 << random.nextInt(p.pageNumberBits))
          port.page.poke(wanted)
          val at = entries.indexWhere(entry => entry.slot != 0 && entry.page == wanted)
          port.encrypted.expect(at >= 0)
          if (at < 0) port.refused.expect(false)
          else {
            val entry = entries(at)
            port.index.expect(at)
            port.slot.expect(entry.slot)
            port.ancillary.expect(entry.ancillary)
            val changes = writes && index == at || rekeys && rekeyed == entry.slot
            port.refused.expect(entry.stale && !flushes || changes || !usable(entry.slot) || !entry.current)
          }
        }
        step()
        if (rekeys) entries.filter(_.slot == rekeyed).foreach(_.current = false)
        if (flushes) entries.foreach(_.stale = false)
        if (writes) {
          val entry = entries(index)
          entry.page = page
          entry.slot = slot
          entry.ancillary = ancillary
          entry.current = !(rekeys && rekeyed == slot)
          entry.stale = true
        }
      }
    }

  test("mappings, new keys, flushes and searches, any of them in one cycle") {
    events(small, Seq(0x10, 0x11, 0x12, 0x14))
    events(checked, Seq(0x10, 0x11, 0x12, 0x14), searches = 1)
    events(EmuParams(), 0x10 +: Seq.tabulate(19)(bit => 0x10 ^ (1 << bit)))
  }

  test("every bit of a page's number is compared, at every entry, by each search and by a mapping") {
    for ((p, searches) <- Seq(EmuParams() -> 2, checked -> 1)) simulate(new TableUnit(p, searches)) { dut =>
      val random = new Random(4)
      val mapping = dut.io.mapping
      dut.io.rekeyed.valid.poke(false)
      dut.io.flushed.poke(false)
      dut.io.usable.foreach(_.poke(true))
      mapping.valid.poke(false)
      for (index <- 0 until p.pages) {
        val (page, elsewhere) = (BigInt(p.pageNumberBits, random), (index + 1) % p.pages)
        def map(slot: Int): Unit = {
          assert(MappingPort.write(this, mapping, dut.io.error)(index, page, slot) == EmuError.none)
          mapping.bits.slot.poke(1)
          mapping.bits.index.poke(elsewhere)
        }
        def is(asked: BigInt, mapped: Boolean): Unit = {
          mapping.bits.page.poke(asked)
          dut.io.error.expect(if (mapped) EmuError.duplicatePage else EmuError.none)
          for (port <- dut.io.search) {
            port.page.poke(asked)
            port.encrypted.expect(mapped)
            if (mapped) port.index.expect(index)
          }
        }
        map(slot = 1)
        is(page, mapped = true)
        for (bit <- 0 until p.pageNumberBits) is(page.flipBit(bit), mapped = false)
        map(slot = 0)
        is(page, mapped = false)
      }
    }
  }
}
