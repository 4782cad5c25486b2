package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.fault.DetectFaults
import hauberk.testing.{Elaborate, FaultInjector, FaultSite, Flip, Simulation, StoredState}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A table of pages whose state can be flipped. */
private class FaultyTable(val p: EmuParams, val sites: Seq[FaultSite]) extends Module {
  private val unit = Module(new TableUnit(p, 1))
  val io = IO(chiselTypeOf(unit.io))
  io <> unit.io
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(sites.map(_.within("unit"))) := flip
}

/** Single flips in the table of pages: a fetch gets what its page is mapped to, or is refused. */
// covers: instruction.faults
class TableFaultSpec extends AnyFunSuite with Simulation {
  private val p = EmuParams(pages = 3, keySlots = 4, faults = DetectFaults)

  private def sitesOf(p: EmuParams, names: String*): Seq[FaultSite] = {
    val sites = StoredState.in(Elaborate(new TableUnit(p, 1)), "TableUnit")((_, name) =>
      name.matches(names.mkString("(", "|", ")") + "(_\\d+|_ext)?")
    )
    for (name <- names) assert(sites.exists(_.path.contains(name)), s"$name is not among ${sites.map(_.path)}")
    sites
  }

  private def flips(p: EmuParams): (Int, Int, Int) = {
    val sites = sitesOf(p, "keptPage", "keptSlot", "current", "stale", "ancillary")
    var (corrected, refused, wrong) = (0, 0, 0)
    simulate(new FaultyTable(p, sites)) { dut =>
      val random = new Random(63)
      val search = dut.io.search.head
      dut.io.rekeyed.valid.poke(false)
      dut.io.usable.foreach(_.poke(true))
      dut.io.flushed.poke(false)
      dut.flip.valid.poke(false)
      val mapped = Seq((0, 0x80001, 1, BigInt(128, random)), (2, 0x80005, 3, BigInt(128, random)))
      val map = MappingPort.write(this, dut.io.mapping, dut.io.error) _
      for ((site, row, bit) <- FaultInjector.bits(sites)) {
        resetDesign(dut)
        for ((index, page, slot, ancillary) <- mapped) assert(map(index, page, slot, ancillary) == EmuError.none)
        dut.io.flushed.poke(true)
        step()
        dut.io.flushed.poke(false)
        FaultInjector.flip(this, dut.flip, site, row, bit)(step())
        for (page <- Seq(0x80001, 0x80005, 0x80004, 0x80009, 7)) {
          search.page.poke(page)
          val is = (search.encrypted.peekBoolean(), search.slot.peek().toInt, search.ancillary.peek())
          mapped.find(_._2 == page) match {
            case _ if search.refused.peekBoolean() => refused += 1
            case Some((_, _, slot, ancillary)) if is == ((true, slot, ancillary)) => corrected += 1
            case None if !is._1 => corrected += 1
            case _ => wrong += 1
          }
        }
      }
    }
    (corrected, refused, wrong)
  }

  test("after any flip a page is as it is mapped, or refused") {
    val (corrected, refused, wrong) = flips(p)
    info(s"$refused look-ups refused, $corrected right")
    assert(wrong == 0 && refused > 100 && corrected > 1000)
  }
  test("any flip of ancillary data is corrected, and of two in a part the page is refused") {
    val sites = sitesOf(p, "ancillary")
    simulate(new FaultyTable(p, sites)) { dut =>
      val random = new Random(64)
      val search = dut.io.search.head
      dut.io.usable.foreach(_.poke(true))
      dut.io.flushed.poke(true)
      val width = sites.head.bits
      // Each of the two parts has 64 bits of data, below the check bits of both
      val parts = (0 until width).groupBy(bit => if (bit < 128) bit / 64 else (bit - 128) / 8).values.toSeq
      assert(width == 144 && parts.forall(_.size == 72))
      for {
        part <- parts
        bit <- part
      } {
        val (index, ancillary, others) = (random.nextInt(p.pages), BigInt(128, random), part.filter(_ != bit))
        def flip(bit: Int): Unit = FaultInjector.flip(this, dut.flip, site = 0, index, bit)(step())
        def is(refused: Boolean): Unit = {
          search.encrypted.expect(true)
          search.refused.expect(refused)
          if (!refused) search.ancillary.expect(ancillary)
        }
        search.page.poke(0x80001)
        val map = MappingPort.write(this, dut.io.mapping, dut.io.error) _
        assert(map(index, 0x80001, 1, ancillary) == EmuError.none)
        is(refused = false)
        flip(bit)
        is(refused = false)
        flip(others(random.nextInt(others.size)))
        is(refused = true)
        assert(map(index, 0, 0, 0) == EmuError.none)
      }
    }
  }
  test("without checks flips change what pages are mapped to") {
    assert(flips(EmuParams(pages = 3, keySlots = 4))._3 > 100)
  }
}
