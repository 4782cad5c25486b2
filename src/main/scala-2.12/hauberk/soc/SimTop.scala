package hauberk.soc

import chisel3._
import chisel3.util._
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.llc.LastLevelStatistics
import hauberk.tilelink.protector.FusePins
import hauberk.tilelink.contexts.ContextPins
import hauberk.tilelink.instruction.InstructionDecryptionPins
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Top module of the simulation harness: the SoC of a configuration behind one port list, the same for every one.
  *
  * Pins of absent hardware read as zero (cores beyond its own, everything of an absent protector).
  */
class SimTop(implicit val p: Parameters) extends MultiIOModule {
  private val maximalCores = 4
  private val lazySystem = LazyModule(new RocketSystem)
  private val cores = lazySystem.tiles.size
  require(
    cores <= maximalCores,
    s"the stand-alone SoC has pins for $maximalCores cores, the configuration has $cores: use fewer cores"
  )
  private val system = Module(lazySystem.module)

  /** Facts about the elaborated SoC that the outside must know. */
  def description: SystemDescription = SystemDescription(lazySystem)

  private val memories = lazySystem.mem_axi4
  require(
    memories.size == 1,
    s"the stand-alone SoC has one memory port, the configuration has ${memories.size} channels: use one channel"
  )

  val mem = IO(memories.head.cloneType)
  val uart_tx = IO(Output(Valid(UInt(8.W))))
  val uart_rx = IO(Flipped(Decoupled(UInt(8.W))))
  val finish = IO(Output(Valid(UInt(32.W))))
  val fuse = IO(Input(new FusePins))
  val entropy = IO(Flipped(Decoupled(UInt(64.W))))
  val header = IO(Input(new BootHeaderPins))
  val core = IO(Output(new CoreTaps(maximalCores)))
  val statistics = IO(Output(new EngineStatistics))
  val lastLevelCache = IO(Output(new LastLevelStatistics))
  val alarm = IO(Output(new AlarmTaps))
  val isProtected = IO(Output(Bool()))
  val initialised = IO(Output(Bool()))
  val bus = IO(new SimBusPins(maximalCores + 1))
  val decryption = IO(new InstructionDecryptionPins)
  val contexts = IO(new ContextPins)

  // Registers both ways: Verilator evaluates what depends on a pin at both edges of the clock, which would be much of the protector. The model of DRAM
  // counts these two cycles as its own
  private val port = memories.head
  mem.ar <> Queue(port.ar, 2)
  mem.aw <> Queue(port.aw, 2)
  mem.w <> Queue(port.w, 2)
  port.r <> Queue(mem.r, 2)
  port.b <> Queue(mem.b, 2)

  uart_tx := system.transmit
  system.receive <> uart_rx
  finish := system.finish
  system.header := header
  for (hart <- 0 until maximalCores) {
    core.pc(hart) := (if (hart < cores) system.core.pc(hart) else 0.U)
    core.retired(hart) := (if (hart < cores) system.core.retired(hart) else 0.U)
  }

  system.protector.fuse.foreach(_ := fuse)
  system.protector.entropy <> entropy
  statistics := system.statistics
  lastLevelCache := system.lastLevelCache
  alarm := system.alarm
  isProtected := description.memory.isProtected.B
  initialised := system.initialised
  bus.connect(system.bus, header.wrappedKey)
  decryption.token.ask := false.B
  system.decryption.foreach(_ <> decryption)
  contexts.entropy.ready := false.B
  system.contexts.foreach(_ <> contexts)
}
