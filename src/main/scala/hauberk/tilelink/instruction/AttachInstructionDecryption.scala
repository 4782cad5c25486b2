package hauberk.tilelink.instruction

import chisel3._
import freechips.rocketchip.rocket.TracedInstruction
import freechips.rocketchip.subsystem.CacheBlockBytes
import freechips.rocketchip.tilelink.{TLFragmenter, TLNode}
import hauberk.compat.TilePorts
import hauberk.instruction.ReferenceSeal
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.{AtTilePorts, CoreFeature, Provisioning}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Puts instruction decryption at the master ports of all tiles of a subsystem, nearer to them than anything else there. */
object AttachInstructionDecryption {

  /** The node for one more tile. The first call makes the key unit and the hardware that all tiles share, and ties its registers to the subsystem.
    *
    * [[flushes]] must be called for the same tile before the next.
    */
  def apply(context: TilePorts.Context): TLNode = in(context).getOrElse(make(context)).port()

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] = Refusal.broken(
    p(InstructionDecryptionKey).isDefined -> "a fragment takes away the instruction decryption that WithInstructionDecryption brings: leave one of the two out"
  ) ++ Provisioning.complaints(
    p(InstructionDecryptionKey).map(_.secrets),
    "instruction decryption"
  ) ++ AtTilePorts.complaints(
    "instruction decryption",
    "WithInstructionDecryption"
  ) ++ CoreFeature.complaints(refused, "WithInstructionDecryption")

  /** Features of a core that show decrypted instructions themselves. Others show what a core that runs them does, which is not protected. */
  private val refused = Seq(CoreFeature.InstructionMemory, CoreFeature.TraceOffChip)

  /** Tells the unit of the tile that got the last node when its instruction cache becomes empty: with the end of the cycle in which it retires
    * FENCE.I, which Rocket's core does when it tells its instruction cache. To be called in the subsystem's own scope.
    *
    * @param retired the tile's trace of this cycle, in the clock of the system bus
    */
  def flushes(context: TilePorts.Context)(retired: => Seq[TracedInstruction])(implicit p: Parameters): Unit = {
    val fence = BundleBridgeSource(() => Bool())
    in(context).get.flushes.last := fence
    InModuleBody {
      fence.bundle := retired.map(slot => slot.valid && !slot.exception && slot.insn === fenceI.U).reduce(_ || _)
    }
  }

  /** The instruction decryption of a subsystem, if it has one. */
  def in(context: TilePorts.Context): Option[TLInstructionDecryption] =
    TilePorts.scope(context).getChildren.collectFirst { case decryption: TLInstructionDecryption => decryption }

  /** Its pins, for the edge of the chip; none unless its secrets are [[Provisioning.Punchthrough]]. */
  def chipPins(context: TilePorts.Context): Option[InstructionChipPins] =
    TilePorts.scope(context).getChildren.collectFirst { case pins: InstructionChipPins => pins }

  /** The one encoding of FENCE.I whose reserved fields are as they should be; a flush by another does not count. */
  private val fenceI = 0x100f

  private def make(context: TilePorts.Context): TLInstructionDecryption = {
    implicit val p: Parameters = context.p
    val params = p(InstructionDecryptionKey).get
    val controlBus = TilePorts.controlBus(context)
    val made = TilePorts.scope(context) {
      val instruction_decryption =
        LazyModule(new TLInstructionDecryption(params, p(CacheBlockBytes), controlBus.beatBytes))
      instruction_decryption
    }
    AtTilePorts.requireAll(context, made, "have their instructions decrypted", "WithInstructionDecryption")
    controlBus.coupleTo("instruction_decryption") { made.controlNode := TLFragmenter(controlBus) := _ }
    params.secrets match {
      case Provisioning.Pins =>
      case Provisioning.Punchthrough => TilePorts.scope(context) {
          val chip_pins = LazyModule(new InstructionChipPins)
          InModuleBody { made.module.pins <> chip_pins.module.inner }
        }
      case testKeys: Provisioning.TestKeys => TilePorts.scope(context) {
          InModuleBody { made.module.pins.useTestKeys(testKeys) }
        }
    }
    made
  }
}
