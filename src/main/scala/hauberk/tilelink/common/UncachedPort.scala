package hauberk.tilelink.common

import chisel3._
import freechips.rocketchip.tilelink.{TLBundle, TLEdge}

/** The channels of a port above which nothing is cached: B, C and E carry nothing, in either direction. */
private[tilelink] object UncachedPort {

  /** Nothing is cached above this edge. */
  def is(edge: TLEdge): Boolean = !(edge.manager.anySupportAcquireB && edge.client.anySupportProbe)

  def tieOff(in: TLBundle, out: TLBundle): Unit = {
    in.b.valid := false.B
    in.b.bits := DontCare
    in.c.ready := true.B
    in.e.ready := true.B
    out.b.ready := true.B
    out.c.valid := false.B
    out.c.bits := DontCare
    out.e.valid := false.B
    out.e.bits := DontCare
  }
}
