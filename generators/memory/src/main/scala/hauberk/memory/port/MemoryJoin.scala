package hauberk.memory.port

import chisel3._

/** Joins the memory ports of units that have identifiers of their own. Hardware is added to the module that asks for it. */
private[memory] object MemoryJoin {

  /** Requests go out by priority, the first unit's first; responses come back by identifier. Adds no cycle.
    *
    * @param units each with its first identifier; it owns those up to the next higher one that is another's first
    */
  def apply(out: MemoryPort, units: Seq[(MemoryPort, Int)]): Unit = {
    val arbiter = Module(new MemoryArbiter(out.params, units.size))
    out.request <> arbiter.io.out
    val firsts = units.map { case (_, first) => first }
    val here = firsts.map { first =>
      val end = firsts.filter(_ > first).sorted.headOption
      out.response.bits.id >= first.U && end.map(e => out.response.bits.id < e.U).getOrElse(true.B)
    }
    for ((((port, _), mine), in) <- units.zip(here).zip(arbiter.io.in)) {
      in <> port.request
      port.response.valid := out.response.valid && mine
      port.response.bits := out.response.bits
    }
    out.response.ready := units.zip(here).map { case ((port, _), mine) => mine && port.response.ready }.reduce(_ || _)
  }
}
