package hauberk.soc

import chisel3._
import chisel3.util._
import freechips.rocketchip.devices.tilelink.{HasPeripheryBootROM, HasPeripheryBootROMModuleImp}
import freechips.rocketchip.rocket.TracedInstruction
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tile.BaseTile
import freechips.rocketchip.tilelink.{TLCacheCork, TLFragmenter, TLWidthWidget}
import hauberk.config.TestDmaKey
import hauberk.memory.common.AlarmCause
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.llc.LastLevelStatistics
import hauberk.tilelink.protector._
import hauberk.tilelink.cache.{AttachLastLevelCache, LastLevelCacheKey, TLLastLevelCache}
import hauberk.tilelink.bus.{AttachSecureBus, SecureBusKey, SecureBusPins, TLSecureBus}
import hauberk.tilelink.contexts.{AttachContextGuards, ContextGuardKey, ContextPins, TLContextGuards}
import hauberk.tilelink.instruction.{
  AttachInstructionDecryption,
  InstructionDecryptionKey,
  InstructionDecryptionPins,
  TLInstructionDecryption
}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Addresses of the stand-alone SoC's own devices; ROM, CLINT, PLIC and DRAM stand where Rocket Chip puts them. */
object MemoryMap {
  val finisher = BigInt(0x100000)
  val uart = BigInt(0x10000000)
  val bootHeader: BigInt = BootHeaderMap.all.base
  val dram = BigInt(0x80000000L)
}

/** The stand-alone SoC: Rocket tiles, boot ROM, CLINT, PLIC, console, finisher, boot header, and DRAM behind AXI4.
  *
  * It has neither debug module nor MMIO or slave port: each slows simulation, and a debugger or a DMA master would be one
  * more thing to argue about beside the memory protector. For tests of other masters it has one by [[hauberk.config.WithTestDma]].
  */
class RocketSystem(implicit p: Parameters)
    extends RocketSubsystem
    with LazyScope
    with HasHierarchicalBusTopology
    with CanHaveMasterAXI4MemPort
    with HasPeripheryBootROM {
  val uart = LazyModule(new Uart(MemoryMap.uart, cbus.beatBytes))
  val finisher = LazyModule(new Finisher(MemoryMap.finisher, cbus.beatBytes))
  val bootHeader = LazyModule(
    new BootHeader(
      MemoryMap.bootHeader,
      tiles.size,
      p(MemoryProtectionKey).map(_.address),
      p(InstructionDecryptionKey).map(_.address),
      p(LastLevelCacheKey).map(_ => AttachLastLevelCache.address),
      cbus.beatBytes
    )
  )

  /** The memory protector, if there is one. */
  val protector: Option[TLMemoryProtector] = AttachMemoryProtector.in(this)

  tiles.foreach(AttachCounterSteering(this, _))

  /** The last-level cache, if there is one. */
  val lastLevelCache: Option[TLLastLevelCache] = AttachLastLevelCache.in(this)

  /** The shared bus between the tiles and the system bus, if there is one. */
  def secureBus: Option[TLSecureBus] = AttachSecureBus.in(this)

  /** The instruction decryption unit, if there is one. */
  def instructionDecryption: Option[TLInstructionDecryption] = AttachInstructionDecryption.in(this)

  /** The guards of secure contexts, if there are any. */
  def contextGuards: Option[TLContextGuards] = AttachContextGuards.in(this)

  override protected def connectMasterPortsToSBus(tile: BaseTile, crossing: RocketCrossingParams): Unit = {
    val decryption = p(InstructionDecryptionKey).map(_ => AttachInstructionDecryption(this))
    val gates = if (AttachExportGates.wanted(p)) Some(AttachExportGates(this)) else None
    val bus = p(SecureBusKey).map(_ => AttachSecureBus(this))
    val guards = p(ContextGuardKey).map(_ => AttachContextGuards(this))
    val interposed = decryption ++ guards ++ gates ++ bus
    if (interposed.isEmpty) super.connectMasterPortsToSBus(tile, crossing)
    else sbus.fromTile(tile.tileParams.name, crossing.master.buffers) {
      val fromTile = crossing.master.cork.fold(tile.crossMasterPort())(unsafe =>
        TLCacheCork(unsafe = unsafe) :=* tile.crossMasterPort()
      )
      // From the tile outwards
      interposed.foldLeft(fromTile)((inner, node) => node :=* inner)
    }
    decryption.foreach { _ =>
      val trace = BundleBridgeSink[Vec[TracedInstruction]]()
      trace := tile.traceNode
      AttachInstructionDecryption.flushes(this)(trace.bundle)
    }
  }

  for ((name, device) <- Seq("uart" -> uart.node, "finisher" -> finisher.node, "boot_header" -> bootHeader.node))
    cbus.coupleTo(name) { device := TLFragmenter(cbus) := _ }
  ibus.fromSync := uart.interruptNode
  if (p(TestDmaKey)) {
    val test_dma = LazyModule(new TestDma(cbus.beatBytes))
    cbus.coupleTo("test_dma") { test_dma.controlNode := TLFragmenter(cbus) := _ }
    fbus.coupleFrom("test_dma") { _ := TLWidthWidget(8) := test_dma.node }
  }

  /** Instructions retired by each tile, in hart order. */
  val traces: Seq[BundleBridgeSink[Vec[TracedInstruction]]] = tiles.map { tile =>
    val trace = BundleBridgeSink[Vec[TracedInstruction]]()
    trace := tile.traceNode
    trace
  }

  override lazy val module = new RocketSystemModule(this)
}

