package hauberk.tilelink.contexts

import chisel3._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common.{Join, TLDenier, TilesOnly, UncachedPort}
import hauberk.tilelink.exports.TLRequestGates
import hauberk.tilelink.protector.AttachExportGates
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Before what only tiles may access, through the guards at their ports: requests of all other masters are denied.
  *
  * @param guards those guards
  */
class TLTilesOnly(guards: TLContextGuards)(implicit p: Parameters) extends LazyModule with TilesOnly {
  val node = TLAdapterNode(managerFn =
    port => port.v1copy(managers = port.managers.map(_.v1copy(mayDenyGet = true, mayDenyPut = true)))
  )

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    node.in.zip(node.out).foreach { case ((in, edge), (out, _)) =>
      val tiles = edge.client.clients.filter(guards.guard)
      require(
        tiles.nonEmpty,
        "no tile is known by its guard where only tiles may pass: leave out what merges the tiles' requests"
      )
      require(
        !AttachExportGates.wanted(p) || tiles.forall(_.nodePath.exists(_.lazyModule.isInstanceOf[TLRequestGates])),
        "a tile has a guard of secure contexts and no export gate: put the scheme left of every fragment that makes tiles"
      )
      val mayPass = tiles.map(_.sourceId.contains(in.a.bits.source)).foldLeft(false.B)(_ || _)
      val denier = Module(new TLDenier(edge))
      denier.io.request.valid := in.a.valid && !mayPass
      denier.io.request.bits := in.a.bits
      out.a.valid := in.a.valid && mayPass
      out.a.bits := in.a.bits
      in.a.ready := Mux(mayPass, out.a.ready, denier.io.request.ready)
      val answers = Wire(chiselTypeOf(in.d))
      Join(answers, out.d)
      TLArbiter.robin(edge, in.d, answers, denier.io.answer)
      UncachedPort.tieOff(in, out)
    }
  }
}
