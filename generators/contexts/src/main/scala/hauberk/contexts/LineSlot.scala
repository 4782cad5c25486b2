package hauberk.contexts

import chisel3._
import chisel3.util._

/** A line of memory that is read ahead: its beats come in order, and leave as they came, a cycle later at the earliest. What left, or was dropped, does not stay inside. */
private[contexts] class LineSlot extends Module {
  val io = IO(new Bundle {

    /** A line is asked for. Only while `isFree`. */
    val asked = Input(Bool())
    val beat = Flipped(Valid(UInt(64.W)))
    val word = Decoupled(UInt(64.W))

    /** Drops what is there, and what is still to come. */
    val ends = Input(Bool())

    /** It has no line. */
    val isFree = Output(Bool())

    /** Those that are to come are dropped. */
    val drops = Output(Bool())
  })
  private val beats = RangeHasher.beats
  private val owed, held = RegInit(0.U(log2Ceil(beats + 1).W))
  private val drops = RegInit(false.B)
  private val words = RegInit(VecInit(Seq.fill(beats)(0.U(64.W))))
  private val enters = io.beat.valid && !drops
  private val leaves = io.word.valid && io.word.ready

  io.word.valid := held =/= 0.U
  io.word.bits := words.head
  when(io.asked) { owed := beats.U }
  when(io.beat.valid) {
    owed := owed - 1.U
    when(owed === 1.U) { drops := false.B }
  }
  when(leaves) { words := VecInit(words.tail :+ 0.U(64.W)) }
  when(enters) { words(Mux(leaves, held - 1.U, held)(log2Ceil(beats) - 1, 0)) := io.beat.bits }
  held := held + enters - leaves
  when(io.ends) {
    held := 0.U
    words.foreach(_ := 0.U)
    drops := io.asked || owed > Mux(io.beat.valid, 1.U, 0.U)
  }
  io.isFree := owed === 0.U && held === 0.U
  io.drops := drops
}
