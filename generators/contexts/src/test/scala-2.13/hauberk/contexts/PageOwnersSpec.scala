package hauberk.contexts

import chisel3._
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class PageOwnersSpec extends AnyFunSuite with OwnersBench {
  // covers: contexts.reset-owners
  test("all pages are nobody's after reset, from the first cycle on, whatever memory held") {
    for (p <- Seq(ContextParams(pages = 64), ContextParams(contexts = 5, pages = 32, owners = 3)))
      simulate(new Owners(p, ports = 2)) { dut =>
        dut.io.change.valid.poke(false)
        dut.io.change.bits.owner.poke(p.contexts) // of no change
        for (page <- Seq(p.pages - 1, 0, 16, 17)) assert(answer(dut, 0, page) == 0)
        stepUntil(dut.io.change.ready, limit = 10)
        for (page <- 0 until p.pages) assert(answer(dut, page % 2, page) == 0, s"page $page")
        // A row that is asked for in the first cycles has the owners from before the reset
        for (page <- 0 until p.pages) give(dut, page, p.contexts)
        for (page <- Seq(p.pages - 1, 0, 16, 17)) {
          resetDesign(dut)
          dut.io.page(1).poke(page ^ 16)
          assert(answer(dut, 0, page) == 0 && answer(dut, 1, page ^ 16) == 0)
        }
      }
  }

  // covers: contexts.reset-owners
  test("a port that asks in any cycle after reset is told that a page is nobody's") {
    for {
      p <- Seq(ContextParams(), ContextParams(contexts = 5, pages = 64), ContextParams(contexts = 255, pages = 64))
      ports <- Seq(1, 3)
    } simulate(new PageOwners(p, ports)) { dut =>
      val random = new Random(p.contexts)
      dut.io.change.bits.owner.poke(p.contexts)
      stepUntil(dut.io.change.ready, limit = p.pages)
      val clearing = 6
      for {
        port <- dut.io.lookup
        cycle <- 0 to clearing
      } {
        // Of a row that is cleared first, or last, or between
        val page = random.nextInt(p.pages) | (if (random.nextBoolean()) 0 else p.pages - ContextParams.pagesOfRow)
        dut.io.change.bits.page.poke(page)
        dut.io.change.valid.poke(true)
        step()
        dut.io.change.valid.poke(false)
        resetDesign(dut, cycles = 1)
        step(cycle)
        port.page.bits.poke(page)
        port.page.valid.poke(true)
        port.page.ready.expect(true)
        step()
        port.page.valid.poke(false)
        for (told <- dut.io.lookup) told.owner.expect(0)
        stepUntil(dut.io.change.ready, limit = p.pages)
      }
    }
  }

  // covers: contexts.owners
  test("a change is of its page alone, and none is of no page") {
    for (p <- Seq(ContextParams(), ContextParams(pages = 32))) simulate(new PageOwners(p, ports = 1)) { dut =>
      val random = new Random(16)
      val port = dut.io.lookup.head
      stepUntil(dut.io.change.ready, limit = p.pages)
      val first = p.pages - 2 * ContextParams.pagesOfRow
      val model = Array.fill(2 * ContextParams.pagesOfRow)(0)
      port.page.valid.poke(true)
      for (_ <- 0 until 4000) {
        val (changes, changed, asked, owner) =
          (random.nextInt(4) == 0, random.nextInt(model.length), random.nextInt(model.length), random.nextInt(9))
        dut.io.change.valid.poke(changes)
        dut.io.change.bits.page.poke(first + changed)
        dut.io.change.bits.owner.poke(owner)
        port.page.bits.poke(first + asked)
        port.page.ready.expect(!changes)
        step()
        if (changes) model(changed) = owner else port.owner.expect(model(asked))
      }
    }
  }

  for ((owners, pages, contexts) <- Seq((1, 32, 5), (3, 32, 5), (8, 64, 8), (4, 1 << 16, 255)))
    // covers: contexts.owners, contexts.owner-changes
    test(s"ports know the owners, $owners at a time, while these change in any cycle") {
      val p = ContextParams(contexts, pages = pages, owners = owners)
      simulate(new Owners(p, ports = 3)) { dut =>
        val random = new Random(owners)
        // A few pages, so that a port asks for what changes; the last is one of them. Now and then any other
        def any = if (random.nextInt(4) == 0) random.nextInt(pages) else pages - 1 - random.nextInt(5 * owners) % pages
        val model = Array.fill(pages)(0)
        dut.io.change.valid.poke(false)
        stepUntil(dut.io.change.ready, limit = pages)
        var checked = 0
        for (_ <- 0 until 20000) {
          for (port <- 0 until 3 if random.nextInt(4) == 0) dut.io.page(port).poke(any)
          val changes = random.nextInt(6) == 0
          val (page, owner) = (any, random.nextInt(contexts + 1))
          dut.io.change.valid.poke(changes)
          dut.io.change.bits.page.poke(page)
          dut.io.change.bits.owner.poke(owner)
          for (port <- 0 until 3 if dut.io.known(port).peekBoolean()) {
            dut.io.owner(port).expect(model(dut.io.page(port).peek().toInt))
            checked += 1
          }
          step()
          if (changes) model(page) = owner
        }
        assert(checked > 10000)
      }
    }

  // covers: contexts.owners
  test("every bit of a page's number is compared, whichever page a port knows") {
    val p = ContextParams()
    simulate(new Owners(p, ports = 1)) { dut =>
      val random = new Random(8)
      dut.io.change.valid.poke(false)
      stepUntil(dut.io.change.ready, limit = 5000)
      val known = random.shuffle((0 until p.pages).toList).take(p.owners)
      for ((page, owner) <- known.zip(LazyList.from(1))) give(dut, page, owner)
      for ((page, owner) <- known.zip(LazyList.from(1))) assert(answer(dut, 0, page) == owner)
      for (page <- known) {
        dut.io.page(0).poke(page)
        dut.io.known(0).expect(true)
        // Without a step nothing is asked for
        for (other <- Seq.tabulate(p.pageNumberBits)(bit => page ^ (1 << bit)) if !known.contains(other)) {
          dut.io.page(0).poke(other)
          dut.io.known(0).expect(false)
        }
      }
    }
  }

  // covers: contexts.owners
  test("a page that a port does not know takes two cycles, one that it knows none") {
    simulate(new Owners(ContextParams(), ports = 1)) { dut =>
      dut.io.change.valid.poke(false)
      stepUntil(dut.io.change.ready, limit = 5000)
      dut.io.page(0).poke(65535)
      assert(stepUntil(dut.io.known(0), limit = 10) == 2)
      dut.io.page(0).poke(7)
      assert(stepUntil(dut.io.known(0), limit = 10) == 2)
      dut.io.page(0).poke(65535)
      dut.io.known(0).expect(true)
    }
  }

  // covers: contexts.switch
  test("a principal changes when nothing is under way") {
    simulate(new ActiveContext(ContextParams())) { dut =>
      dut.io.active.spid.expect(0)
      dut.io.active.microcode.expect(false)
      dut.io.quiet.poke(false)
      dut.io.change.valid.poke(true)
      dut.io.change.bits.spid.poke(8)
      dut.io.change.bits.microcode.poke(false)
      step()
      dut.io.change.valid.poke(false)
      for (_ <- 0 until 5) {
        dut.io.active.spid.expect(0)
        dut.io.changing.expect(true)
        step()
      }
      // One that is replaced before it is active never is
      dut.io.change.valid.poke(true)
      dut.io.change.bits.spid.poke(3)
      step()
      dut.io.change.valid.poke(false)
      dut.io.quiet.poke(true)
      dut.io.changing.expect(true)
      step()
      dut.io.active.spid.expect(3)
      dut.io.changing.expect(false)
      // A change in the cycle in which another takes effect waits for its own
      for ((spid, quiet) <- Seq((4, false), (5, true))) {
        dut.io.quiet.poke(quiet)
        dut.io.change.valid.poke(true)
        dut.io.change.bits.spid.poke(spid)
        step()
      }
      dut.io.change.valid.poke(false)
      dut.io.quiet.poke(false)
      dut.io.active.spid.expect(4)
      dut.io.changing.expect(true)
      dut.io.quiet.poke(true)
      step()
      dut.io.active.spid.expect(5)
    }
  }

  // covers: contexts.switch
  test("a principal changes to the last valid one, and to no other") {
    simulate(new ActiveContext(ContextParams())) { dut =>
      val random = new Random(11)
      var (active, next, changing) = ((0, false), (0, false), false)
      for (cycle <- 0 until 2000) {
        if (cycle % 200 == 100) {
          resetDesign(dut)
          active = (0, false)
          next = (0, false)
          changing = false
        }
        val (given, quiet) = (random.nextInt(4) == 0, random.nextInt(4) == 0)
        val (spid, microcode) = (random.nextInt(9), random.nextBoolean())
        dut.io.change.valid.poke(given)
        dut.io.change.bits.spid.poke(spid)
        dut.io.change.bits.microcode.poke(microcode)
        dut.io.quiet.poke(quiet)
        dut.io.active.spid.expect(active._1)
        dut.io.active.microcode.expect(active._2)
        dut.io.changing.expect(changing)
        step()
        if (changing && quiet) active = next
        changing = given || changing && !quiet
        if (given) next = (spid, microcode)
      }
    }
  }

  // covers: contexts.denials
  test("the first denial is kept until it is cleared, and all are counted") {
    simulate(new DenialLog(ports = 3)) { dut =>
      val random = new Random(3)
      var (kept, count) = (Option.empty[(BigInt, Boolean, Int, Int)], 0)
      for (_ <- 0 until 3000) {
        val clears = random.nextInt(4) == 0
        dut.io.clear.poke(clears)
        // Some in the same cycle, and some in the cycle that makes room
        val denials = for (port <- 0 until 3) yield {
          val denial = (BigInt(64, random.self), random.nextBoolean(), random.nextInt(256), port)
          val valid = random.nextInt(4) == 0
          dut.io.denials(port).valid.poke(valid)
          dut.io.denials(port).bits.address.poke(denial._1)
          dut.io.denials(port).bits.write.poke(denial._2)
          dut.io.spids(port).poke(denial._3)
          if (valid) Some(denial) else None
        }
        step()
        count += denials.flatten.size
        kept = kept.filterNot(_ => clears).orElse(denials.flatten.headOption)
        dut.io.count.expect(count)
        dut.io.first.valid.expect(kept.nonEmpty)
        for ((address, write, spid, port) <- kept) {
          dut.io.first.bits.access.address.expect(address)
          dut.io.first.bits.access.write.expect(write)
          dut.io.first.bits.spid.expect(spid)
          dut.io.first.bits.port.expect(port)
        }
      }
    }
  }
}
