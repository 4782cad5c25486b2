package hauberk.tilelink.protector

import chisel3._
import hauberk.abi.{Code, Counter}
import hauberk.memory.common.AlarmCause
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.integrity._
import hauberk.memory.mode._
import hauberk.tilelink.common.{BitField, Register, RegisterGroup, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of a memory protector: the only place that knows offsets and bits. */
object ProtectorMap {
  private val modes = Seq[Mode](OneTimePad, DirectCbc(), Xts, PadOrDirect).map(mode => Code(mode.code, mode.name, ""))
  private val integrities = Seq[Integrity](NoIntegrity, BlockMac(), BonsaiTree(), HashTree(), LogHash())
    .map(integrity => Code(integrity.code, integrity.name, ""))

  val engines: BitField = BitField("ENGINES", 0, 8, "number of engines")
  val blockBits: BitField = BitField("BLOCK_BITS", 8, 8, "log2 of a block's bytes")
  val counterBits: BitField = BitField("COUNTER_BITS", 16, 8, "bits of a counter")
  val mode: BitField = BitField("MODE", 24, 8, "encryption", modes)
  val integrity: BitField = BitField("INTEGRITY", 32, 8, "integrity", integrities)
  val speculative: BitField = BitField("SPECULATIVE", 40, 1, "data are used before they are verified")

  /** Commands, one bit of the command register each. */
  val commands: Seq[(BitField, ProtectorCommand => Bool)] = Seq(
    (BitField("UNWRAP", 0, 1, "unwrap the wrapped key into the static slot"), _.unwrap),
    (BitField("DYNAMIC_KEY", 1, 1, "make the dynamic key"), _.makeDynamicKey),
    (BitField("ARM", 2, 1, "start serving memory accesses"), _.arm),
    (BitField("LOCK", 3, 1, "take no more keys"), _.lock),
    (BitField("FLUSH", 4, 1, "write metadata back to memory"), _.flush),
    (BitField("CHECK", 5, 1, "verify all that was read until now (speculative schemes)"), _.check)
  )

  /** Bits of the status register. */
  val statuses: Seq[(BitField, ProtectorStatus => Bool)] = Seq(
    (BitField("INITIALIZED", 0, 1, "engines initialized and regions known"), _.initialised),
    (BitField("STATIC_KEY", 1, 1, "static key usable"), _.staticUsable),
    (
      BitField("DYNAMIC_KEY", 2, 1, "dynamic key usable, and the second context's key if there is one"),
      _.dynamicUsable
    ),
    (BitField("ARMED", 3, 1, "armed"), _.armed),
    (BitField("LOCKED", 4, 1, "locked"), _.locked),
    (BitField("UNWRAP_FAILED", 5, 1, "the last unwrapping failed"), _.unwrapFailed),
    (BitField("UNWRAP_BUSY", 6, 1, "unwrapping"), _.unwrapBusy),
    (BitField("FLUSH_BUSY", 7, 1, "writing metadata back"), _.flushBusy),
    (BitField("ALARM", 8, 1, "alarm"), _.alarm),
    (BitField("HALTED", 9, 1, "halted"), _.halted),
    (BitField("UNVERIFIED", 10, 1, "unverified data are in use"), _.unverified),
    (BitField("REKEYING", 11, 1, "memory is being re-encrypted under a new key"), _.rekeying),
    (BitField("CHECK_BUSY", 12, 1, "a check is under way"), _.checking),
    (
      BitField("ENTROPY_FAILED", 13, 1, "the source of keys failed a health test; it yields none until reset"),
      _.entropyFailed
    )
  )

  val id: Register = RegisterMap.id("Hauberk1")
  val geometry: Register = Register(
    "GEOMETRY",
    0x08,
    RO,
    "parameters of the hardware",
    Seq(engines, blockBits, counterBits, mode, integrity, speculative)
  )
  val command: Register = Register("CMD", 0x10, WO, "commands, a bit each", commands.map(_._1))
  val status: Register = Register("STATUS", 0x18, RO, "state", statuses.map(_._1))
  val wrappedKey: Seq[Register] =
    RegisterMap.wrappedKey(0x20, WO, "the wrapped static key; absent if that is random")
  val alarmCause: Register =
    Register("ALARM_CAUSE", 0x40, RO, "cause of the first alarm, or of the first that halted", values = AlarmCause.all)
  val alarmAddress: Register = Register("ALARM_ADDR", 0x48, RO, "bus address of the access that raised it")
  val interruptEnable: Register =
    Register("INTR_ENABLE", 0x50, RW, "interrupts", Seq(BitField("ALARM", 0, 1, "alarms interrupt")))
  val imageBlocks: Register = Register(
    "IMAGE_BLOCKS",
    0x58,
    WO,
    "blocks of the encrypted image in each engine's bank; ignored once armed or locked"
  )

  /** Counters of an engine, each with its register in the engine's group. */
  val counters: Seq[(Counter, Register)] = Counter
    .inOrder(EngineStatistics.counters)
    .map(counter => counter -> Register(counter.name.toUpperCase, 8 * counter.index, RO, counter.meaning))
  private[tilelink] val statisticsStride = 0x100
  val statistics: RegisterGroup =
    RegisterGroup("STATS", 0x100, Some("engine" -> statisticsStride), "STAT", counters.map(_._2))

  /** Engines whose statistics fit. */
  val maximalEngines: Int = (RegisterMap.blockBytes - statistics.offset) / statisticsStride

  val all: RegisterMap = RegisterMap(
    "PROTECTOR",
    0x10010000,
    Seq(id, geometry, command, status) ++ wrappedKey ++ Seq(alarmCause, alarmAddress, interruptEnable, imageBlocks),
    Seq(statistics)
  )
}
