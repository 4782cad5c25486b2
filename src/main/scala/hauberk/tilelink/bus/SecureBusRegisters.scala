package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.bus._
import hauberk.tilelink.common.Register

/** The register file of a secure bus, laid out by [[SecureBusMap]]. Keys are written wrapped and never read: key registers read as zero. */
private[tilelink] object SecureBusRegisters {
  import SecureBusMap._

  /** Registers of every shared bus. */
  def common(p: BusParams, passed: SharedBusStatistics): Seq[RegField.Map] = {
    val parameters = geometry.readFields(
      members -> p.members,
      lineBits -> log2Ceil(p.lineBytes),
      ratio -> p.sharedBus.ratio,
      widthBits -> log2Ceil(p.sharedBus.widthBits),
      groups -> p.security.fold(0)(_.groups),
      masks -> p.security.fold(0)(_.masks),
      ranges -> p.pageRanges
    )
    Seq(id.readConstant, parameters) ++
      counters.map { case (counter, register) => statistics.in(0)(register).read(counter.of(passed)) }
  }

  /** Makes the control of the units and their registers. Must be called in the registers' scope. */
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
    requests.unknown := commandGroup.of(commanded.bits) >= p.secure.groups.U
    requests.command.bits.members := commandMembers.of(commanded.bits)
    requests.command.bits.group := commandGroup.of(commanded.bits)
    requests.command.bits.operation := commandOperation.of(commanded.bits)
    requests.command.bits.interval := intervalNow
    for ((request, pid) <- requests.load.zipWithIndex) {
      val group = loadGroup.of(loads.bits)
      request.valid := loads.valid && loadPid.of(loads.bits) === pid.U && group < p.secure.groups.U
      request.bits := group
    }
    val keys = wrappedKey.zip(wrapped).map { case (register, word) => register.held(word) }
    val single = Seq(
      status.read(Cat(firstAlarm.raised, state.keyBusy, state.opened)),
      alarm.read(Cat(firstAlarm.pid + 0.U(8.W), firstAlarm.cause + 0.U(8.W))),
      command.write(commanded),
      interval.rw(intervalNow),
      load.write(loads)
    )
    val entries = state.ranges.zip(requests.ranges).zipWithIndex.map { case ((now, request), number) =>
      val chosen = Wire(Valid(UInt(64.W)))
      val (group, size) = (pageGroup.of(chosen.bits), pageSize.of(chosen.bits))
      request.bits.group := group
      request.bits.size := size
      request.bits.page := pageFirst.of(chosen.bits)
      val names = group < p.secure.groups.U && size <= (PageRange.lgPage + PageRange.pageBits).U
      request.valid := chosen.valid && names
      pages.in(number)(pageRange).rw(Cat(now.page, now.size + 0.U(8.W), now.group + 0.U(8.W)), chosen)
    }
    single ++ keys ++ entries ++ (0 until p.members).flatMap(pid => ofMember(p, pid, state, requests))
  }

  private def ofMember(
      p: BusParams,
      pid: Int,
      state: SecureBusState,
      requests: SecureBusRequests
  ): Seq[RegField.Map] = {
    def its(register: Register): Register = member.in(pid)(register)
    val refusals = Cat(
      state.unwrapFailed(pid),
      state.contextRefusals(pid) + 0.U(8.W),
      state.keyRefusals(pid) + 0.U(8.W),
      state.refusals(pid) + 0.U(8.W)
    )
    val out = requests.contextOut(pid)
    Seq(
      its(memberAlarm).read(state.alarms(pid)),
      its(memberRefusals).read(refusals),
      its(memberAgreed).read(state.agreed(pid)),
      its(contextOut).read(out),
      its(contextOutReady).read(out.valid),
      its(contextIn).write(requests.contextIn(pid))
    )
  }
}
