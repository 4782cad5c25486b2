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

/** Asks for a line of memory.
  *
  * `slot` tells its beats from those of the other lines that are under way.
  */
class HashRead(val lineNumberBits: Int, val slots: Int) extends Bundle {
  val line = UInt(lineNumberBits.W)
  val slot = UInt(log2Ceil(slots).W)
}

/** Eight bytes of a line, the first one least significant, as a bus has them. */
class HashBeat(val slots: Int) extends Bundle {
  val data = UInt(64.W)
  val slot = UInt(log2Ceil(slots).W)

  /** They are not what memory holds: the read was denied, or its data are corrupt. */
  val failed = Bool()
}

/** SHA-256 of a message that is put together of ranges of memory, which this reads itself, and of words of software. Software's word with `last` ends
  * the message.
  *
  * Some lines are read ahead of the core: 66 cycles for each line of 64 bytes, if memory answers `slots` lines in `66 * slots - 8` cycles. A range waits until all
  * lines of the one before it are asked for, a word until they are hashed; never both come in one cycle.
  *
  * A read that fails, and `abort`, end the message: there is no digest until another message is whole, and nothing of it stays inside. After a read that
  * failed nothing is taken until `abort`, so that what belongs to the message does not begin another. Answers that are still under way then are dropped,
  * and their slots ask for no line before.
  *
  * @param lineNumberBits width of the number of a line
  * @param slots          lines that are read ahead: a power of two, 2 at least
  */
class RangeHasher(lineNumberBits: Int, slots: Int = RangeHasher.slots) extends Module {
  require(slots > 1 && isPow2(slots), s"$slots slots for lines of a hasher: give it a power of two, 2 at least")
  val io = IO(new Bundle {
    val range = Flipped(Decoupled(new HashRange(lineNumberBits)))
    val word = Flipped(Decoupled(new Sha256Word))
    val abort = Input(Bool())

    /** Asks for a line in a slot that has none. */
    val read = Decoupled(new HashRead(lineNumberBits, slots))

    /** Of a line they come in order; of several, mixed in any way. */
    val beat = Flipped(Valid(new HashBeat(slots)))

    /** A message has begun and is not whole. */
    val busy = Output(Bool())

    /** Lines of a range are left to hash, or the digest is being made. */
    val reading = Output(Bool())

    /** The last message ended by a failed read, and `abort` has not come since. */
    val failed = Output(Bool())

    /** Of the last message, if that is whole and no other has begun; else zero. */
    val digest = Valid(UInt(256.W))
  })
  private val sha = Module(new Sha256)

  /** Lines to ask for, and lines whose last word the core does not have. */
  private val toAsk = RegInit(0.U(RangeHasher.countBits.W))
  private val toHash = RegInit(0.U((RangeHasher.countBits + 1).W))
  private val line = Reg(UInt(lineNumberBits.W))

  /** Slots of the next line to ask for, and of the line that the core gets; and the words of that which it has. */
  private val asks, hashes = RegInit(0.U(log2Ceil(slots).W))
  private val position = RegInit(0.U(log2Ceil(RangeHasher.beats).W))
  private val busy, failed = RegInit(false.B)
  private val digest = RegInit(0.U.asTypeOf(Valid(UInt(256.W))))
  private def fires[T <: Data](port: DecoupledIO[T]): Bool = port.valid && port.ready

  private val lines = Seq.tabulate(slots) { slot =>
    val buffer = Module(new LineSlot)
    buffer.io.asked := fires(io.read) && asks === slot.U
    buffer.io.beat.valid := io.beat.valid && io.beat.bits.slot === slot.U
    buffer.io.beat.bits := io.beat.bits.data
    buffer
  }
  private def at[T <: Data](slot: UInt)(of: LineSlot => T): T = VecInit(lines.map(of))(slot)
  private val fails = io.beat.valid && !at(io.beat.bits.slot)(_.io.drops) && io.beat.bits.failed
  private val ends = io.abort || fails

  /** The last word is in, and the digest is not there yet. */
  private val closing = RegInit(false.B)
  private val takes = !closing && !io.abort && !failed
  private val idle = toHash === 0.U && takes
  io.range.ready := toAsk === 0.U && takes
  io.reading := toHash =/= 0.U || closing
  when(fires(io.range)) {
    toAsk := io.range.bits.lines
    line := io.range.bits.line
  }
  io.read.valid := toAsk =/= 0.U && at(asks)(_.io.isFree) && !io.abort
  io.read.bits.line := line
  io.read.bits.slot := asks
  when(fires(io.read)) {
    asks := asks + 1.U
    toAsk := toAsk - 1.U
    line := line + 1.U
  }

  lines.zipWithIndex.foreach { case (slot, i) =>
    slot.io.word.ready := hashes === i.U && sha.io.word.ready
    slot.io.ends := ends
  }
  private val read = at(hashes)(_.io.word.valid)
  private val isHashed = read && sha.io.word.ready && position.andR
  when(read && sha.io.word.ready) { position := position + 1.U }
  when(isHashed) { hashes := hashes + 1.U }
  toHash := toHash + Mux(fires(io.range), io.range.bits.lines, 0.U) - isHashed
  io.word.ready := idle && sha.io.word.ready
  sha.io.word.valid := read || fires(io.word)
  sha.io.word.bits := io.word.bits
  when(read) {
    sha.io.word.bits.data := MemoryOrder.reversed(at(hashes)(_.io.word.bits))
    sha.io.word.bits.last := false.B
  }
  sha.io.abort := ends

  when(fires(io.range) || fires(io.word)) {
    busy := true.B
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
    failed := fails && !io.abort
    Seq(toAsk, toHash, asks, hashes, position).foreach(_ := 0.U)
    digest := 0.U.asTypeOf(digest)
  }
  io.busy := busy
  io.failed := failed
  io.digest := digest
}

object RangeHasher {

  /** Bytes of a line. */
  val lineBytes: Int = 64

  /** Beats of a line. */
  private[contexts] val beats: Int = lineBytes / 8

  /** Lines that are read ahead, unless another number is given. */
  val slots: Int = 4

  /** Width of a number of lines: up to 256 MiB at a time. */
  val countBits: Int = 22
}
