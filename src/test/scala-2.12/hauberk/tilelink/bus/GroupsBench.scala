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

/** Two programs on three tiles, each with lines in a page of its own: program 0 on tiles 1 and 2, in group 1; program 1 on tiles 2 and 3, in group 2. Tile
  * 2 has them in turn, and lines of the one in its cache while the other runs. All tiles share a broadcast hub, which probes tiles outside a
  * group as well.
  *
  * All that passes of a page must be in its group, whichever program the tile has at that moment.
  *
  *   - Scenario 0 runs until tiles 1 and 2 are finished. Then program 0's page is given to group 2, and tile 3 reads it: what tiles encrypted for memory is
  *     nonsense to it, and what they did not is what it was.
  *   - In scenario 1 somebody has the home node take a line of program 0 for one of program 1.
  *   - In scenario 2 somebody has it take a request of tile 3 for one of program 0's page. No MAC tells of that; the answer is in group 1.
  *   - In scenario 3 somebody gives tile 2 a line that is for tile 1, and that tile 2 can decrypt, where it waits for one of program 1.
  *   - In scenario 4 somebody tells the home node that tile 2 stores to program 0's page, in group 2.
  *   - In scenario 5 somebody tells it, while tile 1 waits for an answer, that the same source asks for program 1's page.
  *
  * @param operations lines that tiles 1 and 2 acquire
  */
class GroupsBench(params: SecureBusParams, operations: Int)(implicit p: Parameters) extends LazyModule {
  private val lineBytes = 64
  private val memory = AddressSet(0x10000, 0x1fff)
  private val lines = 4
  private val bus = LazyModule(new TLSecureBus(params, lineBytes, 8, params.pads.map(_ => memory)))
  private val home = LazyModule(new TLXbar)
  private val tap = TLIdentityNode()
  private val users =
    Seq(0x1234 -> operations, 0x4321 -> operations, 0x5678 -> 1000000).map { case (seed, operations) =>
      val user = LazyModule(new TLLineUser(memory.base, lines, operations, seed, programs = 2))
      home.node := TLDelayer(0.1) := bus.port() := TLDelayer(0.1) := tap := user.node
      user
    }
  private val toMemory = TLIdentityNode()
  private val ram = LazyModule(new TLRAM(address = memory, beatBytes = 8))
  ram.node := TLFragmenter(8, lineBytes) := TLDelayer(0.1) := toMemory := TLBroadcast(lineBytes, 2) := home.node
  private val before = LazyModule(new TLScript(GroupsBench.open(params, memory.base)))
  private val after = LazyModule(new TLScript(GroupsBench.give(params, memory.base)))
  private val control = LazyModule(new TLXbar)
  Seq(before, after).foreach(control.node := _.node)
  bus.controlNode := TLFragmenter(8, lineBytes) := control.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val pins = bus.module.pins
    pins.fuse.groupKey := BigInt("00112233445566778899aabbccddeeff", 16).U
    pins.fuse.deviceKeys.foreach(_ := Bench.deviceKey.U)
    pins.fuse.valid := true.B
    pins.wrappedKey := VecInit(Bench.wrappedKey.map(_.U(64.W)))
    pins.entropy.valid := LFSR(16)(0)
    pins.entropy.bits := LFSR(64)
    before.module.select := 0.U
    after.module.select := 0.U

    // First all run; then nobody, until no line is in a cache; then the page goes over
    private val time = RegInit(0.U(16.W))
    time := time + 1.U
    private val turn = time(9)
    private val done = users.init.map(_.module.finished).reduce(_ && _)
    private val quiet = RegInit(0.U(14.W))
    when(done && !quiet.andR) { quiet := quiet + 1.U }
    after.module.reset := reset.asBool || !quiet.andR
    private val given = after.module.finished && quiet.andR
    for (((user, i), program) <- users.map(_.module).zipWithIndex.zip(Seq(0.U, turn, Mux(given, 0.U, 1.U)))) {
      user.program.get.valid := Mux(done, given && (i == 2).B, before.module.finished)
      user.program.get.bits := program
    }

    // What a line holds, once it is written
    private val values = Reg(Vec(lines, UInt(56.W)))
    private val written = RegInit(VecInit(Seq.fill(lines)(false.B)))
    private val misled = select === 1.U || select === 3.U || select === 4.U || select === 5.U
    for (user <- users.map(_.module)) {
      user.written := Mux(misled || given, VecInit(Seq.fill(lines)(false.B)), written)
      when(user.wrote.valid) {
        values(user.wrote.bits.line) := user.wrote.bits.value
        written(user.wrote.bits.line) := true.B
      }
      when(user.read.valid && written(user.read.bits.line) && !misled && !given) {
        assert(user.read.bits.value === values(user.read.bits.line), "a line is not what was last written to it")
      }
    }
    private val reader = users.last.module
    private val reads = given && reader.read.valid
    private val known = reader.read.bits.value === values(reader.read.bits.line)
    when(reads) {
      assert(reader.read.bits.line < 2.U && written(reader.read.bits.line), "nothing of that page was ever written")
      assert(known === params.pads.isEmpty.B, "what a page of another group says")
    }

