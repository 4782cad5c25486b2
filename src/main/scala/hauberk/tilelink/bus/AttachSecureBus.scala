package hauberk.tilelink.bus

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.subsystem.{CacheBlockBytes, ExtMem}
import freechips.rocketchip.tilelink.{TLFragmenter, TLNode}
import hauberk.compat.{CoherencePoint, TilePorts}
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.{AtTilePorts, Provisioning, TestEntropy}
import hauberk.tilelink.protector.{AttachExportGates, MemoryProtectionKey}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** Puts one secure bus between all tiles of a subsystem and its system bus. */
object AttachSecureBus {

  /** The node for one more tile. The first call makes the bus, and ties its registers to the subsystem. */
  def apply(context: TilePorts.Context): TLNode = in(context).getOrElse(make(context)).port()

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] =
    Refusal.broken(
      p(
        SecureBusKey
      ).isDefined -> "a fragment takes away the secure bus that WithSecureBus brings: leave one of the two out",
      !AttachExportGates.wanted(p) ->
        ("the export gates in the tiles get the state of verification over wires beside the secure bus, on which an attacker opens them: use a scheme that " +
          "verifies before use, such as WithBonsaiTreeBlocking, or one without integrity, or leave WithSecureBus out")
    ) ++ Provisioning.complaints(p(SecureBusKey).map(_.secrets), "the secure bus") ++ AtTilePorts.complaints(
      "the secure bus",
      "WithSecureBus"
    ) ++ p(SecureBusKey).flatMap(_.pads).toSeq.flatMap(_ =>
      padComplaints
    )

  /** The secure bus of a subsystem, if it has one. */
  def in(context: TilePorts.Context): Option[TLSecureBus] =
    TilePorts.scope(context).getChildren.collectFirst { case bus: TLSecureBus => bus }

  /** Its pins, for the edge of the chip; none unless its secrets are [[Provisioning.Punchthrough]]. */
  def chipPins(context: TilePorts.Context): Option[BusChipPins] =
    TilePorts.scope(context).getChildren.collectFirst { case pins: BusChipPins => pins }

  private def make(context: TilePorts.Context): TLSecureBus = {
    implicit val p: Parameters = context.p
    val params = p(SecureBusKey).get
    val controlBus = TilePorts.controlBus(context)
    val made = TilePorts.scope(context) {
      val secure_bus =
        LazyModule(new TLSecureBus(params, p(CacheBlockBytes), controlBus.beatBytes, params.pads.map(_ => memory)))
      secure_bus
    }
    AtTilePorts.requireAll(context, made, "are on the secure bus", "WithSecureBus")
    controlBus.coupleTo("secure_bus") { made.controlNode := TLFragmenter(controlBus) := _ }
    params.secrets match {
      case Provisioning.Pins =>
      case Provisioning.Punchthrough => TilePorts.scope(context) { bring(made) }
      case testKeys: Provisioning.TestKeys => TilePorts.scope(context) { provide(made, testKeys) }
    }
    made
  }

  /** Takes the secrets of a bus to the edge of the chip. */
  private def bring(bus: TLSecureBus)(implicit p: Parameters): Unit = {
    val chip_pins = LazyModule(new BusChipPins(() => bus.busParams.members))
    InModuleBody {
      bus.module.pins.fuse := chip_pins.module.inner.fuse
      bus.module.pins.entropy <> chip_pins.module.inner.entropy
      tieOff(bus)
    }
  }

  /** Drives the pins of a bus whose secrets are made in the SoC. */
  private def provide(bus: TLSecureBus, testKeys: Provisioning.TestKeys)(implicit p: Parameters): Unit = {
    val entropy = LazyModule(new TestEntropy(testKeys, Provisioning.bus))
    InModuleBody {
      val pins = bus.module.pins
      pins.entropy <> entropy.module.words
      pins.fuse.useTestKeys(testKeys)
      tieOff(bus)
    }
  }

  /** Ties: no tile encrypts for memory, and no adversary is on the shared bus. */
  private def tieOff(bus: TLSecureBus): Unit = {
    val pins = bus.module.pins
    pins.wrappedKey.foreach(_ := 0.U)
    pins.taps := 0.U.asTypeOf(pins.taps)
  }

  /** All DRAM, which tiles encrypt if they do. */
  private def memory(implicit p: View): AddressSet = {
    val dram = p(ExtMem).get.master
    AddressSet(dram.base, dram.size - 1)
  }

  /** Why tiles cannot encrypt for memory. */
  private def padComplaints(implicit p: View): Seq[String] = {
    val dram = p(ExtMem).filter(_.nMemoryChannels > 0).map(_.master)
    Refusal.broken(
      p(MemoryProtectionKey).isEmpty ->
        "tiles that encrypt for memory, and a memory protector that would do it again: leave out WithTilePads or WithMemoryProtection",
      dram.isDefined -> "tiles that encrypt for memory, and no memory port: leave out WithTilePads",
      !CoherencePoint.hasBypass ->
        ("tiles that encrypt for memory, and an incoherent alias of DRAM, over which it is ciphertext: leave out WithExtMemSbusBypass, and what " +
          "replicates the memory bus")
    ) ++ dram.toSeq.flatMap(port =>
      Refusal.broken(
        (port.size.bitCount == 1 && port.base % port.size == 0) ->
          (s"tiles encrypt for a memory whose size is a power of two, at a multiple of it, and this has ${port.size} bytes from " +
            s"0x${port.base.toString(16)}: use WithExtMemSize")
      )
    )
  }
}
