package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.memory.common.AlarmCause
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.Protection
import hauberk.tilelink.common.WholeRegister

/** Offsets of the memory protector's registers, each of 64 bits and accessed whole. */
object ProtectorOffset {
  val id = 0x00
  val geometry = 0x08
  val command = 0x10
  val status = 0x18
  val wrappedKey = 0x20
  val alarmCause = 0x40
  val alarmAddress = 0x48
  val interruptEnable = 0x50
  val extent = 0x58
  val statistics = 0x100

  /** From one engine's statistics to the next's. */
  val statisticsStride = 0x80

  /** Size of the register block. */
  val blockBytes = 0x1000
  val maximalEngines: Int = (blockBytes - statistics) / statisticsStride
}

/** What the command register asks for, a one-cycle pulse each. */
class ProtectorCommand extends Bundle {
  val unwrap = Bool()
  val makeDynamicKey = Bool()
  val arm = Bool()
  val lock = Bool()
  val flush = Bool()
  val check = Bool()
}

/** What the status register shows. */
class ProtectorStatus extends Bundle {
  val initialised = Bool()
  val staticUsable = Bool()
  val dynamicUsable = Bool()
  val armed = Bool()
  val locked = Bool()
  val unwrapFailed = Bool()
  val unwrapBusy = Bool()
  val flushBusy = Bool()
  val alarm = Bool()
  val halted = Bool()
  val unverified = Bool()
  val rekeying = Bool()
  val checking = Bool()
}

/** The alarm as software sees it. */
class ProtectorAlarm(val addressBits: Int) extends Bundle {

  /** A code of [[AlarmCause]]. */
  val cause = UInt(AlarmCause.width.W)

  /** Bus address of the access that raised it. */
  val address = UInt(addressBits.W)
}

/** The register file of a memory protector: what software may see and say.
  *
  * Keys go in and never come out: the command and the wrapped key words read as zero.
  *
  * @param engines    number of engines
  * @param protection what the engines are built from
  */
class ProtectorRegisters(engines: Int, protection: Protection) {
  require(
    engines <= ProtectorOffset.maximalEngines,
    s"$engines engines do not fit the register map, which has room for ${ProtectorOffset.maximalEngines}: use fewer banks"
  )
  import WholeRegister._

  val wrappedKey = RegInit(VecInit(Seq.fill(3)(0.U(64.W))))
  val interruptEnable = RegInit(false.B)

  /** Blocks that the package brings to each engine; ignores writes once `settled`. */
  val extent = RegInit(0.U(64.W))
  val command = Wire(new ProtectorCommand)
  private val commanded = Wire(Valid(UInt(64.W)))
  // In the order of the command register's bits, the least significant one first.
  Seq(command.unwrap, command.makeDynamicKey, command.arm, command.lock, command.flush, command.check).zipWithIndex
    .foreach { case (pulse, bit) => pulse := commanded.valid && commanded.bits(bit) }

  /** The register map.
    *
    * @param settled the package is in use: its extent stays what it is
    */
  def fields(
      settled: Bool,
      status: ProtectorStatus,
      alarm: ProtectorAlarm,
      statistics: Seq[EngineStatistics]
  ): Seq[RegField.Map] = {
    val toExtent = Wire(Valid(UInt(64.W)))
    when(toExtent.valid && !settled) { extent := toExtent.bits }
    val single = Seq(
      ProtectorOffset.id -> read(BigInt("4861756265726b31", 16).U(64.W)), // "Hauberk1"
      ProtectorOffset.geometry -> read(geometry.U(64.W)),
      ProtectorOffset.command -> write(commanded),
      ProtectorOffset.status -> read(statusBits(status)),
      ProtectorOffset.alarmCause -> read(alarm.cause),
      ProtectorOffset.alarmAddress -> read(alarm.address),
      ProtectorOffset.interruptEnable -> Seq(RegField(1, interruptEnable)),
      ProtectorOffset.extent -> write(toExtent)
    )
    val keys = wrappedKey.zipWithIndex.map { case (word, index) =>
      (ProtectorOffset.wrappedKey + 8 * index) -> held(word)
    }
    val counters = for {
      (engine, index) <- statistics.zipWithIndex
      (counter, position) <- inOrder(engine).zipWithIndex
    } yield (ProtectorOffset.statistics + ProtectorOffset.statisticsStride * index + 8 * position) -> read(counter)
    single ++ keys ++ counters
  }

  private def geometry: BigInt =
    Seq(
      engines,
      log2Ceil(protection.stripe.blockBytes),
      protection.counterBits,
      protection.params.mode.code,
      protection.params.integrity.code,
      if (protection.params.verification.blocks) 0 else 1
    ).zipWithIndex
      .map { case (value, index) => BigInt(value) << (8 * index) }
      .sum

  private def statusBits(status: ProtectorStatus): UInt = Cat(
    Seq(
      status.initialised,
      status.staticUsable,
      status.dynamicUsable,
      status.armed,
      status.locked,
      status.unwrapFailed,
      status.unwrapBusy,
      status.flushBusy,
      status.alarm,
      status.halted,
      status.unverified,
      status.rekeying,
      status.checking
    ).reverse
  )

  private def inOrder(engine: EngineStatistics): Seq[UInt] = Seq(
    engine.hits,
    engine.misses,
    engine.pads,
    engine.dataReads,
    engine.dataWrites,
    engine.metadataReads,
    engine.metadataWrites,
    engine.stallCycles,
    engine.partialWrites,
    engine.tagHits,
    engine.tagMisses,
    engine.nodeHits,
    engine.nodeMisses,
    engine.verified,
    engine.reencrypted
  )
}
