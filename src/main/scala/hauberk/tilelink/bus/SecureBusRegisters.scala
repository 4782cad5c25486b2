package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.bus._
import hauberk.tilelink.common.WholeRegister

/** Offsets of a secure bus's registers, each of 64 bits and accessed whole. On a shared bus in the clear there are `id`, `geometry` and
  * `statistics` only.
  */
object SecureBusOffset {
  val id = 0x00
  val geometry = 0x08
  val status = 0x10
  val alarm = 0x18

  /** [31:0] members, [39:32] group, [47:40] operation ([[hauberk.bus.GroupOperation]]): done when it is written. */
  val command = 0x20

  /** Transfers between authentications, of groups that are allocated from now on. */
  val interval = 0x28
  val wrappedKey = 0x30

  /** [7:0] group, [15:8] PID: loads the wrapped key. */
  val load = 0x48
  val statistics = 0x80

  /** Registers of a member, by PID. */
  val members = 0x400
  val memberStride = 0x40
  val memberAlarm = 0x00

  /** [7:0] the last command, [15:8] the last key, [23:16] the last context: why refused; [24] the key could not be unwrapped. */
  val memberRefusals = 0x08

  /** Groups in which data may pass. */
  val memberAgreed = 0x10

  /** The group the tile uses; a write is taken only if that group is agreed. Absent at the home node. */
  val memberGroup = 0x18

  /** A word of the context that leaves: ready once [0] of the next register is set. */
  val contextOut = 0x20
  val contextOutReady = 0x28
  val contextIn = 0x30
  val blockBytes = 0x1000
}

/** The register file of a secure bus. Keys go in wrapped and never come out: what is written to them reads as zero. */
private[tilelink] object SecureBusRegisters {
  import SecureBusOffset._
  import WholeRegister._

  /** What is there on any shared bus. */
  def common(p: BusParams, statistics: SharedBusStatistics): Seq[RegField.Map] = {
    val geometryValue = Seq(
      p.members,
      log2Ceil(p.lineBytes),
      p.sharedBus.ratio,
      log2Ceil(p.sharedBus.widthBits),
      p.security.fold(0)(_.groups),
      p.security.fold(0)(_.masks)
    ).zipWithIndex.map { case (value, index) => BigInt(value) << (8 * index) }.sum
    val counters =
      Seq(statistics.beats, statistics.dataBeats, statistics.authentications, statistics.stalls, statistics.used)
    Seq(id -> read(BigInt("4861756265726b32", 16).U(64.W)), geometry -> read(geometryValue.U(64.W))) ++ // "Hauberk2"
      counters.zipWithIndex.map { case (counter, index) => (SecureBusOffset.statistics + 8 * index) -> read(counter) }
  }

  /** What commands the units, and shows them. Must be called where the registers are to be. */
  def secured(
      p: BusParams,
      state: SecureBusState,
      firstAlarm: BusAlarmPins,
      requests: SecureBusRequests
  ): Seq[RegField.Map] = {
    val intervalNow = RegInit(p.secure.interval.U(32.W))
    val wrapped = RegInit(VecInit(Seq.fill(3)(0.U(64.W))))
    val commanded = Wire(Valid(UInt(64.W)))
    val loads = Wire(Valid(UInt(64.W)))
    requests.wrapped := wrapped
    requests.command.valid := commanded.valid
    requests.unknown := commanded.bits(39, 32) >= p.secure.groups.U
    requests.command.bits.members := commanded.bits(31, 0)
    requests.command.bits.group := commanded.bits(39, 32)
    requests.command.bits.operation := commanded.bits(47, 40)
    requests.command.bits.interval := intervalNow
    for ((load, pid) <- requests.load.zipWithIndex) {
      load.valid := loads.valid && loads.bits(15, 8) === pid.U && loads.bits(7, 0) < p.secure.groups.U
      load.bits := loads.bits(7, 0)
    }
    val keys = wrapped.zipWithIndex.map { case (word, index) => (wrappedKey + 8 * index) -> held(word) }
    val single = Seq(
      status -> read(Cat(firstAlarm.raised, state.keyBusy, state.opened)),
      SecureBusOffset.alarm -> read(Cat(firstAlarm.pid + 0.U(8.W), firstAlarm.cause + 0.U(8.W))),
      command -> write(commanded),
      interval -> Seq(RegField(32, intervalNow)),
      load -> write(loads)
    )
    single ++ keys ++ (0 until p.members).flatMap(pid => member(p, pid, state, requests))
  }

  private def member(p: BusParams, pid: Int, state: SecureBusState, requests: SecureBusRequests): Seq[RegField.Map] = {
    val base = members + memberStride * pid
    val refusals = Cat(
      state.unwrapFailed(pid),
      state.contextRefusals(pid) + 0.U(8.W),
      state.keyRefusals(pid) + 0.U(8.W),
      state.refusals(pid) + 0.U(8.W)
    )
    val out = requests.contextOut(pid)
    val in = requests.contextIn(pid)
    val all = Seq(
      memberAlarm -> read(state.alarms(pid)),
      memberRefusals -> read(refusals),
      memberAgreed -> read(state.agreed(pid)),
      contextOut -> Seq(RegField.r(
        64,
        RegReadFn { ready =>
          out.ready := ready
          (true.B, Mux(out.valid, out.bits, 0.U))
        }
      )),
      contextOutReady -> read(out.valid),
      contextIn -> Seq(RegField.w(
        64,
        RegWriteFn { (valid, data) =>
          in.valid := valid
          in.bits := data
          in.ready
        }
      ))
    )
    val tile = if (pid == BusParams.home) Nil
    else {
      val chosen = Wire(Valid(UInt(64.W)))
      requests.use(pid - 1).valid := chosen.valid && chosen.bits < p.secure.groups.U
      requests.use(pid - 1).bits := chosen.bits
      Seq(memberGroup -> Seq(RegField(64, RegReadFn(state.current(pid - 1) + 0.U(64.W)), taken(chosen))))
    }
    (all ++ tile).map { case (offset, field) => (base + offset) -> field }
  }
}
