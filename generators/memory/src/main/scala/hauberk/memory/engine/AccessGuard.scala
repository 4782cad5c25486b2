package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort, MemoryRequestHeader}
import hauberk.memory.common.{AlarmCause, Geometry}

/** A refused access. */
class Violation(val addressBits: Int) extends Bundle {
  val cause = UInt(AlarmCause.width.W)
  val address = UInt(addressBits.W)
}

/** Lets a request pass, with no cycle added, if the engine is open and the request stays inside the data region; denies it otherwise, so
  * that it never reaches the protector behind. The decision is made at the first beat and holds for the whole request.
  */
class AccessGuard(p: Geometry) extends Module {
  private val params = p.client
  val io = IO(new Bundle {
    val client = Flipped(new MemoryPort(params))
    val inside = new MemoryPort(params)

    /** Armed, and not halted. */
    val open = Input(Bool())

    /** A request was refused in this cycle. */
    val violation = Valid(new Violation(params.addressBits))
  })
  private val head = io.client.request
  private val lastIdx = Mux(head.bits.write, Burst.lastBeat(head.bits.size, params), 0.U)
  private val (first, last, _) = Burst.track(head.valid && head.ready, lastIdx)

  private val isData = head.bits.address < p.layout.dataBytes.U
  private val refusing = Reg(Bool())
  private val refuse = Mux(first, !io.open || !isData, refusing)
  private val owed = RegInit(false.B) // a denial not yet answered
  private val debt = Reg(new MemoryRequestHeader(params))
  private val debtIsWrite = Reg(Bool())

  io.inside.request.valid := head.valid && !refuse
  io.inside.request.bits := head.bits
  head.ready := Mux(refuse, !owed, io.inside.request.ready)
  private val fires = head.valid && head.ready
  when(fires) { refusing := refuse }
  when(fires && refuse && last) {
    owed := true.B
    debt := MemoryRequestHeader(params, head.bits)
    debtIsWrite := head.bits.write
  }
  io.violation.valid := fires && refuse && first
  io.violation.bits.cause := Mux(io.open, AlarmCause.outsideData.U, AlarmCause.notArmed.U)
  io.violation.bits.address := head.bits.address

  // Denials go out between the bursts that come from inside
  private val inside = io.inside.response
  private val out = io.client.response
  private val passes = inside.valid && inside.ready
  private val passingLast = Mux(inside.bits.write, 0.U, Burst.lastBeat(inside.bits.size, params))
  private val (between, _, _) = Burst.track(passes, passingLast)
  private val denying = RegInit(false.B)
  private val deny = denying || (owed && between)
  out.valid := deny || inside.valid
  out.bits := inside.bits
  inside.ready := out.ready && !deny
  private val (_, lastDenial, _) =
    Burst.track(out.valid && out.ready && deny, Mux(debtIsWrite, 0.U, Burst.lastBeat(debt.size, params)))
  when(deny) {
    out.bits.write := debtIsWrite
    out.bits.id := debt.id
    out.bits.size := debt.size
    out.bits.data := 0.U
    out.bits.denied := true.B
    when(out.ready) {
      denying := !lastDenial
      when(lastDenial) { owed := false.B }
    }
  }
}
