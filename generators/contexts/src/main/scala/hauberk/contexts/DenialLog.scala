package hauberk.contexts

import chisel3._
import chisel3.util._

/** An access that was denied. */
class Denial extends Bundle {
  val address = UInt(64.W)

  /** It would have written, or asked for the right to write. */
  val write = Bool()
}

/** A denied access, and who made it. */
class DenialRecord(val ports: Int) extends Bundle {
  val access = new Denial
  val spid = UInt(8.W)
  val port = UInt(log2Ceil(ports).max(1).W)
}

/** Keeps the first access that was denied since it was cleared, and counts all.
  *
  * @param ports where accesses are checked; of one cycle, that of the first port is kept
  */
class DenialLog(ports: Int) extends Module {
  val io = IO(new Bundle {
    val denials = Vec(ports, Flipped(Valid(new Denial)))
    val spids = Input(Vec(ports, UInt(8.W)))
    val clear = Input(Bool())
    val first = Valid(new DenialRecord(ports))
    val count = Output(UInt(64.W))
  })
  private val count = RegInit(0.U(64.W))
  private val denied = VecInit(io.denials.map(_.valid))
  private val port = PriorityEncoder(denied)
  private val there = RegInit(false.B)
  private val record = Reg(new DenialRecord(ports))
  count := count + PopCount(denied)
  when(io.clear) { there := false.B }
  when(denied.asUInt.orR && (!there || io.clear)) {
    there := true.B
    record.access := io.denials(port).bits
    record.spid := io.spids(port)
    record.port := port
  }
  io.first.valid := there
  io.first.bits := record
  io.count := count
}
