package hauberk.contexts

import chisel3._
import chisel3.util._
import hauberk.crypto.{MemoryOrder, Sha256, Sha256Word}

/** Lines of memory to hash.
  *
  * `line` is the number of the first, its address divided by [[RangeHasher.lineBytes]].
  */
class HashRange(val lineNumberBits: Int) extends Bundle {
  val line = UInt(lineNumberBits.W)
  val lines = UInt(RangeHasher.countBits.W)
}

/** Eight bytes of a line, the first one least significant, as a bus has them. */
class HashBeat extends Bundle {
  val data = UInt(64.W)

  /** They are not what memory holds: the read was denied, or its data are corrupt. */
  val failed = Bool()
}

/** SHA-256 of a message that is put together of ranges of memory, which this reads itself, and of words of software. Software's word with `last` ends
  * the message.
  *
  * A line is asked for when the core has room for all of it, while that works on the one before: 66 cycles for each line of 64 bytes, if memory answers
  * within 58. A range or word waits until the range before it is whole; never both come in one cycle.
  *
  * A read that fails, and `abort`, end the message: there is no digest until another message is whole, and nothing of it stays inside. Answers that are
  * still under way then are dropped.
  *
  * @param lineNumberBits width of the number of a line
  */
class RangeHasher(lineNumberBits: Int) extends Module {
  val io = IO(new Bundle {
    val range = Flipped(Decoupled(new HashRange(lineNumberBits)))
    val word = Flipped(Decoupled(new Sha256Word))
    val abort = Input(Bool())

    /** Asks for a line, whose beats come in order. One is under way at a time. */
    val read = Decoupled(UInt(lineNumberBits.W))
    val beat = Flipped(Decoupled(new HashBeat))

    /** A message has begun and is not whole. */
    val busy = Output(Bool())

    /** The last message ended by a failed read. */
    val failed = Output(Bool())

    /** Of the last message, if that is whole and no other has begun; else zero. */
    val digest = Valid(UInt(256.W))
  })
  private val sha = Module(new Sha256)
  private val beats = RangeHasher.lineBytes / 8

  private val left = RegInit(0.U(RangeHasher.countBits.W))
  private val line = Reg(UInt(lineNumberBits.W))

  /** Beats of the line that is under way, and whether they still count. */
  private val owed = RegInit(0.U(log2Ceil(beats + 1).W))
  private val drops = RegInit(false.B)
  private val busy, failed = RegInit(false.B)
  private val digest = RegInit(0.U.asTypeOf(Valid(UInt(256.W))))
  private def fires[T <: Data](port: DecoupledIO[T]): Bool = port.valid && port.ready
  private val memory = io.beat.valid && owed =/= 0.U && !drops
  private val fails = memory && io.beat.bits.failed
  private val ends = io.abort || fails

  /** The last word is in, and the digest is not there yet. */
  private val closing = RegInit(false.B)
  private val reading = left =/= 0.U
  private val idle = !reading && owed === 0.U && !closing && !io.abort
  io.range.ready := idle
  when(fires(io.range)) {
    left := io.range.bits.lines
    line := io.range.bits.line
  }
  io.read.valid := reading && owed === 0.U && sha.io.word.ready && !io.abort
  io.read.bits := line
  when(fires(io.read)) {
    owed := beats.U
    line := line + 1.U
  }

  io.beat.ready := drops || fails || sha.io.word.ready
  when(fires(io.beat)) {
    owed := owed - 1.U
    when(owed === 1.U) {
      drops := false.B
      when(!drops) { left := left - 1.U }
    }
  }
  io.word.ready := idle && sha.io.word.ready
  sha.io.word.valid := (memory && !io.beat.bits.failed) || fires(io.word)
  sha.io.word.bits := io.word.bits
  when(memory) {
    sha.io.word.bits.data := MemoryOrder.reversed(io.beat.bits.data)
    sha.io.word.bits.last := false.B
  }
  sha.io.abort := ends

  when(fires(io.range) || fires(io.word)) {
    busy := true.B
    failed := false.B
    digest := 0.U.asTypeOf(digest)
  }
  when(fires(io.word) && io.word.bits.last) { closing := true.B }
  when(sha.io.digest.valid) {
    busy := false.B
    closing := false.B
    digest := sha.io.digest
  }
  when(ends) {
    busy := false.B
    closing := false.B
    failed := fails
    left := 0.U
    digest := 0.U.asTypeOf(digest)
    // What is under way comes all the same
    drops := Mux(fires(io.beat), owed > 1.U, owed =/= 0.U)
  }
  io.busy := busy
  io.failed := failed
  io.digest := digest
}

object RangeHasher {

  /** Bytes of a line. */
  val lineBytes: Int = 64

  /** Width of a number of lines: up to 256 MiB at a time. */
  val countBits: Int = 22
}