/** The module of the SoC: pins of UART, finisher, protector and secure bus beside those of the subsystem. */
class RocketSystemModule[+L <: RocketSystem](system: L)
    extends RocketSubsystemModuleImp(system)
    with HasRTCModuleImp
    with HasPeripheryBootROMModuleImp {
  val transmit = IO(Output(Valid(UInt(8.W))))
  val receive = IO(Flipped(Decoupled(UInt(8.W))))
  val finish = IO(Output(Valid(UInt(32.W))))
  val header = IO(Input(new BootHeaderPins))
  val core = IO(Output(new CoreTaps(system.tiles.size)))
  val protector = IO(new ProtectorPins(takesPackages = true))

  /** The counters of the protector, summed over its engines. */
  val statistics = IO(Output(new EngineStatistics))
  val lastLevelCache = IO(Output(new LastLevelStatistics))
  val alarm = IO(Output(new AlarmTaps))
  val initialised = IO(Output(Bool()))

  /** Of the shared bus between the tiles and the system bus, if there is one. */
  val bus: Option[SecureBusPins] = system.secureBus.map { sharedBus =>
    val pins = IO(new SecureBusPins(sharedBus.busParams))
    pins <> sharedBus.module.pins
    pins
  }

  /** Of the instruction decryption unit, if there is one. */
  val decryption: Option[InstructionDecryptionPins] = system.instructionDecryption.map { unit =>
    val pins = IO(new InstructionDecryptionPins)
    pins <> unit.module.pins
    pins
  }

  /** Of secure contexts, if there are any. */
  val contexts: Option[ContextPins] = system.contextGuards.map { guards =>
    val pins = IO(new ContextPins)
    pins <> guards.module.pins
    pins
  }

  lastLevelCache := system.lastLevelCache.fold(0.U.asTypeOf(new LastLevelStatistics))(_.module.statistics)
  transmit := system.uart.module.transmit
  system.uart.module.receive <> receive
  finish := system.finisher.module.finish
  system.bootHeader.module.pins := header
  // The header's pins are the board's, and microcode must come first
  if (p(ContextGuardKey).isDefined) { system.bootHeader.module.pins.entry := MemoryMap.dram.U }
  system.traces.map(_.bundle).zipWithIndex.foreach { case (trace, hart) =>
    val pc, retired = RegInit(0.U(64.W))
    val commits = trace.map(slot => slot.valid && !slot.exception)
    retired := retired + PopCount(commits)
    trace.zip(commits).foreach { case (slot, commit) =>
      when(commit) { pc := slot.iaddr.asSInt.pad(64).asUInt }
    }
    core.pc(hart) := pc
    core.retired(hart) := retired
  }

  system.protector.map(_.module) match {
    case Some(module) =>
      module.pins <> protector
      statistics := EngineStatistics.sum(module.engineStatistics)
      alarm.raised := module.status.alarm
      alarm.halted := module.status.halted
      alarm.cause := module.alarm.cause
      alarm.address := module.alarm.address
      initialised := module.status.initialised
    case None =>
      protector.entropy.ready := false.B
      statistics := 0.U.asTypeOf(new EngineStatistics)
      alarm := 0.U.asTypeOf(new AlarmTaps)
      initialised := true.B
  }
}

/** Where the cores are: taps for the harness, not part of the SoC. */
class CoreTaps(val cores: Int) extends Bundle {

  /** Address of the last instruction retired, sign-extended. */
  val pc = Vec(cores, UInt(64.W))

  /** Instructions retired since reset. */
  val retired = Vec(cores, UInt(64.W))
}

/** The protector's alarm: taps for the harness, not part of the SoC. */
class AlarmTaps extends Bundle {
  val raised = Bool()

  /** The protector has halted: it serves no more requests. */
  val halted = Bool()

  /** A code of [[hauberk.memory.common.AlarmCause]], and the bus address, of the first alarm. */
  val cause = UInt(AlarmCause.width.W)
  val address = UInt(64.W)
}
