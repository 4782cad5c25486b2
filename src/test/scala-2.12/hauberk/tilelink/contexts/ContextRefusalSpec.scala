package hauberk.tilelink.contexts

import freechips.rocketchip.devices.debug.{DebugModuleKey, DefaultDebugModuleParams, TLDebugModuleInner}
import freechips.rocketchip.diplomacy.{AddressSet, IdRange, RefusedDesign, TransferSizes}
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.rocket.{MulDivParams, RocketCoreParams}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tilelink._
import hauberk.config._
import hauberk.memory.ProtectionParams
import hauberk.memory.integrity.Verification
import hauberk.soc.{RefusedSystem, RocketSystem}
import hauberk.tilelink.common.{Access, TLScript}
import hauberk.tilelink.instruction.InstructionDecryptionParams
import hauberk.tilelink.exports.{TLDataGate, TLRequestGates}
import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryProtectorParams}
import org.chipsalliance.cde.config.{Config, Parameters}
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

// covers: soc.refused-contexts
class ContextRefusalSpec extends AnyFlatSpec {
  import RefusedSystem.{cores, why => refusal}
  private val tree = new BonsaiTreeRocketConfig
  private val half = MemoryProtectorParams(ProtectionParams.bonsaiTree, region = Some((0x80000000L, 0x400000L)))

  behavior of "WithContextGuard"

  it should "be taken where memory is whole, fresh and encrypted, and close its registers and the microcode's memory" in {
    val system = LazyModule(new RocketSystem()(new Config(new WithContextGuard ++ tree)))
    assert(system.dts.contains("secure-contexts"))
    def within(module: LazyModule): Seq[LazyModule] = module +: module.getChildren.flatMap(within)
    val managers = within(system).collectFirst { case hasher: TLHasher =>
      hasher.node.edges.out.head.manager
    }.get.managers
    for (address <- Seq(ContextMap.all.base, HasherMap.all.base, ClearerMap.all.base, MicrocodeMemory.address.base)) {
      val manager = managers.find(_.address.exists(_.contains(address))).get
      assert(manager.nodePath.exists(_.lazyModule.isInstanceOf[TLTilesOnly]), manager.name)
    }
    // Who reads these waits at export gates
    val shown = within(system).collectFirst { case guards: TLContextGuards => guards.shown }.get
    for (register <- ContextMap.random +: ContextMap.secret)
      assert(shown.exists(_.contains(ContextMap.all.base + register.offset)), register.name)
  }

  it should "be taken beside an inclusive cache without registers" in {
    val soc = Seq(RefusedSystem.inclusiveCache(None), new WithContextGuard, tree)
    assert(RefusedSystem.made(soc: _*).dts.contains("secure-contexts"))
  }

  it should "be taken by four cores, with two banks, and where memory is verified before it is used" in {
    val quad = new Config(new WithBonsaiTree ++ new BaselineQuadRocketConfig)
    for (soc <- Seq(quad, new BonsaiTreeBlockingDualRocketConfig))
      assert(LazyModule(new RocketSystem()(new Config(new WithContextGuard ++ soc))).dts.contains("secure-contexts"))
  }

  it should "have pages of contexts verified before their use, unless the loss is accepted" in {
    def verification(fragments: Config*): Verification = fragments
      .reduceRight[Config]((left, right) => new Config(left ++ right))(MemoryProtectionKey)
      .get.protection.verification
    assert(verification(new WithContextGuard, tree) == Verification.ByOwner)
    assert(verification(new WithContextGuard, new BonsaiTreeBlockingRocketConfig) == Verification.Blocking)
    val accepted = Seq(new WithUnverifiedContexts, new WithContextGuard, tree)
    assert(verification(accepted: _*) == Verification.Speculative)
    assert(
      LazyModule(new RocketSystem()(new Config(accepted(0) ++ accepted(1) ++ tree))).dts.contains("secure-contexts")
    )
  }

