package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.interrupts.{IntSourceNode, IntSourcePortSimple}
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.fault.EntropyHealth
import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.port.{BlockSplitter, MemoryPortParams}
import hauberk.memory.counter.CounterHint
import hauberk.memory.integrity.LogHash
import hauberk.memory.region.RegionLoader
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.{MemoryProtectionEngine, Protection}
import hauberk.tilelink.common.{QuietRegisters, RegisterMap, StatisticsObserver}
import hauberk.tilelink.exports.{Destinations, ExportState}
import hauberk.tilelink.steering.SteeringHint
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Pins of a memory protector that do not go to a bus.
  *
  * @param takesPackages there are fuses with the device key, under which a package's key is wrapped
  */
class ProtectorPins(val takesPackages: Boolean) extends Bundle {
  val fuse = if (takesPackages) Some(Input(new FusePins)) else None
  val entropy = Flipped(Decoupled(UInt(64.W)))
}

/** Keeps a region of memory encrypted: stands on the memory side of the coherence manager, one engine to each edge (bank).
  *
  * Towards the caches it offers the region less each bank's metadata as ordinary memory, whose accesses of 1 to a
  * block's bytes it may deny. The metadata it offers as a nameless device that denies every access, so that touching it is
  * answered and latched instead of hanging; the device tree does not know of it. Accesses to memory outside the region
  * pass around the engine unchanged. Requests of different source may be answered in any order. The adapter adds no
  * cycle to what the engine takes.
  *
  * Regions are a matter of construction: no register names them, so that no software can expose memory or give it away. They are in
  * the engines' tables before these can be armed.
  *
  * If some regions are of the second context, every engine has a key of its own for it before it can be armed: two words of entropy each,
  * engine by engine, after those of the dynamic key. Status says that the protector is initialised, and has its dynamic key, when all of
  * that is done, so that the boot ROM need not know.
  *
  * With [[ProtectorBoot.AutoArm]] and [[ProtectorBoot.PackageArm]] it arms itself; what must wait for that waits in a [[TLGate]] before it.
  *
  * @param params    the scheme, and the exceptions to it
  * @param region    the memory to protect, over all edges
  * @param beatBytes width in bytes of the bus of the control registers
  */
