package hauberk.tilelink.cache

import hauberk.abi.Counter
import hauberk.memory.llc.LastLevelStatistics
import hauberk.tilelink.common.{BitField, Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of a last-level cache. */
object LastLevelCacheMap {
  val banks: BitField = BitField("BANKS", 0, 8, "number of banks")
  val ways: BitField = BitField("WAYS", 8, 8, "associativity")
  val setBits: BitField = BitField("SET_BITS", 16, 8, "log2 of the sets of a bank")
  val lineBits: BitField = BitField("LINE_BITS", 24, 8, "log2 of a line's bytes")
  val flush: BitField = BitField("FLUSH", 0, 1, "write all dirty lines back to memory")
  val flushBusy: BitField = BitField("FLUSH_BUSY", 0, 1, "writing dirty lines back")
  val lost: BitField = BitField("LOST", 1, 1, "memory refused a line that was written back")

  val id: Register = RegisterMap.id("Hauberk4")
  val geometry: Register =
    Register("GEOMETRY", 0x08, RO, "parameters of the hardware", Seq(banks, ways, setBits, lineBits))
  val command: Register = Register("CMD", 0x10, WO, "commands, a bit each", Seq(flush))
  val status: Register = Register("STATUS", 0x18, RO, "state", Seq(flushBusy, lost))

  /** Counters of all banks together, each with its register. */
  val counters: Seq[(Counter, Register)] = Counter
    .inOrder(LastLevelStatistics.counters)
    .map(counter =>
      counter -> Register("STAT_" + counter.name.toUpperCase, 0x20 + 8 * counter.index, RO, counter.meaning)
    )

  val all: RegisterMap = RegisterMap("CACHE", 0x10050000, Seq(id, geometry, command, status) ++ counters.map(_._2))
}