  private val refused = Seq[(String, () => Seq[Config], String)](
    ("without a protector", () => Seq(new BaselineRocketConfig), "need a memory protector"),
    (
      "to the right of a scheme that verifies after use",
      () =>
        Seq(new WithProtection("left", _.copy(verification = Verification.Speculative)), new WithContextGuard, tree),
      "put WithContextGuard to the left of the scheme"
    ),
    ("with memory that can be replayed", () => Seq(new AegisOtpRocketConfig), "that nobody replays"),
    ("with a log of accesses", () => Seq(new AegisLogHashRocketConfig), "use a scheme that verifies each read"),
    (
      "with a region in plaintext",
      () => Seq(new WithPlaintextRegion(0x80001000L, 4096), new AegisOtpRocketConfig),
      "all of DRAM protected alike"
    ),
    (
      "with a region of a second context",
      () => Seq(new WithContextRegion(0x80001000L, 4096), new AegisOtpRocketConfig),
      "all of DRAM protected alike"
    ),
    (
      "with a part of DRAM protected",
      () => Seq(new WithMemoryProtection(half), new BaselineRocketConfig),
      "all of DRAM protected alike"
    ),
    ("with more pages than there can be", () => Seq(new WithExtMemSize(8L << 30), tree), "64 KiB to 4 GiB of memory"),
    ("without external memory", () => Seq(new WithNMemoryChannels(0), tree), "no external memory whose pages"),
    (
      "with data caches that cannot be emptied",
      () => Seq(new WithNonblockingL1(2), tree),
      "data caches that software can empty"
    ),
    (
      "without the instruction that empties them",
      () => Seq(cores(tile => tile.copy(core = tile.core.copy(haveCFlush = false))), tree),
      "data caches that software can empty"
    ),
    (
      "without physical memory protection",
      () => Seq(cores(tile => tile.copy(core = tile.core.copy(nPMPs = 7))), tree),
      "give every core eight PMPs"
    ),
    (
      "with instruction decryption",
      () => Seq(new WithInstructionDecryption(InstructionDecryptionParams()), tree),
      "leave WithInstructionDecryption out"
    ),
    ("with a shared bus", () => Seq(new WithSenss, tree), "leave WithSenss out"),
    (
      "with fuses, where another master brings the first program",
      () => Seq(new WithChipPins, tree),
      "take programs from packages"
    ),
    ("with accelerators", () => Seq(new WithRoccExample, tree), "leave out what adds accelerators"),
    ("with instruction caches that loads read", () => Seq(RefusedSystem.itim, tree), "leave itimAddr out"),
    ("with data scratchpads", () => Seq(RefusedSystem.scratchpad, tree), "leave scratch out"),
    ("with bus error units", () => Seq(RefusedSystem.busErrorUnit, tree), "leave beuAddr out"),
    ("with a trace port that leaves the chip", () => Seq(RefusedSystem.tracePort, tree), "leave TracePortKey out"),
    (
      "with registers that drop lines of a cache",
      () => Seq(RefusedSystem.inclusiveCache(Some(0x2010000)), tree),
      "set ctrlAddr of InclusiveCacheKey to None"
    ),
    (
      "with fuses, where a register says where the boot ROM goes on",
      () => Seq(RefusedSystem.bootAddress, new WithPackageBoot, new WithChipPins, tree),
      "leave it out (in Chipyard add testchipip.boot.WithNoBootAddrReg)"
    ),
    (
      "with custom instructions of the core's own",
      () => Seq(cores(tile => tile.copy(core = tile.core.copy(useSCIE = true))), tree),
      "leave useSCIE out"
    ),
    (
      "with data caches that have several uncached accesses at a time",
      () => Seq(cores(tile => tile.copy(dcache = tile.dcache.map(_.copy(nMMIOs = 2)))), tree),
      "nMMIOs = 1"
    ),
    ("with a debug module", () => Seq(RefusedSystem.debugger, tree), "leave the debug module out")
  )
  for ((name, right, sentence) <- refused) it should s"be refused $name" in {
    val fragments = right()
    val whole = if (fragments.exists(_.isInstanceOf[WithContextGuard])) fragments else new WithContextGuard +: fragments
    assert(refusal(whole: _*).contains(sentence))
  }

  it should "be refused where a fragment takes its key away" in {
    val none = new Config((_, _, _) => { case ContextGuardKey => None })
    assert(refusal(none, new WithContextGuard, tree).contains("a fragment takes away the guard"))
  }

  it should "be refused with contexts that cannot be, or without a guard to change" in {
    assert(refusal(new WithSecureContexts(256), new WithContextGuard, tree).contains("256 secure contexts"))
    assert(refusal(new WithSecureContexts(4), tree).contains("WithSecureContexts changes a guard"))
  }

  it should "be refused where a fragment brings multipliers back whose time depends on their factors" in {
    val early = cores(tile =>
      tile.copy(core = tile.core.copy(mulDiv = Some(MulDivParams(mulUnroll = 8, mulEarlyOut = true))))
    )
    assert(refusal(early, new WithContextGuard, tree).contains("the time of a multiplication"))
  }

