package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import chisel3.util.random.LFSR
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.bus._
import hauberk.tilelink.common.{Access, Register, TLLineUser, TLScript}
import hauberk.tilelink.protector.Bench
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Tiles on a shared bus: some that share lines of memory through a broadcast hub, and one more, whose accesses of all kinds are checked
  * against a model. Delays are on both sides.
  *
  * Where tiles encrypt for memory, they do for those lines, no line may come to memory as it is, and that one more tries accesses that would
  * put plaintext there, instead.
  *
  * Scenario 0 runs until all are finished. In scenario 1 somebody keeps one beat of data from one member, in scenario 2 one announcement of
  * a counter for memory; in scenario 3 the package's key is not for one of the tiles; in scenario 4 a line's command comes without the
  * line. Each must be found out.
  *
  * @param operations of each tile: lines that it acquires, or accesses
  * @param sharers    tiles that share lines
  */
class SecureBusBench(params: SecureBusParams, operations: Int, sharers: Int = 2)(implicit p: Parameters)
    extends LazyModule {
  private val lineBytes = 64
  private val shared = AddressSet(0x10000, 0x3ff)
  private val single = AddressSet(0x20000, 0xfff)
  private val lines = 4
  private val bus = LazyModule(new TLSecureBus(params, lineBytes, 8, params.pads.map(_ => shared)))
  private val home = LazyModule(new TLXbar)
  private val users = Seq(0x1234, 0x4321, 0x5678, 0x8765).take(sharers).map { seed =>
    val user = LazyModule(new TLLineUser(shared.base, lines, operations, seed))
    home.node := TLDelayer(0.1) := bus.port() := TLDelayer(0.1) := user.node
    user
  }
  private val fuzzer = if (params.pads.isDefined) None
  else Some(LazyModule(new TLFuzzer(operations, inFlight = 4, overrideAddress = Some(single))))
  for (fuzzer <- fuzzer) {
    val model = LazyModule(new TLRAMModel)
    home.node := TLDelayer(0.1) := bus.port() := TLDelayer(0.1) := model.node := fuzzer.node
  }
  private val intruder = params.pads.map { _ =>
    val script = LazyModule(new TLScript(SecureBusBench.intrusion(shared.base)))
    home.node := bus.port() := script.node
    script
  }
  private val memory = TLIdentityNode()
  private val hubRam = LazyModule(new TLRAM(address = shared, beatBytes = 8))
  private val fuzzRam = LazyModule(new TLRAM(address = single, beatBytes = 8))
  private val script = LazyModule(new TLScript(SecureBusBench.script(params, sharers + 2)))
  bus.controlNode := TLFragmenter(8, lineBytes) := script.node
  hubRam.node := TLFragmenter(8, lineBytes) := TLDelayer(0.1) := memory := TLBroadcast(lineBytes, 2) := home.node
  fuzzRam.node := TLFragmenter(8, lineBytes) := TLDelayer(0.1) := home.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val pins = bus.module.pins
    pins.fuse.groupKey := BigInt("00112233445566778899aabbccddeeff", 16).U
    pins.fuse.deviceKeys.foreach(_ := Bench.deviceKey.U)
    when(select === 3.U) { pins.fuse.deviceKeys(2) := (Bench.deviceKey ^ 1).U }
    pins.fuse.valid := true.B
    pins.wrappedKey := VecInit(Bench.wrappedKey.map(_.U(64.W)))
    script.module.select := 0.U // the only one
    intruder.foreach(_.module.select := 0.U)
    pins.entropy.valid := LFSR(16)(0)
    pins.entropy.bits := LFSR(64)

    // What a line holds, once it is written
    private val values = Reg(Vec(lines, UInt(56.W)))
    private val written = RegInit(VecInit(Seq.fill(lines)(false.B)))
    private val handed = RegInit(VecInit(Seq.fill(lines)(false.B))) // written by one, read by the other
    private val writer = Reg(Vec(lines, UInt(2.W)))
    // Whose masks are behind, or who uses a false counter, reads nonsense until that is found out
    private val dropsPad = select === 2.U
    private val misled = select === 1.U || dropsPad
    for ((user, i) <- users.map(_.module).zipWithIndex) {
      user.written := Mux(misled, VecInit(Seq.fill(lines)(false.B)), written)
      when(user.wrote.valid) {
        values(user.wrote.bits.line) := user.wrote.bits.value
        written(user.wrote.bits.line) := true.B
        writer(user.wrote.bits.line) := i.U
      }
      when(user.read.valid && written(user.read.bits.line) && !misled) {
        assert(user.read.bits.value === values(user.read.bits.line), "a line is not what was last written to it")
        when(writer(user.read.bits.line) =/= i.U) { handed(user.read.bits.line) := true.B }
      }
    }

    // Whether a line came to memory as its owner had it
    private val leaked = RegInit(false.B)
    for ((ram, edge) <- memory.in) {
      val line = (ram.a.bits.address >> log2Ceil(lineBytes))(log2Ceil(lines) - 1, 0)
      when(ram.a.valid && edge.hasData(ram.a.bits) && written(line) && ram.a.bits.data(55, 0) === values(line)) {
        leaked := true.B
      }
    }

    // Keeps one beat from member 1 that is not its own nor for it alone
    private val attacks = select =/= 0.U
    private val struck = RegInit(false.B)
    private val late = RegInit(0.U(14.W))
    when(!late.andR) { late := late + 1.U }
    private val isPad = pins.view.beat.kind === FrameKind.pad.U
    private val shown = RegNext(pins.view.shown && Mux(dropsPad, isPad, pins.view.beat.hasData))
    private val aside = RegNext(pins.view.beat.source =/= 1.U && pins.view.beat.destination =/= 1.U)
    private val strikes = misled && late.andR && !struck && shown && aside
    pins.taps := 0.U.asTypeOf(pins.taps)
    pins.taps(1).replace := strikes
    when(strikes && pins.view.tick && pins.view.taken) { struck := true.B }

    // Tells member 1, when nothing else passes, that it is granted a line of which there is nothing; no MAC tells of that
    private val view = pins.view.beat
    private val granted = pins.view.taken && view.hasData && view.destination === 1.U && view.channel === BusChannel.d.U
    private val command = RegEnable(view.command, granted)
    private val seen = RegInit(false.B)
    private val idle = RegNext(!pins.view.shown)
    when(granted) { seen := true.B }
    when(select === 4.U && late.andR && seen && idle && !struck) {
      pins.taps(1).replace := true.B
      pins.taps(1).valid := true.B
      pins.taps(1).beat.destination := 1.U
      pins.taps(1).beat.channel := BusChannel.d.U
      pins.taps(1).beat.command := command
      pins.taps(1).beat.last := true.B
      when(pins.view.tick) { struck := true.B }
    }

    private val all = users.map(_.module.finished).reduce(_ && _) && fuzzer.fold(true.B)(_.module.io.finished) &&
      script.module.finished && intruder.fold(true.B)(_.module.finished)
    finished := Mux(attacks, pins.alarm.raised, all)
    assert(attacks || !pins.alarm.raised, "a false alarm")
    assert(attacks || !finished || handed.reduce(_ || _), "no line went from one cache to the other")
    assert(attacks || !finished || leaked === params.pads.isEmpty.B, "a line is in memory as it should not be")
    if (params.security.isDefined) {
      assert(select === 3.U || !finished || pins.statistics.authentications =/= 0.U, "nothing was authenticated")
      val cause =
        MuxLookup(select, BusAlarm.mismatch.U, Seq(3.U -> BusAlarm.noKey.U, 4.U -> BusAlarm.malformed.U))
      assert(!attacks || !finished || pins.alarm.cause === cause, "found out in another way")
    }
  }
}