    private val (ramBundle, ramEdge) = toMemory.in.head
    when(ramBundle.a.valid && ramEdge.hasData(ramBundle.a.bits) && params.pads.isDefined.B) {
      val line = Cat(ramBundle.a.bits.address(12), ramBundle.a.bits.address(6))
      assert(!written(line) || given || ramBundle.a.bits.data(55, 0) =/= values(line), "a line is in memory as it is")
    }

    // All data on the shared bus are of their page's group
    private val beat = pins.view.beat
    private val shape = tap.in.head._2.bundle
    private def command[T <: TLChannel](channel: T): T = {
      val message = Wire(channel)
      message := 0.U.asTypeOf(message)
      TLCommand.unpack(beat.command, message)
      message
    }
    private def page(address: UInt): UInt = address(12)
    private val of = beat.channel
    private val passes = pins.view.taken && beat.kind === FrameKind.transfer.U
    private val a = command(new TLBundleA(shape))
    private val c = command(new TLBundleC(shape))
    private val asked = Reg(Vec(4, UInt(1.W)))
    private val waits = RegInit(VecInit(Seq.fill(4)(false.B)))
    when(passes && of === BusChannel.a.U) {
      asked(beat.source) := page(a.address)
      waits(beat.source) := true.B
    }
    private val answers = passes && of === BusChannel.d.U && beat.hasData
    when(answers) { waits(beat.destination) := false.B }
    private def groupOf(page: UInt): UInt = Mux(given, 2.U, page +& 1.U)
    private val honest = select === 0.U
    when(honest && passes && of === BusChannel.a.U) { assert(beat.group === groupOf(page(a.address)), "a request") }
    when(honest && passes && of === BusChannel.c.U && beat.hasData) {
      assert(beat.group === groupOf(page(c.address)), "a line that leaves")
    }
    when(honest && answers) { assert(beat.group === groupOf(asked(beat.destination)), "a line that comes") }
    private val grantAcks = RegInit(VecInit(Seq.fill(3)(false.B)))
    when(passes && of === BusChannel.e.U) {
      assert(!honest || beat.group === groupOf(asked(beat.source)), "an acknowledgement of a grant")
      grantAcks(beat.group) := true.B
    }
    // A line of either program leaves tile 2 while the other one runs; tiles outside a group are probed in group 0
    private val late = RegInit(VecInit(Seq.fill(2)(false.B)))
    when(passes && of === BusChannel.c.U && beat.hasData && beat.source === 2.U && page(c.address) =/= turn) {
      late(page(c.address)) := true.B
    }
    private val strangers = RegInit(false.B)
    when(passes && of === BusChannel.b.U) {
      assert(!beat.hasData, "data with a probe")
      when(beat.destination =/= 2.U && beat.group === 0.U) { strangers := true.B }
    }

