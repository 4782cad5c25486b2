package hauberk.instruction

import chisel3.UInt
import chisel3.util.Valid
import hauberk.testing.Simulation

/** The port of a table of pages, as a test drives it. */
object MappingPort {

  /** Tells of a mapping in a cycle, and leaves the port idle; the error of that cycle. */
  def write(simulation: Simulation, port: Valid[PageMapping], error: UInt)(
      index: Int,
      page: BigInt,
      slot: Int,
      ancillary: BigInt = 0
  ): Int = {
    import simulation._
    port.bits.index.poke(index)
    port.bits.page.poke(page)
    port.bits.slot.poke(slot)
    port.bits.ancillary.poke(ancillary)
    port.valid.poke(true)
    val found = error.peek().toInt
    step()
    port.valid.poke(false)
    found
  }
}
