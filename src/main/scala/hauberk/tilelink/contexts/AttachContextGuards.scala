package hauberk.tilelink.contexts

import freechips.rocketchip.rocket.RocketCoreParams
import freechips.rocketchip.tile.TileParams
import freechips.rocketchip.tilelink.{TLFragmenter, TLIdentityNode, TLInwardNode, TLNode, TLWidthWidget}
import hauberk.compat.{CoherenceKind, CoherencePoint, Interposition, OutsideFeatures, TilePorts}
import hauberk.memory.common.Refusal
import hauberk.memory.integrity.Verification
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.common.{AtTilePorts, CoreFeature, Provisioning, TestEntropy}
import hauberk.tilelink.instruction.InstructionDecryptionKey
import hauberk.tilelink.protector.AttachMemoryProtector.dram
import hauberk.tilelink.protector.{AttachMemoryProtector, MemoryProtectionKey}
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
    CoherencePoint.atTiles(context).collectFirst { case guards: TLContextGuards => tie(context, guards, master_guard) }
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
      p(InstructionDecryptionKey).isEmpty ->
        "instruction decryption would change what a secure context executes after it was hashed: leave WithInstructionDecryption out",
      p(SecureBusKey).isEmpty ->
        "on a shared bus whoever holds it could turn a tile's access into one of the registers of secure contexts: leave WithSenss out",
      !(loadedByOthers && p(ContextGuardKey).exists(_.secrets.hasFuses)) ->
        "whoever writes the first program would read the secret in the fuses: take programs from packages (WithPackageBoot), or use WithTestKeys",
      !(OutsideFeatures.hasBootAddress(p) && p(ContextGuardKey).exists(_.secrets.hasFuses)) ->
        "whoever writes the boot address register would read the secret in the fuses: leave it out (in Chipyard add testchipip.boot.WithNoBootAddrReg), or use WithTestKeys"
    ) ++ Provisioning.complaints(
      p(ContextGuardKey).map(_.secrets),
      "the guard of secure contexts"
    ) ++ AtTilePorts.complaints(
      "the guard of secure contexts",
      "WithContextGuard"
    ) ++ protection ++ CoreFeature.complaints(
      CoreFeature.all,
      "WithContextGuard"
    ) ++ TilePorts.tileParams.flatMap(unfit).distinct ++
      (for {
        params <- p(ContextGuardKey).toSeq
        _ <- dram
      } yield Refusal.attempt(
        ContextGuardParams.shape(params, owned)
      ).fold(violations => violations, _ => Nil)).flatten

  /** Why what is in a context's pages would not be safe from who holds DRAM. */
  private def protection(implicit p: View): Seq[String] = {
    val whole = dram.map(port => (port.base, port.size))
    p(MemoryProtectionKey).fold(
      Seq(
        "secure contexts need a memory protector, or whoever holds DRAM reads them: add a scheme, such as WithBonsaiTree"
      )
    ) { params =>
      Refusal.broken(
        params.protection.integrity.detectsReplay ->
          "secure contexts need memory that nobody replays: use a scheme that detects it, such as WithBonsaiTree",
        (params.protection.verification != Verification.Speculative || p(ContextGuardKey).exists(_.unverified)) ->
          ("secure contexts would use what is not verified yet, and their addresses would tell secrets: put WithContextGuard to the left of the scheme, or use one " +
            "that verifies before use, such as WithBonsaiTreeBlocking; WithUnverifiedContexts accepts the loss"),
        !params.protection.integrity.takesOldValues ->
          "the log hash has no verdict on what a secure context read until the next check: use a scheme that verifies each read, such as WithBonsaiTree",
        (params.regions.isEmpty && params.region.forall(whole.contains(_))) ->
          "secure contexts need all of DRAM protected alike: leave regions out"
      )
    }
  }

  /** Why a tile cannot run contexts. */
  private def unfit(tile: TileParams): Seq[String] = tile.core match {
    case core: RocketCoreParams => Refusal.broken(
        (core.haveCFlush && tile.dcache.forall(_.nMSHRs == 0)) ->
          "secure contexts need data caches that software can empty: use Rocket's blocking ones, with CFLUSH (haveCFlush; in Chipyard WithCFlushEnabled)",
        core.mulDiv.forall(multiplier => multiplier.mulUnroll == 64 || !multiplier.mulEarlyOut) ->
          "the time of a multiplication would tell of the keys that the microcode multiplies: give every core a pipelined multiplier (mulUnroll = 64), as WithContextGuard does, or leave mulEarlyOut out",
        tile.dcache.forall(_.nMMIOs == 1) ->
          "an access that is under way while the SPID changes could fill a data cache behind the flush: give data caches one uncached access at a time (nMMIOs = 1)",
        (core.nPMPs >= 8) -> "the registers of secure contexts are closed by physical memory protection: give every core eight PMPs (nPMPs)"
      )
    case _ => Seq(
        "secure contexts are for Rocket tiles: other data caches cannot be emptied by software, or are filled unasked"
      )
  }

  /** Their pins, for the edge of the chip; none unless their secrets are [[hauberk.tilelink.common.Provisioning.Punchthrough]]. */
  def chipPins(context: TilePorts.Context): Option[ContextChipPins] =
    TilePorts.scope(context).getChildren.collectFirst { case pins: ContextChipPins => pins }

  /** The guards of a subsystem, if it has them. */
  def in(context: TilePorts.Context): Option[TLContextGuards] =
    TilePorts.scope(context).getChildren.collectFirst { case guards: TLContextGuards => guards }

  /** Programs come in no package, but by other masters. */
  private def loadedByOthers(implicit p: View): Boolean = p(MemoryProtectionKey).exists(!_.boot.takesPackages)

  private def owned(implicit p: View): OwnedMemory = OwnedMemory(dram.get.base, dram.get.size)

  private def make(context: TilePorts.Context): TLContextGuards = {
    implicit val p: Parameters = context.p
    val controlBus = TilePorts.controlBus(context)
    val made = TilePorts.scope(context) {
      val secure_contexts =
        LazyModule(new TLContextGuards(p(ContextGuardKey).get, owned, controlBus.beatBytes, loadedByOthers))
      secure_contexts
    }
    AtTilePorts.requireAll(context, made, "have their accesses checked", "WithContextGuard")
    val hasher = TilePorts.scope(context) {
      val hasher = LazyModule(new TLHasher(owned, HasherMap.all.base, controlBus.beatBytes))
      hasher
    }
    val clearer = TilePorts.scope(context) {
      val page_clearer = LazyModule(new TLPageClearer(owned, ClearerMap.all.base, controlBus.beatBytes))
      page_clearer
    }
    val microcode = TilePorts.scope(context) {
      val microcode = LazyModule(MicrocodeMemory(controlBus.beatBytes))
      microcode
    }
    val closed = Seq[(String, TLInwardNode)](
      "secure_contexts" -> made.controlNode,
      "hasher" -> hasher.controlNode,
      "page_clearer" -> clearer.controlNode,
      "microcode" -> microcode.node
    )
    for ((name, node) <- closed)
      controlBus.coupleTo(name) { bus =>
        val only = LazyModule(new TLTilesOnly(made))
        node := TLFragmenter(controlBus) := only.node := bus
      }
    for ((name, node) <- Seq("hasher" -> hasher.node, "page_clearer" -> clearer.node))
      TilePorts.systemBus(context).coupleFrom(name) { _ := TLWidthWidget(8) := node }
    CoherencePoint.interposed(context).collectFirst { case guard: TLMasterGuard => tie(context, made, guard) }
    provision(context, made)
    made
  }

  /** Ties the guards at the tiles, which have the table of owners, to all that asks for it at the coherence manager. */
  private def tie(context: CoherencePoint.Context, tiles: TLContextGuards, masters: TLMasterGuard): Unit = {
    masters.connect(tiles)
    AttachMemoryProtector.in(context).foreach(tiles.answer)
  }

  private def provision(context: TilePorts.Context, guards: TLContextGuards)(implicit p: Parameters): Unit =
    TilePorts.scope(context) {
      guards.params.secrets match {
        case Provisioning.Pins =>
        case Provisioning.Punchthrough =>
          val context_pins = LazyModule(new ContextChipPins)
          InModuleBody { guards.module.pins <> context_pins.module.inner }
        case testKeys: Provisioning.TestKeys =>
          val context_entropy = LazyModule(new TestEntropy(testKeys, Provisioning.contexts))
          InModuleBody {
            guards.module.pins.useTestKeys(testKeys)
            guards.module.pins.entropy <> context_entropy.module.words
          }
      }
    }
}
