package hauberk.memory.cache

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, Lanes, MemoryRequest}
import hauberk.memory.common.{Geometry, MetadataCacheParams}

/** Lines on their way back to memory, two at most, in order: each is sealed by the guard and written as one burst, and need not wait for the
  * acknowledgement of the one before. A line is held until its last beat is sent and memory has acknowledged it, whichever comes last, so
  * that nobody fetches it too early.
  *
  * @param base     bank-local address of line 0
  * @param lineBits width of a line number
  * @param firstId  first of `MetadataCacheParams.writebacks` identifiers on the memory side
  */
class WritebackUnit(p: Geometry, base: BigInt, lineBits: Int, firstId: Int) extends Module {
  private val count = MetadataCacheParams.writebacks
  private val params = p.memory
  private val dataBits = p.bank.blockBytes * 8
  val io = IO(new Bundle {

    /** Take a line; only while `ready`. */
    val start = Flipped(Valid(UInt(lineBits.W)))
    val ready = Output(Bool())

    /** Bytes of the line that was taken in the cycle before. */
    val data = Input(UInt(dataBits.W))

    /** Is this line held? */
    val line = Input(UInt(lineBits.W))
    val holds = Output(Bool())
    val seal = Decoupled(new LeavingLine(lineBits, dataBits))
    val sealedLine = Flipped(Valid(UInt(dataBits.W)))
    val request = Decoupled(new MemoryRequest(params))

    /** The next beat of `request` is not the first of its burst. */
    val inBurst = Output(Bool())

    /** Memory has written one: its identifier, counted from the first. */
    val acknowledged = Flipped(Valid(UInt(log2Ceil(count).W)))

    /** A line is written: not held from the next cycle on. */
    val finished = Output(Bool())
    val busy = Output(Bool())
  })
  private def flags = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val valid, sealedHere, sent, early = flags
  private val line = Reg(Vec(count, UInt(lineBits.W)))
  private val data = Reg(Vec(count, UInt(dataBits.W)))

  // Places are taken, sealed and sent in turn
  private val taking, sealAt, sendAt = RegInit(0.U(log2Ceil(count).W))

  io.ready := !valid(taking)
  io.busy := valid.reduce(_ || _)
  io.holds := valid.zip(line).map { case (v, l) => v && l === io.line }.reduce(_ || _)
  when(io.start.valid) {
    valid(taking) := true.B
    line(taking) := io.start.bits
    taking := taking + 1.U
  }
  private val arriving = RegNext(io.start.valid, false.B)
  private val arrivingAt = RegNext(taking)
  when(arriving) { data(arrivingAt) := io.data }

  private val sealing = RegInit(false.B)
  private val there = valid(sealAt) && !(arriving && arrivingAt === sealAt)
  io.seal.valid := there && !sealing && !sealedHere(sealAt)
  io.seal.bits.line := line(sealAt)
  io.seal.bits.data := data(sealAt)
  when(io.seal.valid && io.seal.ready) { sealing := true.B }
  when(io.sealedLine.valid) {
    data(sealAt) := io.sealedLine.bits
    sealedHere(sealAt) := true.B
    sealAt := sealAt + 1.U
    sealing := false.B
  }

  private val beats = Lanes.beats(data(sendAt), params)
  private val sends = io.request.valid && io.request.ready
  private val (isFirst, isLast, beat) = Burst.track(sends, (params.blockBeats - 1).U(params.beatIndexBits.W))
  private val sendsLast = sends && isLast
  io.inBurst := !isFirst
  // A flushed line may be dirty and on its way again before memory has acknowledged it
  private val overtakes = (0 until count).map(i => valid(i) && sent(i) && line(i) === line(sendAt)).reduce(_ || _)
  io.request.valid := sealedHere(sendAt) && !sent(sendAt) && !overtakes
  io.request.bits.write := true.B
  io.request.bits.partial := false.B
  io.request.bits.address := base.U +& (line(sendAt) << params.blockOffsetBits)
  io.request.bits.size := params.blockOffsetBits.U
  io.request.bits.id := firstId.U +& sendAt
  io.request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  io.request.bits.data := beats(beat)
  io.request.bits.corrupt := false.B
  when(sendsLast) {
    sent(sendAt) := true.B
    sendAt := sendAt + 1.U
  }

  // A manager may acknowledge a burst from its first beat on
  private val finished = (0 until count).map { i =>
    val here = io.acknowledged.valid && io.acknowledged.bits === i.U
    when(here) { early(i) := true.B }
    val ends = (early(i) || here) && (sent(i) || (sendsLast && sendAt === i.U))
    when(ends) { Seq(valid, sealedHere, sent, early).foreach(_(i) := false.B) }
    ends
  }
  io.finished := finished.reduce(_ || _)
}