class TLMemoryProtector(params: MemoryProtectorParams, region: ProtectedRegion, beatBytes: Int)(implicit p: Parameters)
    extends LazyModule
    with LazyScope
    with QuietRegisters {
  private val scheme = params.scheme
  require(
    scheme.cipher.keyBits == 128,
    s"keys of ${scheme.cipher.keyBits} bits cannot be unwrapped: program packages carry a 128-bit key"
  )

  /** Regions of the protected memory that differ from the rest. */
  val regions: Seq[MemoryRegion] = params.regions

  val node = TLAdapterNode(
    // One client for all there is, because a bank's clients must look alike for Rocket Chip to see one cache in them. The
    // engine's identifiers come first, those of requests that pass around it after them.
    clientFn = { port =>
      val sources = IdRange(0, aroundStart + Bypass.ids)
      port.v1copy(clients = Seq(TLMasterParameters.v1(name = "memory-protector", sourceId = sources)))
    },
    managerFn = region.offer(_, scheme)
  )
  val device = new SimpleDevice("memory-protector", Seq("hauberk,memory-protector"))
  val controlNode = TLRegisterNode(RegisterMap.block(params.address), device, beatBytes = beatBytes)
  val interruptNode = IntSourceNode(IntSourcePortSimple(resources = device.int))

  private var owners = Option.empty[(BundleBridgeSource[PageOwnerQuestions], BundleBridgeSink[PageOwnerAnswers])]

  /** Whether something must tell it which pages have an owner. */
  def asksOwners: Boolean = scheme.verification.asksOwners

  /** Ties it to what knows that, by the nodes that are given.
    *
    * @param tie gets the questions, and the node that the answers go to
    */
  def askOwners(
      tie: (() => Int, BundleBridgeSource[PageOwnerQuestions], BundleBridgeSink[PageOwnerAnswers]) => Unit
  ): Unit = this {
    val questions = BundleBridgeSource(() => new PageOwnerQuestions(node.edges.in.size))
    val answers = BundleBridgeSink[PageOwnerAnswers]()
    tie(() => node.edges.in.size, questions, answers)
    owners = Some((questions, answers))
  }

  /** Where a loader writes what a package brings, if one does. */
  val loader: Option[BigInt] = if (params.boot == ProtectorBoot.PackageArm) Some(params.address) else None

  /** Where pass-around identifiers start: after every engine's. */
  private val aroundStart: Int = {
    val engineIds = Protection.maximalMemoryIds(scheme, region.blockBytes)
    (engineIds + Bypass.ids - 1) / Bypass.ids * Bypass.ids
  }

  /** Region and scheme of each edge's engine; known once the nodes are connected. */
  lazy val banks: Seq[ProtectedBank] = {
    val found = node.edges.in.zip(node.edges.out).zipWithIndex.map { case ((edgeIn, edgeOut), index) =>
      val map = region.bank(edgeOut.manager)
      val bank = Bank(
        localBytes = map.localBytes,
        beatBytes = edgeOut.manager.beatBytes,
        blockBytes = region.blockBytes,
        idBits = {
          val client = clientParams(edgeIn, map, edgeOut.manager.beatBytes)
          if (splits) BlockSplitter.narrow(client, region.blockBytes, TLMemoryProtector.longTransfers).idBits
          else client.idBits
        },
        engine = index
      )
      val protection = Protection(scheme, bank)
      val granuleBytes = scheme.regions.granuleBytes
      ProtectedBank(map, protection, regions.map(_.in(map.addresses, protection.layout, granuleBytes)))
    }
    val covered = found.map(_.map.localBytes).sum
    require(
      covered == region.bytes,
      s"the protected region has ${region.bytes} bytes, of which only $covered are DRAM: protect what is DRAM"
    )
    if (params.speculates) node.edges.out.foreach(edge => requireAllProtected(edge.manager))
    found
  }

  /** What the edge's bursts look like; and, where a block is less than a line, the ports of what takes them apart. */
  private def clientParams(edge: TLEdgeIn, map: BankMap, beatBytes: Int): MemoryPortParams =
    MemoryPortParams(
      log2Ceil(map.localBytes),
      beatBytes,
      region.lineBytes,
      math.max(1, log2Ceil(edge.client.endSourceId))
    )
  private def splits: Boolean = region.blockBytes < region.lineBytes

  /** With a scheme that verifies after use, memory outside the chip that is not protected would get what is not verified yet; and a master between the
    * coherence manager and memory on the chip would read it there, past all gates.
    */
  private def requireAllProtected(memory: TLManagerPortParameters): Unit = {
    memory.managers.filterNot(Destinations.isOnChip).foreach { manager =>
      require(
        manager.address.forall(region.outside(_).isEmpty),
        s"${manager.name} is behind the coherence manager and not protected as a whole, and could get what is not verified yet: protect all of it, " +
          "attach it elsewhere, or use a scheme that verifies before use, such as WithBonsaiTreeBlocking"
      )
    }
    memory.managers.foreach { manager =>
      val masters = Destinations.mastersPast(this, manager).map(_.name)
      require(
        masters.isEmpty,
        s"${masters.mkString(", ")} is a master past the coherence manager and could read in ${manager.name} what is not verified yet: attach it to the " +
          "front bus, or use a scheme that verifies before use, such as WithBonsaiTreeBlocking"
      )
    }
  }

  lazy val module = new Impl

  /** An engine for each bank, one key unit and register map for all, and the pins of the chip. */
  class Impl extends LazyModuleImp(this) {
    val pins = IO(new ProtectorPins(params.boot.takesPackages))
    val engineStatistics = IO(Output(Vec(banks.size, new EngineStatistics)))
    val status = IO(Output(new ProtectorStatus))

    /** Requests are served, or denied for good because it halted before it was armed: a waiting requester may proceed. */
    val open = IO(Output(Bool()))

    /** Whether data that the cores have read may leave the chip. */
    val exports = IO(Output(new ExportState))

    /** What programs say of their next accesses; only of schemes that take hints. */
    val hint = if (banks.head.protection.takesHints) Some(IO(Flipped(Valid(new SteeringHint)))) else None

    /** Something waits to leave the chip until what was read is verified; for one cycle. */
    val checkForExport = IO(Input(Bool()))

    private val keys = Module(
      new ProtectorKeyLoader(
        banks.size,
        params.boot.takesPackages,
        gated = scheme.cipher.gated,
        datapath = scheme.cipher.datapath
      )
    )
    private val registers = new ProtectorRegisters(banks.size, banks.head.protection, params.boot.takesPackages)
    private val command = registers.command
    private val flags = scheme.faults.flags
    private val locked = RegInit(flags.clear)
    private val isLocked = flags.isSet(locked, safe = true)
    private val engines = banks.map(bank => MemoryProtectionEngine(bank.protection))
    private val states = engines.map(_.status)
    private val armed = states.map(_.armed).reduce(_ && _)

    // None without regions
    private val loaders =
      if (scheme.regions.entries == 0) Nil
      else
        banks.map(bank => Module(new RegionLoader(scheme.regions, bank.protection.client, bank.regions)))
    private val initialised = (states.map(_.initialised) ++ loaders.map(_.io.done)).reduce(_ && _)
    private def usable(slot: Int) = states.map(_.usable(slot)).reduce(_ && _)
    private val hasContext = scheme.regions.entries > 0 && scheme.regions.contexts > 1
    private val dynamicUsable = usable(KeySlot.dynamic) && (if (hasContext) usable(KeySlot.spare) else true.B)
    private val ready = initialised && usable(KeySlot.static) && dynamicUsable && keys.io.settled

    private val alarmLatched = RegInit(false.B)
    private val haltLatched = RegInit(flags.clear)
    private val isFaulty = flags.faulty(locked) || flags.faulty(haltLatched)
    private val health = scheme.faults.entropy.map(limits => Module(new EntropyHealth(limits)).io)
    for (tests <- health) { tests.source <> pins.entropy }
    keys.io.entropy <> health.fold(pins.entropy)(_.tested)
    private val boot = if (params.boot.armsItself) Some(Module(new SelfBoot).io) else None
    boot.foreach(_.armed := armed)
    when(boot.fold(command.lock)(_.lock) && !isFaulty) { locked := flags.set }
    private val arm = boot.fold(command.arm)(_.arm)
    for (((key, fuse), wrappedKey) <- keys.io.fromPackage.zip(pins.fuse).zip(registers.wrappedKey)) {
      key.fuse := fuse
      key.wrappedKey := wrappedKey
      key.unwrap := command.unwrap && !isLocked && !armed
    }
    keys.io.makeDynamicKey := boot.fold(command.makeDynamicKey && !isLocked && !armed)(_.makeKeys)
    keys.io.makeStaticKey := (if (params.boot.takesPackages) false.B else boot.fold(false.B)(_.makeKeys))

    engines.zip(keys.io.engines).foreach { case (engine, port) =>
      engine.keyWrite := port.write
      engine.keyZeroize := port.zeroize
      if (hasContext) {
        // All engines have the dynamic key before the first asks, so that the words of entropy are always shared out alike
        port.wanted.valid := usable(KeySlot.dynamic) && !engine.status.usable(KeySlot.spare)
        port.wanted.bits := KeySlot.spare.U
      } else port.wanted := engine.keyWanted
      engine.control.arm := arm && ready
      engine.control.flush := command.flush
      engine.control.check := command.check || checkForExport
      // What was forged in one bank would go on in the others, and tell by addresses
      engine.control.halt := flags.isSet(haltLatched, safe = true) || isFaulty
      engine.control.imageBlocks := registers.imageBlocks
    }
    require(
      !asksOwners || owners.isDefined,
      "the memory protector verifies what is in pages with an owner before its use, and nothing tells which pages have one: add WithContextGuard, or use " +
        "Verification.Speculative"
    )
    for {
      (questions, answers) <- owners
      ((engine, bank), i) <- engines.zip(banks).zipWithIndex
      port <- engine.owner
    } PageOwnerQuestions.tie(
      port,
      block => bank.map.toGlobal(block << log2Ceil(region.blockBytes)),
      questions.bundle.addresses(i),
      answers.bundle.known(i),
      answers.bundle.owned(i)
    )
    for ((engine, loader) <- engines.zip(loaders)) { engine.regionWrite.get := loader.io.write }
    for {
      ((engine, bank), outer) <- engines.zip(banks).flatMap(unit => hint.map(unit -> _))
      inner <- engine.hint
    } {
      // A hint is for the engine of its block; all have the registers, and count what is no hint
      val isForAll = outer.bits.kind === CounterHint.next.U || outer.bits.kind === CounterHint.none.U
      inner.valid := outer.valid && (isForAll || bank.map.holds(outer.bits.address))
      inner.bits.kind := outer.bits.kind
      inner.bits.block := bank.map.toLocal(outer.bits.address) >> log2Ceil(region.blockBytes)
      inner.bits.id := outer.bits.id
    }
    engineStatistics.zip(engines).zipWithIndex.foreach { case ((port, engine), index) =>
      port := engine.statistics
      StatisticsObserver.show(s"engine$index", engine.statistics)
    }

    /** The alarm that halted an engine, the first of them, or else the first alarm; zero as long as there is none. */
    val alarm = IO(Output(new ProtectorAlarm(64)))
    private val firstAlarm = Reg(new ProtectorAlarm(64))
    private val alarms = states.zip(banks).map { case (state, bank) =>
      val now = Wire(new ProtectorAlarm(64))
      now.cause := state.cause
      now.address := bank.map.toGlobal(state.address)
      now
    }
    // Of several engines, as an engine keeps its own
    private val alarmed = states.map(_.alarm)
    private val halted = states.map(_.halted)
    private val halts = halted.reduce(_ || _) || isFaulty
    when(Mux(halts, !flags.isSet(haltLatched, safe = true), alarmed.reduce(_ || _) && !alarmLatched)) {
      alarmLatched := true.B
      haltLatched := flags(halts)
      firstAlarm := PriorityMux(Mux(halts, VecInit(halted), VecInit(alarmed)), alarms)
    }
    alarm := Mux(alarmLatched, firstAlarm, 0.U.asTypeOf(new ProtectorAlarm(64)))
    when(isFaulty) {
      alarm.cause := AlarmCause.chipFault.U
      alarm.address := 0.U
    }

    status.initialised := initialised
    status.staticUsable := usable(KeySlot.static)
    status.dynamicUsable := dynamicUsable
    status.armed := armed
    open := armed || status.halted
    status.locked := isLocked
    status.entropyFailed := health.fold(false.B)(_.failed)
    status.unwrapFailed := keys.io.fromPackage.fold(false.B)(_.failed)
    status.unwrapBusy := keys.io.fromPackage.fold(false.B)(_.busy)
    status.flushBusy := states.map(_.flushing).reduce(_ || _)
    status.alarm := alarmLatched || isFaulty
    status.halted := halts
    status.unverified := states.map(_.unverified).reduce(_ || _)
    status.rekeying := states.map(_.rekeying).reduce(_ || _)
    status.checking := states.map(_.checking).reduce(_ || _)
    exports.unverified := status.unverified
    exports.checking := status.checking
    exports.forbidden := status.halted
    interruptNode.out.head._1(0) := status.alarm && registers.interruptEnable
    controlNode.regmap(registers.fields(
      isLocked || armed || (!params.boot.takesPackages).B,
      status,
      alarm,
      engineStatistics
    ): _*)

    engines.zip(banks).zip(node.in.zip(node.out)).foreach { case ((engine, bank), ((in, edgeIn), (out, edgeOut))) =>
      val client =
        if (!splits) engine.client
        else {
          val params = clientParams(edgeIn, bank.map, edgeOut.manager.beatBytes)
          val splitter = Module(new BlockSplitter(params, region.blockBytes, TLMemoryProtector.longTransfers))
          engine.client <> splitter.io.memory
          splitter.io.client
        }
      BlockEdge(client, engine.memory, bank.map, region, aroundStart)(in, edgeIn, out, edgeOut)
    }
  }
}

object TLMemoryProtector {

  /** Transfers of several blocks in flight: an instruction cache has one. */
  private val longTransfers = 2
}
