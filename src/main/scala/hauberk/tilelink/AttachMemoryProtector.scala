package hauberk.tilelink

import chisel3._
import freechips.rocketchip.subsystem.{CBUS, CacheBlockBytes, ExtMem}
import freechips.rocketchip.tilelink.{TLFragmenter, TLNode}
import hauberk.compat.CoherencePoint
import org.chipsalliance.cde.config.{Field, Parameters}
import org.chipsalliance.diplomacy.lazymodule._

/** The memory protector of a subsystem; none means no hardware. */
case object MemoryProtectionKey extends Field[Option[MemoryProtectorParams]](None)

/** Puts a memory protector into a subsystem, on the memory side of its coherence manager. */
object AttachMemoryProtector {

  /** The memory to protect, of all there is. */
  def region(params: MemoryProtectorParams)(implicit p: Parameters): ProtectedRegion = {
    val dram = p(ExtMem).map(_.master)
    require(dram.isDefined, "there is no external memory to protect: configure a memory port")
    val (base, bytes) = params.region.getOrElse((dram.get.base, dram.get.size))
    require(
      bytes > 0 && base >= dram.get.base && base + bytes <= dram.get.base + dram.get.size,
      f"the protected region 0x$base%x to 0x${base + bytes - 1}%x is not DRAM, which is at 0x${dram.get.base}%x to " +
        f"0x${dram.get.base + dram.get.size - 1}%x: protect a part of that"
    )
    ProtectedRegion(base, bytes, p(CacheBlockBytes))
  }

  /** Makes the protector, ties its registers and interrupt to the subsystem, and returns its node. */
  def apply(context: CoherencePoint.Context, params: MemoryProtectorParams): TLNode = {
    implicit val p: Parameters = context.p
    require(
      CoherencePoint.banks > 0,
      "there is no coherence manager to protect the memory side of: configure at least one bank (WithNBanks)"
    )
    require(
      !CoherencePoint.hasBypass,
      "DRAM has an incoherent alias, a way around the memory protector: leave out WithExtMemSbusBypass, and what replicates the memory bus"
    )
    val controlBus = CoherencePoint.bus(context, CBUS)
    val memory_protector = LazyModule(new TLMemoryProtector(params, region(params), controlBus.beatBytes))
    controlBus.coupleTo("memory_protector") { memory_protector.controlNode := TLFragmenter(controlBus) := _ }
    context.ibus.fromSync := memory_protector.interruptNode
    params.secrets match {
      case Provisioning.Pins =>
      case development: Provisioning.Development =>
        require(
          params.scheme.verification.blocks,
          "cores could use what is not verified yet, and in an SoC with development secrets nothing holds back what leaves the chip until it " +
            "is: use a scheme that verifies before use, such as WithBonsaiTreeBlocking"
        )
        val entropy = LazyModule(new DevelopmentEntropy(development, Provisioning.protector))
        InModuleBody {
          val pins = memory_protector.module.pins
          pins.entropy <> entropy.module.words
          pins.fuse.valid := false.B
          pins.fuse.deviceKey := 0.U
          memory_protector.module.checkForExport := false.B
        }
    }
    params.boot match {
      case ProtectorBoot.FromPackage => memory_protector.node
      case ProtectorBoot.Alone =>
        val hold = LazyModule(new TLHold)
        InModuleBody { hold.module.open := memory_protector.module.open }
        memory_protector.node :*= hold.node
    }
  }

  /** The protector of a subsystem, if it has one. */
  def in(context: CoherencePoint.Context): Option[TLMemoryProtector] =
    CoherencePoint.interposed(context).collectFirst { case protector: TLMemoryProtector => protector }
}
