package hauberk.tilelink.contexts

import freechips.rocketchip.tilelink.{TLFragmenter, TLIdentityNode, TLNode, TLWidthWidget}
import hauberk.compat.{CoherenceKind, CoherencePoint, Interposition, TilePorts}
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.AtTilePorts
import hauberk.tilelink.protector.AttachMemoryProtector.dram
import hauberk.tilelink.protector.MemoryProtectionKey
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** Puts guards of secure contexts into a subsystem: at the master ports of its tiles, and before its coherence manager. */
object AttachContextGuards {

  /** The node for one more tile. The first call makes what all tiles share, and ties its registers to the subsystem. */
  def apply(context: TilePorts.Context): TLNode = in(context).getOrElse(make(context)).port()

  /** The node before the coherence manager, and one behind it that does nothing. Tiles may have been attached before. */
  def before(context: CoherencePoint.Context): Interposition = {
    implicit val p: Parameters = context.p
    val params = p(ContextGuardKey).get
    val memory = owned
    val master_guard = LazyModule(new TLMasterGuard(ContextGuardParams.shape(params, memory), memory))
    CoherencePoint.atTiles(context).collectFirst { case guards: TLContextGuards => master_guard.connect(guards) }
    val behind = TLIdentityNode()
    Interposition(behind, Some(master_guard.node))
  }

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] =
    CoherencePoint.unattached(CoherenceKind.ContextGuard) ++ Refusal.broken(
      p(
        ContextGuardKey
      ).isDefined -> "a fragment takes away the guard that WithContextGuard brings: leave one of the two out",
      dram.isDefined -> "there is no external memory whose pages could have owners: configure a memory port, with at least one channel",
      p(MemoryProtectionKey).isDefined ->
        "secure contexts need a memory protector, or whoever holds DRAM reads them: add a scheme, such as WithBonsaiTree"
    ) ++ Refusal.attempt(ContextGuardParams.shape(p(ContextGuardKey).get, owned)).fold(
      violations => violations,
      _ => Nil
    )

  /** The guards of a subsystem, if it has them. */
  def in(context: TilePorts.Context): Option[TLContextGuards] =
    TilePorts.scope(context).getChildren.collectFirst { case guards: TLContextGuards => guards }

  private def owned(implicit p: View): OwnedMemory = OwnedMemory(dram.get.base, dram.get.size)

  private def make(context: TilePorts.Context): TLContextGuards = {
    implicit val p: Parameters = context.p
    val controlBus = TilePorts.controlBus(context)
    val made = TilePorts.scope(context) {
      val secure_contexts = LazyModule(new TLContextGuards(p(ContextGuardKey).get, owned, controlBus.beatBytes))
      secure_contexts
    }
    AtTilePorts.requireAll(context, made, "have their accesses checked", "WithContextGuard")
    val hasher = TilePorts.scope(context) {
      val hasher = LazyModule(new TLHasher(owned, HasherMap.all.base, controlBus.beatBytes))
      hasher
    }
    for ((name, registers) <- Seq("secure_contexts" -> made.controlNode, "hasher" -> hasher.controlNode))
      controlBus.coupleTo(name) { bus =>
        val only = LazyModule(new TLTilesOnly(made))
        registers := TLFragmenter(controlBus) := only.node := bus
      }
    TilePorts.systemBus(context).coupleFrom("hasher") { _ := TLWidthWidget(8) := hasher.node }
    CoherencePoint.interposed(context).collectFirst { case guard: TLMasterGuard => guard.connect(made) }
    made
  }
}
