package hauberk.contexts

import chisel3._
import chisel3.util.Valid
import hauberk.fault.{DetectFaults, FaultChecks, NoFaultChecks}
import hauberk.testing.{Elaborate, FaultInjector, FaultSite, Flip, StoredState}
import org.scalatest.funsuite.AnyFunSuite

/** A table with a port, whose state can be flipped. */
private class FaultyOwners(p: ContextParams, sites: Seq[FaultSite]) extends Owners(p, ports = 1) {
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(sites) := flip
}

/** Single flips in the table of owners and in what a port knows: nobody gets a page that is another's. */
// covers: contexts.faults
class OwnerFaultSpec extends AnyFunSuite with OwnersBench {
  private def params(faults: FaultChecks) = ContextParams(contexts = 5, pages = 32, owners = 2, faults = faults)

  /** Flips each bit: look-ups that were right, that were denied to all contexts, and that gave a page away. */
  private def flips(p: ContextParams): (Int, Int, Int) = {
    val sites = StoredState.in(Elaborate(new Owners(p, 1)), "Owners") {
      case ("OwnerCache", name) => name.matches("(valid|pages|owners)_\\d+")
      case (_, name) => name.matches("table_ext|table")
    }
    for (name <- Seq("valid", "pages", "owners", "Memory"))
      assert(sites.exists(_.path.contains(name)), s"$name is not among ${sites.map(_.path)}")
    val (known, hidden) = (Seq(3, 21), 9) // pages that the port knows, and one that it does not
    val words = (0 to p.contexts).map(word(p, _))
    var (right, denied, wrong) = (0, 0, 0)
    simulate(new FaultyOwners(p, sites)) { dut =>
      val owners = Map(3 -> 4, 21 -> 1, hidden -> 5, 22 -> 2, 0 -> 3).withDefaultValue(0)
      def owner(page: Int) = answer(dut, 0, page)
      dut.flip.valid.poke(false)
      for ((site, row, bit) <- FaultInjector.bits(sites)) {
        dut.io.change.valid.poke(false)
        resetDesign(dut)
        stepUntil(dut.io.change.ready, limit = 10)
        for ((page, owner) <- owners) give(dut, page, owner)
        for (page <- known) assert(owner(page) == words(owners(page)))
        FaultInjector.flip(this, dut.flip, site, row, bit)(step())
        for (page <- known ++ Seq(hidden, 0, 22, 19, 1)) owner(page) match {
          case word if word == words(owners(page)) => right += 1
          case word if !words.contains(word) => denied += 1
          case _ => wrong += 1
        }
      }
    }
    (right, denied, wrong)
  }

  /** An owner as it is kept: with even parity above, if flips are noticed. */
  private def word(p: ContextParams, spid: Int): BigInt =
    if (p.faults == NoFaultChecks) spid else BigInt(spid) | BigInt(Integer.bitCount(spid) % 2) << p.spidBits

  test("after any flip a page is its owner's, or no context's") {
    val (right, denied, wrong) = flips(params(DetectFaults))
    info(s"$denied look-ups denied, $right right")
    assert(wrong == 0 && denied > 10 && right > 500)
  }
  test("without checks flips give pages away") {
    assert(flips(params(NoFaultChecks))._3 > 10)
  }
  test("nobody may access a page whose owner has a flip, but the microcode") {
    val p = params(DetectFaults)
    simulate(new Module {
      val principal = IO(Input(new Principal(p)))
      val owner = IO(Input(UInt(p.ownerBits.W)))
      val may = IO(Output(Bool()))
      may := principal.mayAccess(owner)
    }) { dut =>
      for {
        spid <- 0 to p.contexts
        of <- 0 to p.contexts
        flipped <- -1 until p.ownerBits
      } {
        dut.principal.spid.poke(spid)
        dut.owner.poke(if (flipped < 0) word(p, of) else word(p, of).flipBit(flipped))
        dut.principal.microcode.poke(true)
        dut.may.expect(true)
        dut.principal.microcode.poke(false)
        dut.may.expect(flipped < 0 && (of == 0 || of == spid))
      }
    }
  }
}
