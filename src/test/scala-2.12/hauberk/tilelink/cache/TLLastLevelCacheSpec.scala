package hauberk.tilelink.cache

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.{Protection, ProtectionParams}
import hauberk.memory.common.{AlarmCause, MetadataCacheParams}
import hauberk.memory.counter.Timestamps
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.tilelink.common.{Access, Register, VerilatedTest}
import hauberk.tilelink.protector.{Bench, FuzzBench, ProtectedMemory, ProtectorMap, ScriptBench}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

class TLLastLevelCacheSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  private val scheme = ProtectionParams(
    counters = Timestamps(cache = MetadataCacheParams(4, 2, 1)),
    cipher = AesParams(architecture = AesArchitecture.Iterative),
    reads = 2,
    writes = 2
  )

  behavior of "TLLastLevelCache before a protector"

  // covers: soc.last-level-cache
  it should "be memory under random traffic, with two banks and memory that it does not cache" in {
    val shape = LastLevelCacheParams(1024, ways = 2, mshrs = 2)
    val simulator = verilate("llc") {
      val bench = LazyModule(new FuzzBench(scheme, banks = 2, around = true, operations = 2000, cache = Some(shape)))
      bench.module
    }
    Seq(1, 2).foreach(seed => simulator.run(limit = 4000000, seed = seed))
  }

  private def register(of: Register): BigInt = LastLevelCacheMap.all.base + of.offset
  private val flush = Seq(
    Access.write(register(LastLevelCacheMap.command), 1),
    Access.await(register(LastLevelCacheMap.status), 0, mask = 1)
  )
  private val writebacks = register(LastLevelCacheMap.counters.last._2)
  private val layout = Protection.layout(scheme, Bench.bytes / 2, 64)
  private val end = Bench.base + layout.dataBytes * 2
  private val open = Bench.loadKeys ++ Bench.arm
  private val engineReads = (0 until 2).map(Bench.statistic("data_reads", _))

  /** The first and the last line, one in each bank. */
  private val lines = Seq(Bench.base, end - 64)
  private val flushes = open ++ lines.flatMap(line =>
    Seq(Access.write(line + 8, ProtectedMemory.secret), Access.read(line + 8, ProtectedMemory.secret))
  ) ++ Seq(Access.read(writebacks, 0)) ++ flush ++ Seq(Access.read(writebacks, 2)) ++
    lines.map(line => Access.read(line + 8, ProtectedMemory.secret)) ++ flush ++ Seq(Access.read(writebacks, 2)) ++
    Seq(Access.read(register(LastLevelCacheMap.status), 0)) ++ engineReads.map(Access.read(_, 1))

  /** Metadata are not cached: what is written there is denied at once, and cannot be read back. */
  private val metadata = {
    val address = end + 0x40
    open ++ Seq(Access.deniedWrite(address), Access.deniedRead(address)) ++
      Seq(Access.read(Bench.register(ProtectorMap.alarmCause), AlarmCause.outsideData)) ++ flush ++
      Seq(Access.read(writebacks, 0))
  }

  /** Before the protector is armed, nothing comes into the cache; and a line that it denies is lost. */
  private val denied = Seq(Access.deniedRead(Bench.base), Access.deniedWrite(Bench.base)) ++ flush ++
    Seq(Access.read(register(LastLevelCacheMap.status), 0)) ++ open ++
    Seq(Access.write(Bench.base, 5), Access.read(Bench.base, 5))

  private val poison = open ++ lines.flatMap { block =>
    val words = (0 until 8).map(block + 8 * _)
    words.map(Access.write(_, 0x1234)) ++ Seq(Access.poison(block + 0x18, 0x5678)) ++ words.map(Access.deniedRead) ++
      Seq(Access.deniedWrite(block + 0x20)) ++ flush ++ words.map(Access.deniedRead)
  } ++ Seq(Access.read(Bench.register(ProtectorMap.status), 0x1f, mask = 0x37f))

  private val geometry = Seq(
    Access.read(register(LastLevelCacheMap.id), BigInt("4861756265726b34", 16)),
    Access.read(register(LastLevelCacheMap.geometry), BigInt(2) | (2 << 8) | (2 << 16) | (6 << 24))
  )

  private val scripts = Seq(flushes, metadata, denied, poison, geometry)
  private lazy val simulator = verilate("llc-scripts") {
    val shape = LastLevelCacheParams(1024, ways = 2, mshrs = 2)
    val checked = scripts.map(false -> _)
    val bench = LazyModule(new ScriptBench(scheme, banks = 2, checked, cache = Some(shape)))
    bench.module
  }
  private def follow(script: Seq[Access]): Unit =
    simulator.run(limit = 200000, select = scripts.indexOf(script))

  it should "write back what is dirty when software says so, once, and keep it" in follow(flushes)
  it should "pass accesses to metadata around" in follow(metadata)
  it should "keep nothing that is denied" in follow(denied)
  it should "keep poison with its block, cached or not" in follow(poison)
  it should "show its geometry" in follow(geometry)
}