  it should "be refused with vector registers" in {
    class VectorCore extends RocketCoreParams(haveCFlush = true) { override val useVector = true }
    val vectors = cores(_.copy(core = new VectorCore))
    assert(refusal(vectors, new WithContextGuard, tree).contains("leave vector out"))
  }

  it should "be refused with a debug module that tiles reach, whatever parameters say" in {
    implicit val p: Parameters = new Config((_, _, _) => { case DebugModuleKey => Some(DefaultDebugModuleParams(64)) })
    class Bench extends LazyModule {
      private val guards = LazyModule(new TLContextGuards(ContextGuardParams(), GuardBench.memory, 8))
      private val tile, debugger = LazyModule(new TLScript(Nil))
      private val bus = LazyModule(new TLXbar)
      private val debug = LazyModule(new TLDebugModuleInner(new SimpleDevice("debug-controller", Nil), () => 1, 8))
      bus.node := guards.port() := tile.node
      guards.controlNode := TLFragmenter(8, 64) := bus.node
      debug.tlNode := TLFragmenter(8, 64) := bus.node
      debug.dmiNode := TLWidthWidget(8) := debugger.node
      lazy val module = new LazyModuleImp(this)
    }
    val why = RefusedDesign.why(chisel3.Driver.elaborate { () =>
      val bench = LazyModule(new Bench)
      bench.module
    })
    assert(why.contains("leave the debug module out"))
  }

  it should "be refused where a tile has no export gate, and memory is verified after use" in {
    implicit val p: Parameters =
      new Config((_, _, _) => { case MemoryProtectionKey => Some(MemoryProtectorParams(ProtectionParams.bonsaiTree)) })
    class Bench(gated: Int) extends LazyModule {
      private val guards = LazyModule(new TLContextGuards(ContextGuardParams(), GuardBench.memory, 8))
      private val gates = LazyModule(new TLRequestGates)
      private val data = LazyModule(new TLDataGate)
      private val bus = LazyModule(new TLXbar)
      private val ram = LazyModule(new TLRAM(AddressSet(GuardBench.memory.base, 0xfff), beatBytes = 8))
      private val only = LazyModule(new TLTilesOnly(guards))
      data.connect(gates)
      for (i <- 0 until 2) {
        val tile = LazyModule(new TLScript(Seq(Access.read(GuardBench.memory.base, 0))))
        if (i < gated) { bus.node := gates.port() := guards.port() := tile.node }
        else { bus.node := guards.port() := tile.node }
      }
      guards.controlNode := TLFragmenter(8, 64) := only.node := bus.node
      ram.node := TLFragmenter(8, 64) := data.node := bus.node
      lazy val module = new LazyModuleImp(this)
    }
    def elaborate(gated: Int) = chisel3.Driver.elaborate { () =>
      val bench = LazyModule(new Bench(gated))
      bench.module
    }
    elaborate(gated = 2)
    assert(RefusedDesign.why(elaborate(gated = 1)).contains("a guard of secure contexts and no export gate"))
  }

  "the guard of other masters" should "refuse one that caches memory" in {
    implicit val p: Parameters = Parameters.empty
    class Bench extends LazyModule {
      import GuardBench.memory
      private val guards = LazyModule(new TLContextGuards(ContextGuardParams(), memory, 8))
      private val others = LazyModule(new TLMasterGuard(guards.shape, memory))
      others.connect(guards)
      private val cache = TLClientNode(Seq(TLClientPortParameters(Seq(
        TLClientParameters("cache", IdRange(0, 1), supportsProbe = TransferSizes(64, 64))
      ))))
      private val tile = LazyModule(new TLScript(Nil))
      private val bus = LazyModule(new TLXbar)
      private val ram = LazyModule(new TLRAM(AddressSet(memory.base, memory.bytes - 1), beatBytes = 8))
      bus.node := guards.port() := tile.node
      bus.node := cache
      guards.controlNode := TLFragmenter(8, 64) := bus.node
      ram.node := TLFragmenter(8, 64) := TLBroadcast(64, 2) := others.node := bus.node
      lazy val module = new LazyModuleImp(this)
    }
    val why = RefusedDesign.why(chisel3.Driver.elaborate { () =>
      val bench = LazyModule(new Bench)
      bench.module
    })
    assert(why.contains("cache caches memory and is no tile"))
  }
}
