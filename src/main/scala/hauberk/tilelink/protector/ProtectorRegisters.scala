package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.memory.common.AlarmCause
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.Protection

/** Commands of the command register, a one-cycle pulse each. */
class ProtectorCommand extends Bundle {
  val unwrap = Bool()
  val makeDynamicKey = Bool()
  val arm = Bool()
  val lock = Bool()
  val flush = Bool()
  val check = Bool()
}

/** State shown by the status register. */
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
  val entropyFailed = Bool()
}

/** The alarm as software sees it. */
class ProtectorAlarm(val addressBits: Int) extends Bundle {

  /** A code of [[AlarmCause]]. */
  val cause = UInt(AlarmCause.width.W)

  /** Bus address of the access that raised it. */
  val address = UInt(addressBits.W)
}

/** The register file of a memory protector, laid out by [[ProtectorMap]].
  *
  * Keys go in and never come out: the command and the wrapped key words read as zero.
  *
  * @param engines       number of engines
  * @param protection    parameters of the engines
  * @param takesPackages a program's package brings the static key, wrapped; else there are no registers for it
  */
class ProtectorRegisters(engines: Int, protection: Protection, takesPackages: Boolean) {
  require(
    engines <= ProtectorMap.maximalEngines,
    s"$engines engines do not fit the register map, which has room for ${ProtectorMap.maximalEngines}: use fewer banks"
  )
  val wrappedKey: Option[Vec[UInt]] = if (takesPackages) Some(RegInit(VecInit(Seq.fill(3)(0.U(64.W))))) else None
  val interruptEnable = RegInit(false.B)

  /** Blocks that the package brings to each engine; ignores writes once `settled`. */
  val imageBlocks = RegInit(0.U(64.W))
  val command = Wire(new ProtectorCommand)
  private val commanded = Wire(Valid(UInt(32.W)))
  for ((field, pulse) <- ProtectorMap.commands) {
    pulse(command) := commanded.valid && field.of(commanded.bits) === 1.U
  }

  /** The register map.
    *
    * @param settled the encrypted image is in use: `imageBlocks` keeps its value
    */
  def fields(
      settled: Bool,
      status: ProtectorStatus,
      alarm: ProtectorAlarm,
      statistics: Seq[EngineStatistics]
  ): Seq[RegField.Map] = {
    val single = Seq(
      ProtectorMap.id.readConstant,
      geometry,
      ProtectorMap.command.writeLower(commanded),
      ProtectorMap.status.read(Cat(ProtectorMap.statuses.map { case (_, bit) => bit(status) }.reverse)),
      ProtectorMap.alarmCause.read(alarm.cause),
      ProtectorMap.alarmAddress.read(alarm.address),
      ProtectorMap.interruptEnable.rw(interruptEnable),
      ProtectorMap.imageBlocks.heldInHalves(imageBlocks, accepts = !settled)
    )
    val keys = for {
      words <- wrappedKey.toSeq
      (register, word) <- ProtectorMap.wrappedKey.zip(words)
    } yield register.heldInHalves(word)
    val counters = for {
      (engine, index) <- statistics.zipWithIndex
      (counter, register) <- ProtectorMap.counters
    } yield ProtectorMap.statistics.in(index)(register).read(counter.of(engine))
    single ++ keys ++ counters
  }

  private def geometry: RegField.Map = ProtectorMap.geometry.readFields(
    ProtectorMap.engines -> engines,
    ProtectorMap.blockBits -> log2Ceil(protection.bank.blockBytes),
    ProtectorMap.counterBits -> protection.counterBits,
    ProtectorMap.mode -> protection.params.mode.code,
    ProtectorMap.integrity -> protection.params.integrity.code,
    ProtectorMap.speculative -> (if (protection.params.verification.blocks) 0 else 1)
  )
}
