package hauberk.contexts

import chisel3._
import hauberk.testing.Simulation

/** A table with some ports. */
private[contexts] class Owners(val p: ContextParams, val ports: Int) extends Module {
  val io = IO(new Bundle {
    val change = Flipped(chisel3.util.Decoupled(new Ownership(p)))
    val page = Input(Vec(ports, UInt(p.pageNumberBits.W)))
    val known = Output(Vec(ports, Bool()))
    val owner = Output(Vec(ports, UInt(p.ownerBits.W)))
  })
  private val table = Module(new PageOwners(p, ports))
  table.io.change <> io.change
  for (i <- 0 until ports) {
    val cache = Module(new OwnerCache(p))
    cache.io.page.valid := true.B
    cache.io.page.bits := io.page(i)
    io.known(i) := cache.io.known
    io.owner(i) := cache.io.owner
    table.io.lookup(i) <> cache.io.table
    cache.io.changed := io.change.valid && io.change.ready
  }
}

/** Asks such a table, and tells it of owners. */
private[contexts] trait OwnersBench extends Simulation {
  protected def answer(dut: Owners, port: Int, page: Int): BigInt = {
    dut.io.page(port).poke(page)
    stepUntil(dut.io.known(port), limit = 20)
    dut.io.owner(port).peek()
  }

  /** Changes the owner of a page, once the table is cleared. */
  protected def give(dut: Owners, page: Int, owner: Int): Unit = {
    dut.io.change.valid.poke(true)
    dut.io.change.bits.page.poke(page)
    dut.io.change.bits.owner.poke(owner)
    step()
    dut.io.change.valid.poke(false)
  }
}
