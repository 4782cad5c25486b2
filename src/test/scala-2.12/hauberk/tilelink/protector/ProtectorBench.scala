package hauberk.tilelink.protector

import chisel3._
import chisel3.util.random.LFSR
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.interrupts.{IntSinkNode, IntSinkPortSimple}
import freechips.rocketchip.tilelink._
import hauberk.memory.ProtectionParams
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.tilelink.cache.{LastLevelCacheMap, TLLastLevelCache}
import hauberk.tilelink.common._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Facts of the benches: RFC 3394, section 4.1, has the keys. */
object Bench {
  val base = BigInt(0x10000)
  val bytes = BigInt(0x4000)
  val control = BigInt(0x10010000)
  val deviceKey = BigInt("000102030405060708090A0B0C0D0E0F", 16)
  val wrappedKey = Seq("1FA68B0A8112B447", "AEF34BD8FB5A7B82", "9D3E862371D2CFE5").map(BigInt(_, 16))

  def register(described: Register): BigInt = control + described.offset
  def command(bit: Int): Access = Access.write(register(ProtectorMap.command), BigInt(1) << bit)

  /** A counter of an engine. */
  def statistic(name: String, engine: Int): BigInt = {
    val index = EngineStatistics.counters.find(_.name == name).get.index
    control + ProtectorMap.statistics.offset + engine * ProtectorMap.statisticsStride + 8 * index
  }
  def awaitStatus(bits: BigInt): Access = Access.await(register(ProtectorMap.status), bits, bits)

  val loadKeys: Seq[Access] = wrappedKey.zipWithIndex.map { case (word, index) =>
    Access.write(register(ProtectorMap.wrappedKey(index)), word)
  } ++ Seq(command(0), command(1), awaitStatus(0x7))

  /** What a loader writes, in words of 32 bits. */
  def words(described: Register, value: BigInt): Seq[Access] =
    Seq(0, 4).map(byte => Access.word(register(described) + byte, (value >> 8 * byte) & 0xffffffffL))
  val arm: Seq[Access] = Seq(command(2), command(3), awaitStatus(0x18))
}

/** A protector before 16 KiB of RAM in two parts that answer out of step; banks interleave by blocks.
  *
  * @param scheme what the engines do
  * @param banks  number of edges
  * @param around adds 4 KiB of RAM on the memory side that is not protected
  * @param bytes  size of the RAM, all of which is protected
  * @param broken edges on whose memory side every access is denied
  * @param cache  last-level cache before the protector
  * @param stuck  the word that the entropy source gives for ever; none for one that works
  */
