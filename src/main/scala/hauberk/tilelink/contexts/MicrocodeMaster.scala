package hauberk.tilelink.contexts

import chisel3._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.{QuietRegisters, ReadsForTiles, RegisterMap}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A master that serves the microcode: it accesses pages whoever owns them, as registers ask it to, and shows no data. Its registers must be behind a
  * [[TLTilesOnly]], and closed to all but machine mode.
  *
  * @param device    its name
  * @param slots     accesses under way
  * @param address   of the control registers
  * @param beatBytes width in bytes of the bus of the control registers
  */
private[contexts] abstract class MicrocodeMaster(device: String, slots: Int, address: BigInt, beatBytes: Int)(implicit
    p: Parameters
) extends LazyModule
    with QuietRegisters
    with ReadsForTiles {

  /** To a bus of eight bytes. */
  val node = TLClientNode(Seq(TLClientPortParameters(Seq(
    TLMasterParameters.v1(name = device, sourceId = IdRange(0, slots))
  ))))
  val controlNode = TLRegisterNode(
    RegisterMap.block(address),
    new SimpleDevice(device, Seq(s"hauberk,$device")),
    beatBytes = beatBytes
  )

  /** Its port, which takes every answer at once and caches nothing: the requests are left to drive. */
  protected def port: (TLBundle, TLEdgeOut) = {
    val (out, edge) = node.out.head
    require(
      edge.manager.beatBytes == 8,
      s"the ${device.replace('-', ' ')} is at a bus of ${edge.manager.beatBytes} bytes: put a TLWidthWidget(8) between them"
    )
    out.d.ready := true.B
    out.b.ready := true.B
    out.c.valid := false.B
    out.e.valid := false.B
    (out, edge)
  }
}
