package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, Lanes, MemoryRequest}

/** A line that leaves: its block, and whether it is poisoned. */
class LastLevelVictim(val g: LastLevelGeometry) extends Bundle {
  val block = UInt(g.client.blockIndexBits.W)
  val poisoned = Bool()
}

/** Lines on their way back to memory, in order. A line is held until its last beat is sent and memory has acknowledged it. */
class LastLevelWritebacks(g: LastLevelGeometry) extends Module {
  private val count = LastLevelCacheParams.writebacks
  private val indexBits = log2Ceil(count)
  val io = IO(new Bundle {

    /** Take a line, whose row comes in the next cycle; only while `ready`. */
    val start = Flipped(Valid(new LastLevelVictim(g)))
    val row = Input(UInt(g.rowBits.W))
    val ready = Output(Bool())

    /** Are these held? */
    val blocks = Input(Vec(2, UInt(g.client.blockIndexBits.W)))
    val holds = Output(Vec(2, Bool()))
    val request = Decoupled(new MemoryRequest(g.memory))

    /** Memory acknowledges one: its number. */
    val acknowledged = Flipped(Valid(UInt(indexBits.W)))

    /** Lines that are held in the next cycle, a bit a place, but for one that is taken now. */
    val held = Output(UInt(count.W))
  })
  private def flags = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val valid, sent, early = flags
  private val victim = Reg(Vec(count, new LastLevelVictim(g)))
  private val rows = Reg(Vec(count, UInt(g.rowBits.W)))
  private val taking, sending = RegInit(0.U(indexBits.W))

  io.ready := !valid(taking)
  for ((holds, block) <- io.holds.zip(io.blocks)) {
    holds := valid.zip(victim).map { case (v, line) => v && line.block === block }.reduce(_ || _)
  }
  private val arriving = RegNext(io.start.valid, false.B)
  private val arrivingAt = RegNext(taking)
  when(io.start.valid) {
    valid(taking) := true.B
    victim(taking) := io.start.bits
    taking := taking + 1.U
  }
  when(arriving) { rows(arrivingAt) := io.row }

  private val params = g.memory
  private val sends = io.request.valid && io.request.ready
  private val (_, isLast, beat) = Burst.track(sends, (params.blockBeats - 1).U(params.beatIndexBits.W))
  private val sendsLast = sends && isLast
  private val out = victim(sending)
  io.request.valid := valid(sending) && !sent(sending) && !(arriving && arrivingAt === sending)
  io.request.bits.write := true.B
  io.request.bits.partial := false.B
  io.request.bits.address := out.block << params.blockOffsetBits
  io.request.bits.size := params.blockOffsetBits.U
  io.request.bits.id := g.mshrs.U +& sending
  io.request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  io.request.bits.data := Lanes.beats(rows(sending), params)(beat)
  io.request.bits.corrupt := out.poisoned
  when(sendsLast) {
    sent(sending) := true.B
    sending := sending + 1.U
  }

  // Memory may acknowledge a burst from its first beat on
  private val ends = Wire(Vec(count, Bool()))
  io.held := valid.asUInt & (~ends.asUInt).asUInt
  for (i <- 0 until count) {
    val here = io.acknowledged.valid && io.acknowledged.bits === i.U
    when(here) { early(i) := true.B }
    ends(i) := (early(i) || here) && (sent(i) || (sendsLast && sending === i.U))
    when(ends(i)) {
      Seq(valid, sent, early).foreach(_(i) := false.B)
    }
  }
}
