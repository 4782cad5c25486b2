package hauberk.memory

import chisel3._
import chisel3.util._

/** Lines on their way back to memory, two at most, in order: each is sealed by the guard and written as one burst. A line is held until
  * its last beat is sent and memory has acknowledged it, whichever comes last, so that nobody fetches it too early.
  *
  * @param base     stripe-local address of line 0
  * @param lineBits width of a line number
  * @param id       identifier of write-backs on the memory side
  */
class LineEvictions(p: Protection, base: BigInt, lineBits: Int, id: Int) extends Module {
  private val params = p.memory
  private val dataBits = p.stripe.blockBytes * 8
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
    val acknowledged = Input(Bool())

    /** A line is written: not held from the next cycle on. */
    val finished = Output(Bool())
    val busy = Output(Bool())
  })
  private val count = 2
  private val valid = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val line = Reg(Vec(count, UInt(lineBits.W)))
  private val data = Reg(Vec(count, UInt(dataBits.W)))
  private val head, tail = RegInit(0.U(1.W))

  io.ready := !valid(tail)
  io.busy := valid.reduce(_ || _)
  io.holds := valid.zip(line).map { case (v, l) => v && l === io.line }.reduce(_ || _)
  when(io.start.valid) {
    valid(tail) := true.B
    line(tail) := io.start.bits
    tail := ~tail
  }
  private val arriving = RegNext(io.start.valid, false.B)
  private val arrivingAt = RegNext(tail)
  when(arriving) { data(arrivingAt) := io.data }

  private val toSeal :: sealing :: writing :: Nil = Enum(3)
  private val state = RegInit(toSeal)
  private val there = valid(head) && !(arriving && arrivingAt === head)
  io.seal.valid := there && state === toSeal
  io.seal.bits.line := line(head)
  io.seal.bits.data := data(head)
  when(io.seal.valid && io.seal.ready) { state := sealing }
  when(io.sealedLine.valid) {
    data(head) := io.sealedLine.bits
    state := writing
  }

  private val beats = VecInit((0 until params.blockBeats).map { i =>
    data(head)(params.beatBits * (i + 1) - 1, params.beatBits * i)
  })
  private val sent, early = RegInit(false.B)
  private val sends = io.request.valid && io.request.ready
  private val (isFirst, isLast, beat) = Burst.track(sends, (params.blockBeats - 1).U(params.beatIndexBits.W))
  io.inBurst := !isFirst
  io.request.valid := state === writing && !sent
  io.request.bits.write := true.B
  io.request.bits.partial := false.B
  io.request.bits.address := base.U + (line(head) << params.blockOffsetBits)
  io.request.bits.size := params.blockOffsetBits.U
  io.request.bits.id := id.U
  io.request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  io.request.bits.data := beats(beat)
  when(sends && isLast) { sent := true.B }

  // A manager may acknowledge a burst from its first beat on
  when(io.acknowledged) { early := true.B }
  io.finished := state === writing && (io.acknowledged || early) && (sent || (sends && isLast))
  when(io.finished) {
    valid(head) := false.B
    head := ~head
    state := toSeal
    sent := false.B
    early := false.B
  }
}
