package hauberk.memory

import chisel3._
import chisel3.util._

/** Writes one counter line back to memory at a time: copies it out of the counter cache, then sends it as one whole-block write. A line
  * is `active` until its last beat is sent and memory has acknowledged it, whichever comes last, so that nobody fetches it too early.
  */
class CounterWriteBack(p: Protection, slotBits: Int, lineBits: Int) extends Module {
  private val beatBits = p.memory.beatIndexBits
  val io = IO(new Bundle {

    /** Take a line: its place in the cache and its number. Only while not active. */
    val start = Input(Bool())
    val startSlot = Input(UInt(slotBits.W))
    val startLine = Input(UInt(lineBits.W))
    val active = Output(Bool())
    val line = Output(UInt(lineBits.W))
    val slot = Output(UInt(slotBits.W))

    /** Asks for a beat of the cache's data; granted or not, in the same cycle, and the beat follows one cycle later. */
    val read = Decoupled(UInt((slotBits + beatBits).W))
    val readData = Input(UInt(p.memory.beatBits.W))

    /** The last beat has been copied: the place may be filled anew. */
    val copied = Output(Bool())
    val request = Decoupled(new MemoryRequest(p.memory))
    val acknowledged = Input(Bool())

    /** The line is written: not active from the next cycle on. */
    val finished = Output(Bool())
  })

  private val active = RegInit(false.B)
  private val reading = RegInit(false.B)
  private val sending = RegInit(false.B)
  private val slot = Reg(UInt(slotBits.W))
  private val line = Reg(UInt(lineBits.W))
  private val beat = RegInit(0.U(beatBits.W))
  private val buffer = Reg(Vec(p.memory.blockBeats, UInt(p.memory.beatBits.W)))
  private val lastBeat = (p.memory.blockBeats - 1).U

  io.active := active
  io.line := line
  io.slot := slot
  when(io.start) {
    active := true.B
    reading := true.B
    slot := io.startSlot
    line := io.startLine
  }

  io.read.valid := reading
  io.read.bits := Cat(slot, beat)
  private val granted = io.read.valid && io.read.ready
  private val arriving = RegNext(granted, false.B)
  private val arrivingBeat = RegNext(beat)
  when(granted) {
    beat := beat + 1.U
    when(beat === lastBeat) { reading := false.B }
  }
  when(arriving) { buffer(arrivingBeat) := io.readData }
  io.copied := arriving && arrivingBeat === lastBeat
  when(io.copied) { sending := true.B }

  io.request.valid := sending
  io.request.bits.write := true.B
  io.request.bits.partial := false.B
  io.request.bits.address := p.layout.counterBase.U + (line << p.memory.blockOffsetBits)
  io.request.bits.size := p.memory.blockOffsetBits.U
  io.request.bits.id := (p.verifierIds - 1).U
  io.request.bits.mask := ((BigInt(1) << p.memory.beatBytes) - 1).U
  io.request.bits.data := buffer(beat)
  when(io.request.valid && io.request.ready) {
    beat := beat + 1.U
    when(beat === lastBeat) { sending := false.B }
  }

  // A manager may acknowledge a burst from its first beat on
  private val early = RegInit(false.B)
  private val sendsLast = io.request.valid && io.request.ready && beat === lastBeat
  io.finished := (io.acknowledged || early) && (!sending || sendsLast)
  when(io.acknowledged) { early := true.B }
  when(io.finished) {
    active := false.B
    early := false.B
  }
}
