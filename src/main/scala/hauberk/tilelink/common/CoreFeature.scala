package hauberk.tilelink.common

import freechips.rocketchip.devices.debug.DebugModuleKey
import freechips.rocketchip.tile.{BuildRoCC, TileParams}
import hauberk.compat.{OutsideFeatures, TilePorts}
import org.chipsalliance.cde.config.View

/** A feature of a tile, or of the chip around it, that shows or keeps the contents of the tile's caches and registers. What isolates programs from each
  * other or from the outside names the features that it refuses.
  *
  * @param does    why it is unsafe
  * @param instead the change that removes it
  * @param isIn    whether a tile has it
  */
sealed abstract class CoreFeature(does: String, instead: String, isIn: (TileParams, View) => Boolean) {

  /** Whether one of the tiles has it. */
  def isThere(implicit p: View): Boolean = TilePorts.tileParams.exists(isIn(_, p))

  /** Why `fragment` refuses it. */
  def refusal(fragment: String): String = s"$does: $instead, or leave $fragment out"
}

object CoreFeature {
  case object InstructionMemory extends CoreFeature(
        "an instruction cache with an ITIM shows loads the instructions that it fetched, and FENCE.I does not clear them",
        "leave itimAddr out (in Chipyard WithRocketICacheScratchpad)",
        (tile, _) => tile.icache.exists(_.itimAddr.isDefined)
      )
  case object DataMemory extends CoreFeature(
        "a data scratchpad keeps what a program stores, and shows it to other programs and other masters",
        "leave scratch out (in Chipyard WithRocketDCacheScratchpad)",
        (tile, _) => tile.dcache.exists(_.scratch.isDefined)
      )
  case object BusErrorUnit extends CoreFeature(
        "a bus error unit keeps the addresses of a program's failed accesses for the next program",
        "leave beuAddr out",
        (tile, _) => TilePorts.hasBusErrorUnit(tile)
      )
  case object NonMaskableInterrupts extends CoreFeature(
        "a non-maskable interrupt leaves a program without the microcode, which would save and clear its registers",
        "leave useNMI out",
        (tile, _) => TilePorts.takesNmis(tile.core)
      )
  case object Hypervisor extends CoreFeature(
        "a hypervisor chooses the addresses of a program, and takes its interrupts",
        "leave useHypervisor out",
        (tile, _) => TilePorts.hasHypervisor(tile.core)
      )
  case object Vectors extends CoreFeature(
        "vector registers show what a program computed, because the microcode neither saves nor clears them",
        "leave vector out",
        (tile, _) => tile.core.useVector
      )
  case object CustomInstructions extends CoreFeature(
        "the core's own custom instructions (SCIE) take the place of the microcode's, and keep a program's values in registers that nobody clears",
        "leave useSCIE out",
        (tile, _) => TilePorts.hasCustomInstructions(tile.core)
      )
  case object TraceEncoder extends CoreFeature(
        "a trace encoder writes the branches of a program to memory",
        "leave traceParams out",
        (tile, _) => TilePorts.hasTraceEncoder(tile)
      )
  case object TraceOffChip extends CoreFeature(
        "a trace port that leaves the chip shows every instruction and its address",
        "leave TracePortKey out (in Chipyard add WithNoTraceIO)",
        (_, p) => OutsideFeatures.hasTracePort(p)
      )
  case object Debugger extends CoreFeature(
        "a debugger reads the registers and the memory of a program",
        "leave the debug module out (in Chipyard add WithNoDebug)",
        (_, p) => p(DebugModuleKey).isDefined
      )
  case object CacheControl extends CoreFeature(
        "the control registers of the inclusive cache drop what a program wrote, and bring back what memory had before",
        "set ctrlAddr of InclusiveCacheKey to None",
        (_, p) => OutsideFeatures.hasCacheControl(p)
      )
  case object Accelerators extends CoreFeature(
        "an accelerator continues for one program while another runs",
        "leave out what adds accelerators to the tiles (BuildRoCC)",
        (_, p) => p(BuildRoCC).nonEmpty
      )

  /** All of them. */
  val all: Seq[CoreFeature] = Seq(
    InstructionMemory,
    DataMemory,
    BusErrorUnit,
    NonMaskableInterrupts,
    Hypervisor,
    Vectors,
    CustomInstructions,
    TraceEncoder,
    TraceOffChip,
    Debugger,
    CacheControl,
    Accelerators
  )

  /** Why `fragment` refuses those features of `refused` that tiles have. */
  def complaints(refused: Seq[CoreFeature], fragment: String)(implicit p: View): Seq[String] =
    refused.filter(_.isThere).map(_.refusal(fragment))
}