    // Somebody's hands
    private val kind = RegNext(pins.view.shown && beat.kind === FrameKind.transfer.U)
    private val stable = RegNext(beat)
    private val struck = RegInit(false.B)
    private def forge(member: Int, when: Bool)(change: BusBeat => Unit): Unit = {
      pins.taps(member).replace := when
      pins.taps(member).valid := when
      pins.taps(member).beat := stable
      change(pins.taps(member).beat)
    }
    pins.taps := 0.U.asTypeOf(pins.taps)
    private val isLine = kind && stable.hasData && done === false.B
    private val flipped = (BigInt(1) << (GroupsBench.addressAt(new TLBundleC(shape)) + 12)).U
    private val flippedA = (BigInt(1) << (GroupsBench.addressAt(new TLBundleA(shape)) + 12)).U
    when(select === 1.U) {
      val strikes = isLine && stable.channel === BusChannel.c.U && stable.group === 1.U
      forge(BusParams.home, strikes) { _.command := stable.command ^ flipped }
    }
    when(select === 2.U) {
      val strikes = kind && stable.channel === BusChannel.a.U && stable.source === 3.U && !struck
      forge(BusParams.home, strikes) { _.command := stable.command ^ flippedA }
      when(strikes && pins.view.tick && pins.view.taken) { struck := true.B }
    }
    when(select === 3.U) {
      val strikes =
        isLine && stable.channel === BusChannel.d.U && stable.destination === 1.U && waits(2) && asked(2) === 1.U
      forge(2, strikes) { _.destination := 2.U }
    }
    when(select === 4.U) {
      val store = tap.out.head._2.Put(0.U, memory.base.U, 3.U, 0.U)._2
      // Once, while tile 2 asks for nothing: a second request of its source would be found out as such
      val strikes = before.module.finished && RegNext(!pins.view.shown) && !waits(2) && !struck
      when(strikes && pins.view.tick) { struck := true.B }
      forge(BusParams.home, strikes) { beat =>
        beat := 0.U.asTypeOf(beat)
        beat.group := 2.U
        beat.source := 2.U
        beat.channel := BusChannel.a.U
        beat.command := TLCommand.pack(store, false.B)
        beat.hasData := true.B
        beat.last := true.B
      }
    }
    when(select === 5.U) {
      val request = tap.out.head._2.AcquireBlock(0.U, (memory.base + 0x1000).U, 6.U, TLPermissions.NtoB)._2
      forge(BusParams.home, waits(1) && RegNext(!pins.view.shown)) { beat =>
        beat := 0.U.asTypeOf(beat)
        beat.source := 1.U
        beat.channel := BusChannel.a.U
        beat.command := TLCommand.pack(request, false.B)
        beat.last := true.B
      }
    }
    private val safe = RegInit(false.B)
    when(select === 2.U && struck && answers && beat.destination === 3.U) {
      assert(beat.group === 1.U, "a line of program 0 in group 2")
      safe := true.B
    }

    private val all = given && RegNext(reads, false.B)
    finished := MuxLookup(select, pins.alarm.raised, Seq(0.U -> all, 2.U -> safe))
    assert(misled || !pins.alarm.raised, "a false alarm")
    when(honest && finished) {
      assert(late.reduce(_ && _), "no line was left from the program before")
      assert(grantAcks(1) && grantAcks(2) && strangers, "nothing of a group")
    }
    when(misled && finished) {
      assert(pins.alarm.cause === BusAlarm.malformed.U, "found out in another way")
      assert(pins.alarm.pid === Mux(select === 3.U, 2.U, BusParams.home.U), "found out elsewhere")
    }
  }
}

private[bus] object GroupsBench {
  import SecureBusMap._
  private def entry(params: SecureBusParams, number: Int, base: BigInt, group: Int): Access = {
    val word = pageGroup.holding(group) | pageSize.holding(12) | pageFirst.holding(base >> 12)
    Access.write(params.address + pages.in(number)(pageRange).offset, word)
  }

  /** Opens group 1, of tiles 1 and 2, and group 2, of tiles 2 and 3, and gives each a page. */
  def open(params: SecureBusParams, base: BigInt): Seq[Access] = {
    def at(register: Register): BigInt = params.address + register.offset
    def of(pid: Int, register: Register): BigInt = at(member.in(pid)(register))
    def ask(operation: Int, group: Int, members: Seq[Int]): Access =
      Access.write(at(command), (BigInt(operation) << 40) | (BigInt(group) << 32) | members.map(1 << _).sum)
    def setUp(group: Int, members: Seq[Int]): Seq[Access] =
      ask(GroupOperation.allocate, group, members) +: members.flatMap { pid =>
        Seq(Access.write(at(load), (pid << 8) | group), Access.await(at(status), 1, mask = 3))
      } ++: ask(GroupOperation.open, group, members) +:
        members.map(pid => Access.await(of(pid, memberAgreed), 1 << group, mask = 1 << group))
    Seq(Access.await(at(status), 1, mask = 7)) ++
      Bench.wrappedKey.zipWithIndex.map { case (word, index) => Access.write(at(wrappedKey(index)), word) } ++
      setUp(1, Seq(0, 1, 2)) ++ setUp(2, Seq(0, 2, 3)) ++
      Seq(entry(params, 0, base, 1), entry(params, 3, base + 0x1000, 2))
  }

  /** Gives the first page to group 2. */
  def give(params: SecureBusParams, base: BigInt): Seq[Access] = Seq(entry(params, 0, base, 2))

  /** Where the address is in the command of a message. */
  def addressAt(message: TLBundleBase): Int = {
    val ordered = message.elements.toSeq.filterNot { case (name, field) =>
      Set("data", "corrupt")(name) || field.getWidth == 0
    }.sortBy(_._1)
    1 + ordered.reverse.takeWhile(_._1 != "address").map(_._2.getWidth).sum
  }
}