object SecureBusBench {

  /** What would put plaintext into memory, or would read ciphertext. */
  def intrusion(base: BigInt): Seq[Access] =
    Seq(0, 0x40, 0x48).flatMap(offset => Seq(Access.deniedWrite(base + offset), Access.deniedRead(base + offset)))

  /** Asks the registers of a bus of `count` members for all that can be asked: of a second group, if there may be one, which is given a page that nobody
    * uses, loses it to be swapped out and in, is given it again, and loses it for good.
    */
  def script(params: SecureBusParams, count: Int): Seq[Access] = {
    import SecureBusMap._
    val everybody = (1 << count) - 1
    def at(register: Register): BigInt = params.address + register.offset
    def of(pid: Int, register: Register): BigInt = at(member.in(pid)(register))
    def ask(operation: Int, group: Int): Access =
      Access.write(at(command), (BigInt(operation) << 40) | (BigInt(group) << 32) | everybody)
    val entry = at(pages.in(params.security.fold(1)(_.pageRanges) - 1)(pageRange))
    def range(group: Int, page: BigInt = 0x40, size: Int = 13): BigInt =
      pageGroup.holding(group) | pageSize.holding(size) | pageFirst.holding(page)
    def accepted(word: BigInt): Seq[Access] = Seq(Access.write(entry, word), Access.read(entry, word))
    def ignored(word: BigInt, now: BigInt): Seq[Access] = Seq(Access.write(entry, word), Access.read(entry, now))
    def refused(why: Int): Seq[Access] =
      (0 until count).map(pid => Access.read(of(pid, memberRefusals), why, mask = 0x10000ff))
    val identity = Seq(
      Access.read(at(id), BigInt("4861756265726b32", 16)),
      Access.read(at(geometry), count | (6 << 8) | (params.sharedBus.ratio << 16), mask = 0xffffff)
    )
    val opened = Access.await(at(status), 1, mask = 7)
    val groupZero = Seq(ask(GroupOperation.release, 0)) ++ refused(GroupRefusal.busy) ++
      Seq(ask(GroupOperation.allocate, 0)) ++ refused(GroupRefusal.occupied)
    val second = Seq(ask(GroupOperation.open, 1)) ++ refused(GroupRefusal.free) ++
      Seq(Access.write(at(interval), 0), ask(GroupOperation.allocate, 1)) ++ refused(GroupRefusal.interval) ++
      Seq(Access.write(at(interval), 5), ask(GroupOperation.allocate, 1)) ++ refused(GroupRefusal.none) ++
      Seq(ask(GroupOperation.open, 1)) ++ refused(GroupRefusal.noKey) ++
      Seq(Access.write(at(wrappedKey.head), 0), Access.write(at(load), 1), Access.await(at(status), 1, mask = 3)) ++
      Seq(Access.read(of(0, memberRefusals), 1 << 24, mask = 1 << 24)) ++
      Bench.wrappedKey.zipWithIndex.map { case (word, index) => Access.write(at(wrappedKey(index)), word) } ++
      (0 until count).map(pid => Access.write(at(load), (pid << 8) | 1)) ++
      Seq(Access.await(at(status), 1, mask = 3), Access.read(at(wrappedKey.head), 0)) ++
      ignored(range(1), 0) ++ Seq(ask(GroupOperation.open, 1)) ++ refused(GroupRefusal.none) ++
      (0 until count).map(pid => Access.await(of(pid, memberAgreed), 3, mask = 3)) ++
      accepted(range(1)) ++ Seq(ask(GroupOperation.release, 1)) ++ refused(GroupRefusal.busy) ++
      Seq(ask(GroupOperation.swapOut, 1)) ++ refused(GroupRefusal.busy) ++
      Seq(ask(GroupOperation.release, 2)) ++ refused(GroupRefusal.unknown) ++
      Seq(range(2), range(1, page = 0x41), range(1, size = 11), range(1, size = 57), range(1, size = 64 + 13))
        .flatMap(ignored(_, range(1))) ++ accepted(range(0, size = 56, page = 0)) ++ accepted(range(1))

    // The group loses its page, and is swapped out once what passed of it is authenticated, and every member's context waits to be read
    val leave = ignored(range(1, size = 0), 0)
    def insist(operation: Int): Seq[Access] =
      Access.insist(ask(operation, 1), of(0, memberRefusals), GroupRefusal.none, mask = 0xff) ++
        refused(GroupRefusal.none)
    val gone = (0 until count).map(pid => Access.read(of(pid, memberAgreed), 1, mask = 3)) ++
      ignored(range(1), 0) ++ Seq(ask(GroupOperation.open, 1)) ++ refused(GroupRefusal.free)
    val words = GroupContext.words
    val out = for {
      pid <- 0 until count
      word <- 0 until words
      access <- Seq(
        Access.await(of(pid, contextOutReady), 1, mask = 1),
        Access.keep(of(pid, contextOut), words * pid + word)
      )
    } yield access
    // A context comes back to whom it belongs to, as it was, and once
    def in(pid: Int, from: Int, why: Int, inverted: BigInt = 0): Seq[Access] =
      (0 until words).map(word =>
        Access.writeKept(of(pid, contextIn), words * from + word, if (word == 0) inverted else 0)
      ) :+ Access.await(of(pid, memberRefusals), why << 16, mask = 0xff0000)
    val back = in(0, 1, GroupRefusal.context) ++ in(1, 1, GroupRefusal.context, inverted = 1) ++
      (0 until count).flatMap(pid => in(pid, pid, GroupRefusal.none)) ++ in(2, 2, GroupRefusal.occupied)
    val again = Seq(ask(GroupOperation.open, 1)) ++ refused(GroupRefusal.none) ++
      (0 until count).map(pid => Access.await(of(pid, memberAgreed), 3, mask = 3)) ++
      accepted(range(1))
    val swapped = leave ++ insist(GroupOperation.swapOut) ++ gone ++ out ++ back ++ again
    val released = leave ++ insist(GroupOperation.release) ++ gone
    identity ++ params.security.toSeq.flatMap { security =>
      opened +: (groupZero ++ (if (security.groups > 1) second ++ swapped ++ released else Nil))
    }
  }
}
