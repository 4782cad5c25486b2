package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryRequest}
import hauberk.memory.common.Geometry

/** Memory's acknowledgement of a zero write: its identifier, counted from the first of the counter store. */
class ZeroAcknowledgement(val indexBits: Int) extends Bundle {
  val index = UInt(indexBits.W)
  val denied = Bool()
}

/** Writes zeros to every line of a group of counter lines, a beat a cycle while memory takes them and identifiers are free.
  *
  * @param ids identifiers it may use: those of the counter store
  */
class ZeroWriter(p: Geometry, groups: CounterGroups, ids: Int) extends Module {
  private val params = p.memory
  private val indexBits = math.max(1, log2Ceil(ids))
  val io = IO(new Bundle {

    /** Zero a group; only while not `busy`. */
    val start = Flipped(Valid(UInt(groups.groupBits.W)))

    /** The identifiers that the counter store does not use. */
    val free = Input(UInt(ids.W))

    /** The next write may begin. */
    val mayBegin = Input(Bool())
    val request = Decoupled(new MemoryRequest(params))
    val acknowledged = Flipped(Valid(new ZeroAcknowledgement(indexBits)))

    /** From the cycle after `start` until memory has acknowledged the last write. */
    val busy = Output(Bool())

    /** In the last cycle of `busy`: memory holds zeros in the whole group. */
    val done = Output(Bool())

    /** Memory refused a write. Stays set until reset, and no write begins any more. */
    val refused = Output(Bool())
  })
  private val active, sending, refused = RegInit(false.B)
  private val line = Reg(UInt(groups.lineBits.W))
  private val busy = RegInit(0.U(ids.W))
  private val candidates = io.free & (~busy).asUInt
  private val free = PriorityEncoder(candidates)
  private val held = Reg(UInt(indexBits.W))

  private val request = io.request
  private val fires = request.valid && request.ready
  private val (first, last, _) = Burst.track(fires, (params.blockBeats - 1).U(params.beatIndexBits.W))
  private val index = Mux(first, free, held)
  request.valid := sending && (!first || (io.mayBegin && candidates.orR && !refused))
  request.bits.write := true.B
  request.bits.partial := false.B
  request.bits.address := p.layout.counterBase.U +& (line << params.blockOffsetBits)
  request.bits.size := params.blockOffsetBits.U
  request.bits.id := p.counterIds.U +& index
  request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  request.bits.data := 0.U
  request.bits.corrupt := false.B

  private val endsGroup = if (groups.offsetBits == 0) true.B else line(groups.offsetBits - 1, 0).andR
  private val endsLast = endsGroup || line === (groups.lines - 1).U
  when(fires && first) { held := free }
  when(fires && last) {
    line := line + 1.U
    when(endsLast) { sending := false.B }
  }
  when(first && refused) { sending := false.B }
  when(io.start.valid) {
    active := true.B
    sending := true.B
    line := io.start.bits << groups.offsetBits
  }

  // An acknowledgement may come from the first beat of its write on; the writer is busy with the beats anyway
  private def only(condition: Bool, index: UInt): UInt = Mux(condition, UIntToOH(index, ids), 0.U(ids.W))
  busy := (busy | only(fires && first, free)) &
    (~only(io.acknowledged.valid, io.acknowledged.bits.index)).asUInt
  when(io.acknowledged.valid && io.acknowledged.bits.denied) { refused := true.B }

  private val ends = active && !sending && busy === 0.U
  when(ends) { active := false.B }
  io.busy := active
  io.done := ends && !refused
  io.refused := refused
}
