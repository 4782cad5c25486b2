package hauberk.tilelink.protector

import chisel3._
import chisel3.util.log2Ceil
import freechips.rocketchip.tilelink.TLAdapterNode
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Source of a memory protector's keys, and of its arm command. */
sealed trait ProtectorBoot {

  /** The static key comes with a package, wrapped under the device key in the fuses. */
  def takesPackages: Boolean

  /** Hardware arms and locks, once all keys are there. Until then accesses wait; if it halts before, because memory denied its metadata, they are
    * denied.
    */
  def armsItself: Boolean
}

/** The ways in which a protector is armed. */
object ProtectorBoot {

  /** The program comes in a package: the boot ROM hands over its wrapped key, and arms. Until then every access is denied. */
  case object SoftwareArm extends ProtectorBoot {
    val takesPackages = true
    val armsItself = false
  }

  /** All keys are random: for an SoC whose programs are written to memory through the protector, by serial TileLink, DMA or a debugger. Nothing that
    * memory held is of use then. With the random words of [[Provisioning.TestKeys]] the keys are the same after every reset: then counters start
    * again under old keys, and what memory held before must be gone.
    */
  case object AutoArm extends ProtectorBoot {
    val takesPackages = false
    val armsItself = true
  }

  /** The program comes in a package, and a loader outside the chip puts its image into memory as it is. The loader writes the number of its blocks and
    * the wrapped key to the registers, and gives the command to unwrap; hardware does the rest. It can begin again with another key, as long as none
    * could be unwrapped.
    */
  case object PackageArm extends ProtectorBoot {
    val takesPackages = true
    val armsItself = true
  }

  /** Cycles after reset for which a protector that boots alone leaves memory in peace. */
  val settleCycles = 256
}

/** Gives the commands that the boot ROM would, where a protector arms itself: for all random keys once after reset; arming as soon as these and memory are
  * ready; and the lock in the cycle after.
  */
private[tilelink] class SelfBoot extends Module {
  val io = IO(new Bundle {
    val armed = Input(Bool())
    val makeKeys = Output(Bool())

    /** Taken when everything is ready, so it is said until then. */
    val arm = Output(Bool())
    val lock = Output(Bool())
  })
  private val begun = RegInit(false.B)
  begun := true.B
  io.makeKeys := !begun
  io.arm := begun && !io.armed
  io.lock := io.armed
}

/** Lets no request through until it is open, which it then stays. Adds no cycle. */
class TLGate(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val open = IO(Input(Bool()))
    node.in.zip(node.out).foreach { case ((in, _), (out, _)) =>
      out <> in
      out.a.valid := in.a.valid && open
      in.a.ready := out.a.ready && open
    }
  }
}

/** Lets no request through for some cycles after reset, then all. For requests that come of themselves, on their way into another reset
  * domain: what is still in reset there may lose a request, or take it twice, as Chipyard's model of DRAM does.
  */
class TLResetDelay(cycles: Int)(implicit p: Parameters) extends LazyModule {
  private val hold = LazyModule(new TLGate)
  val node = hold.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    private val waited = RegInit(0.U(log2Ceil(cycles + 1).W))
    hold.module.open := waited === cycles.U
    when(!hold.module.open) { waited := waited + 1.U }
  }
}
