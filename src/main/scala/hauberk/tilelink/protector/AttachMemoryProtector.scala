package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.subsystem.{CacheBlockBytes, ExtMem, MasterPortParams}
import freechips.rocketchip.tilelink.{TLFragmenter, TLManagerParameters, TLNode}
import freechips.rocketchip.util.ElaborationArtefacts
import hauberk.compat.{CoherenceKind, CoherencePoint, Interposition}
import hauberk.fault.{FaultChecks, NoFaultChecks}
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.{Provisioning, TestEntropy}
import hauberk.tilelink.exports.Destinations
import org.chipsalliance.cde.config.{Field, Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** The memory protector of a subsystem; none means no hardware. */
case object MemoryProtectionKey extends Field[Option[MemoryProtectorParams]](None)

/** Puts a memory protector into a subsystem, on the memory side of its coherence manager. */
object AttachMemoryProtector {

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] =
    CoherencePoint.unattached(CoherenceKind.MemoryProtector) ++ Provisioning.complaints(
      p(MemoryProtectionKey).map(_.secrets),
      "the memory protector"
    ) ++ p(MemoryProtectionKey).fold(
      Seq("a fragment takes away the memory protector that WithMemoryProtection brings: leave one of the two out")
    ) { params =>
      Refusal.broken(
        (CoherencePoint.banks > 0) ->
          "there is no coherence manager to protect the memory side of: configure at least one bank (WithNBanks)",
        !CoherencePoint.hasBypass ->
          "DRAM has an incoherent alias, a way around the memory protector: leave out WithExtMemSbusBypass, and what replicates the memory bus",
        dram.isDefined -> "there is no external memory to protect: configure a memory port, with at least one channel"
      ) ++ dram.toSeq.flatMap { port =>
        val (base, bytes) = params.region.getOrElse((port.base, port.size))
        Refusal.broken(
          (bytes > 0 && base >= port.base && base + bytes <= port.base + port.size) ->
            (f"the protected region 0x$base%x to 0x${base + bytes - 1}%x is not DRAM, which is at 0x${port.base}%x to " +
              f"0x${port.base + port.size - 1}%x: protect a part of that")
        )
      } ++ Refusal.attempt(params.scheme).fold(violations => violations, _ => Nil)
    }

  /** Faults that it notices. */
  private[tilelink] def faults(implicit p: View): FaultChecks =
    p(MemoryProtectionKey).fold[FaultChecks](NoFaultChecks)(_.protection.faults)

  /** External memory, if there is any. */
  private[tilelink] def dram(implicit p: View): Option[MasterPortParams] =
    p(ExtMem).filter(_.nMemoryChannels > 0).map(_.master)

  /** Makes the protector and, if cores use what is not verified yet, the gate before the coherence manager; ties registers and interrupt to the
    * subsystem.
    */
  def apply(context: CoherencePoint.Context): Interposition = {
    implicit val p: Parameters = context.p
    val params = p(MemoryProtectionKey).get
    val (base, bytes) = params.region.getOrElse((dram.get.base, dram.get.size))
    val controlBus = CoherencePoint.controlBus(context)
    val line = p(CacheBlockBytes)
    val region = ProtectedRegion(base, bytes, params.blockBytes.getOrElse(line), line)
    val memory_protector = LazyModule(new TLMemoryProtector(params, region, controlBus.beatBytes))
    controlBus.coupleTo("memory_protector") { memory_protector.controlNode := TLFragmenter(controlBus) := _ }
    CoherencePoint.interrupt(context, memory_protector.interruptNode)
    AttachCounterSteering.collector(memory_protector)
    params.secrets match {
      case Provisioning.Pins =>
      case Provisioning.Punchthrough =>
        val chip_pins = LazyModule(new ProtectorChipPins(params.boot))
        InModuleBody { memory_protector.module.pins <> chip_pins.module.inner }
      case testKeys: Provisioning.TestKeys =>
        val entropy = LazyModule(new TestEntropy(testKeys, Provisioning.protector))
        InModuleBody { memory_protector.module.pins.entropy <> entropy.module.words }
    }
    val behind = if (params.boot.armsItself) alone(memory_protector) else memory_protector.node
    InModuleBody {
      // What of DRAM is not protected was chosen with the region
      val whole = region.copy(base = dram.get.base, bytes = dram.get.size)
      if (!params.otherMemory)
        CoherencePoint.systemBusManagers(context).foreach(requireProtected(_, memory_protector, whole))
      val description = MemoryDescription(dram.get, Some(memory_protector), line)
      ElaborationArtefacts.add("hauberk.json", description.toJson.render(indent = 1))
    }
    Interposition(behind, AttachExportGates.before(context, memory_protector, params))
  }

  /** Refuses memory off the chip by another way, past the protector or around its engines: what tiles write there would be in plaintext.
    *
    * @param whole all of DRAM
    */
  private def requireProtected(
      manager: TLManagerParameters,
      protector: TLMemoryProtector,
      whole: ProtectedRegion
  ): Unit =
    require(
      !Destinations.isMemoryOffChip(manager) ||
        (manager.nodePath.exists(_.lazyModule == protector) && manager.address.forall(whole.outside(_).isEmpty)),
      s"${manager.name} is memory off the chip that the memory protector does not stand before: leave it out, or allow it to be in plaintext " +
        "(WithOtherMemoryInTheClear)"
    )

  /** A protector that boots alone, between what waits until it has and memory, which it waits for. */
  private[tilelink] def alone(protector: TLMemoryProtector)(implicit p: Parameters): TLNode = {
    val hold = LazyModule(new TLGate)
    val settle = LazyModule(new TLResetDelay(ProtectorBoot.settleCycles))
    InModuleBody { hold.module.open := protector.module.open }
    settle.node :*= protector.node :*= hold.node
  }

  /** The protector of a subsystem, if it has one. */
  def in(context: CoherencePoint.Context): Option[TLMemoryProtector] =
    CoherencePoint.interposed(context).collectFirst { case protector: TLMemoryProtector => protector }

  /** Its pins, for the edge of the chip; none unless its secrets are [[Provisioning.Punchthrough]]. */
  def chipPins(context: CoherencePoint.Context): Option[ProtectorChipPins] =
    CoherencePoint.interposed(context).collectFirst { case pins: ProtectorChipPins => pins }
}