class ProtectedMemory(
    scheme: ProtectionParams,
    banks: Int,
    around: Boolean,
    bytes: BigInt = Bench.bytes,
    regions: Seq[MemoryRegion] = Nil,
    boot: ProtectorBoot = ProtectorBoot.SoftwareArm,
    broken: Int => Boolean = _ => false,
    cache: Option[LastLevelCacheParams] = None,
    stuck: Option[BigInt] = None
)(implicit p: Parameters)
    extends LazyModule {
  private val region = ProtectedRegion(Bench.base, bytes, blockBytes = 64)
  private val params = MemoryProtectorParams(scheme, address = Bench.control, regions = regions, boot = boot)
  val protector = LazyModule(new TLMemoryProtector(params, region, 8))

  val lastLevelCache: Option[TLLastLevelCache] =
    cache.map(shape => LazyModule(new TLLastLevelCache(shape, region, LastLevelCacheMap.all.base, 8)))

  private val interruptNode = IntSinkNode(IntSinkPortSimple())
  interruptNode := protector.interruptNode

  /** Where requests enter. */
  val entry = LazyModule(new TLXbar)
  private val above = LazyModule(new TLDelayer(0.2))
  private val below = LazyModule(new TLDelayer(0.2))
  private val forbid = LazyModule(new TLForbid(ProtectedMemory.secret, ProtectedMemory.open))
  private val exit = LazyModule(new TLXbar)
  above.node :*= entry.node
  private val requests = lastLevelCache.fold[TLNode](above.node) { cache =>
    cache.node :*= above.node
    cache.node
  }
  if (boot.armsItself) {
    val sleepy = LazyModule(new TLSleepy(ProtectorBoot.settleCycles - 1))
    forbid.node :*= sleepy.node :*= AttachMemoryProtector.alone(protector) :*= requests
  } else forbid.node :*= protector.node :*= requests
  if ((0 until banks).exists(broken)) {
    val deny = LazyModule(new TLDeny(broken))
    below.node :*= deny.node :*= forbid.node
  } else below.node :*= forbid.node
  exit.node :=* BankBinder(64 * (banks - 1)) :*= below.node

  private def ram(set: AddressSet) = {
    val ram = LazyModule(new TLRAM(address = set, beatBytes = 8))
    val poison = LazyModule(new TLPoison((bytes / 16).toInt))
    ram.node := poison.node := TLDelayer(0.1) := TLFragmenter(8, 64) := TLDelayer(0.1) := exit.node
    ram
  }
  private val lower = ram(AddressSet(Bench.base, bytes / 2 - 1))
  private val upper = ram(AddressSet(Bench.base + bytes / 2, bytes / 2 - 1))
  private val outside = if (around) Some(ram(AddressSet(Bench.base + bytes, 0xfff))) else None

  /** Lets a client reach both the memory and the control registers. */
  def serve(client: TLScript): Unit = {
    val split = LazyModule(new TLXbar)
    split.node := client.node
    protector.controlNode := TLFragmenter(8, 64) := split.node
    lastLevelCache.foreach(_.controlNode := TLFragmenter(8, 64) := split.node)
    entry.node := split.node
  }

  /** Lets a client reach the control registers. */
  def serveRegisters(client: TLScript): Unit = {
    val split = LazyModule(new TLXbar)
    split.node := client.node
    protector.controlNode := split.node
    lastLevelCache.foreach(_.controlNode := split.node)
  }

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val armed = IO(Output(Bool()))
    val interrupt = IO(Output(Bool()))

    /** Words of entropy taken, and the addresses at which words were written as they are that may be. */
    val entropyWords = IO(Output(UInt(8.W)))
    val shown = IO(Output(UInt(8.W)))
    shown := forbid.module.seen
    interrupt := interruptNode.in.head._1(0)

    /** Every engine saw counter hits and misses, ciphered, and merged partial writes; with a cache, that saw everything, and engines no partial writes. */
    val exercised = IO(Output(Bool()))
    private val pins = protector.module.pins
    for (fuse <- pins.fuse) {
      fuse.deviceKey := Bench.deviceKey.U
      fuse.valid := true.B
    }
    protector.module.checkForExport := false.B
    pins.entropy.valid := LFSR(16)(0)
    // From a seed of few ones, the first words would fail health tests
    pins.entropy.bits := stuck.fold(LFSR(64, seed = Some(BigInt("9e3779b97f4a7c15", 16))))(_.U)
    private val words = RegInit(0.U(8.W))
    when(pins.entropy.valid && pins.entropy.ready) { words := words + 1.U }
    entropyWords := words
    armed := protector.module.status.armed
    private val ofCache = lastLevelCache.toSeq.map(_.module.statistics)
    exercised := (protector.module.engineStatistics.flatMap(engine =>
      Seq(engine.hits, engine.misses, engine.pads) ++ (if (cache.isEmpty) Seq(engine.partialWrites) else Nil)
    ) ++ ofCache.flatMap(cache => Seq(cache.hits, cache.misses, cache.writebacks))).map(_ =/= 0.U).reduce(_ && _)
  }
}

object ProtectedMemory {

  /** A beat that must never reach memory as it is. */
  val secret = BigInt("5ec2e75ec2e75ec2", 16)

  /** A beat that may. */
  val open = BigInt("09e409e409e409e4", 16)
}

/** Random traffic of all kinds and sizes against a model of memory, after arming. */
class FuzzBench(
    scheme: ProtectionParams,
    banks: Int,
    around: Boolean,
    operations: Int,
    bytes: BigInt = Bench.bytes,
    regions: Seq[MemoryRegion] = Nil,
    cache: Option[LastLevelCacheParams] = None
)(implicit p: Parameters)
    extends LazyModule {
  private val memory = LazyModule(new ProtectedMemory(scheme, banks, around, bytes, regions, cache = cache))
  private val fuzzer = LazyModule(new TLFuzzer(operations, inFlight = 8))
  private val model = LazyModule(new TLRAMModel)
  private val gate = LazyModule(new TLGate)
  private val script = LazyModule(new TLScript(Bench.loadKeys ++ Bench.arm))
  memory.entry.node := TLDelayer(0.2) := gate.node := model.node := fuzzer.node
  memory.serveRegisters(script)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    script.module.select := 0.U // the only one
    gate.module.open := memory.module.armed && script.module.finished
    finished := fuzzer.module.io.finished
    assert(!finished || memory.module.exercised, "the traffic did not exercise every engine")
  }
}

/** Scripts against both the memory and the control registers.
  *
  * @param scripts each with what the interrupt must be at its end
  */
class ScriptBench(
    scheme: ProtectionParams,
    banks: Int,
    scripts: Seq[(Boolean, Seq[Access])],
    boot: ProtectorBoot = ProtectorBoot.SoftwareArm,
    broken: Int => Boolean = _ => false,
    cache: Option[LastLevelCacheParams] = None,
    stuck: Option[BigInt] = None
)(implicit p: Parameters)
    extends LazyModule {
  private val memory =
    LazyModule(new ProtectedMemory(
      scheme,
      banks,
      around = false,
      boot = boot,
      broken = broken,
      cache = cache,
      stuck = stuck
    ))
  private val script = LazyModule(new TLScript(scripts.map(_._2): _*))
  memory.serve(script)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    script.module.select := select
    finished := script.module.finished
    assert(!finished || memory.module.interrupt === VecInit(scripts.map(_._1.B))(select), "the interrupt is wrong")
  }
}
