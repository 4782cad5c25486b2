package hauberk.bus

import chisel3._
import chisel3.util._

/** A tile's knowledge of a block's encryption. */
class PadEntry(val p: PadParams, val pidBits: Int) extends Bundle {

  /** Nobody has encrypted it since. */
  val valid = Bool()

  /** This tile did, last of all. */
  val owner = Bool()
  val writer = UInt(pidBits.W)
  val count = UInt(p.countBits.W)
}

/** The counters a tile knows, one a block, and what others tell of them.
  *
  * All begin at 0, valid, which takes as many cycles as there are blocks. A counter never goes back, whatever is received, so that a tile
  * never uses one twice. Looks and changes take the table one at a time: what is received first, then look-ups of lower number.
  */
class PadTable(val p: PadParams, val pidBits: Int, readers: Int) extends Module {
  val io = IO(new Bundle {
    val received = Flipped(Decoupled(new PadMessage(p)))
    val source = Input(UInt(pidBits.W))

    /** Answers the cycle after it is taken, while nothing changes the table. */
    val look = Vec(readers, Flipped(Decoupled(UInt(p.blockBits.W))))
    val found = Output(new PadEntry(p, pidBits))

    /** This tile encrypts a block; always taken. */
    val write = Flipped(Valid(new Bundle {
      val block = UInt(p.blockBits.W)
      val entry = new PadEntry(p, pidBits)
    }))

    /** A received message has changed the entry of a block. */
    val changed = Valid(UInt(p.blockBits.W))

    /** An answer to a request. Until it is taken no other request is received, but all else is, for others may owe answers, too; what makes it
      * false takes it back.
      */
    val reply = Decoupled(new PadMessage(p))

    /** Nothing that was received is being acted upon: the counters are what others were told. */
    val quiet = Output(Bool())
  })
  private val table = SyncReadMem(p.blocks, UInt((new PadEntry(p, pidBits)).getWidth.W))
  private val cleared = RegInit(0.U((p.blockBits + 1).W))
  private val clearing = !cleared(p.blockBits)
  when(clearing) { cleared := cleared + 1.U }

  // A message is read for in the cycle it comes, and acted upon in the next
  private val acts = RegInit(false.B)
  private val message = Reg(new PadMessage(p))
  private val source = Reg(UInt(pidBits.W))
  private val replies = RegInit(false.B)
  private val replied = Reg(new PadMessage(p))
  private val free = !clearing && !acts && !io.write.valid
  io.received.ready := free && !(replies && io.received.bits.kind === PadMessage.request.U)
  private val receives = io.received.valid && io.received.ready
  io.quiet := !acts && !replies
  acts := receives
  when(receives) {
    message := io.received.bits
    source := io.source
  }
  private val taken = io.look.map(_.valid).scanLeft(receives)(_ || _)
  for ((look, before) <- io.look.zip(taken)) { look.ready := free && !before }
  private val address =
    MuxCase(io.look.last.bits, (receives -> io.received.bits.block) +: io.look.map(l => l.valid -> l.bits))
  private val entry = table.read(address, free).asTypeOf(new PadEntry(p, pidBits))
  io.found := entry

  private val next = WireInit(entry)
  private val news = message.kind === PadMessage.update.U && message.count > entry.count
  private val answers = message.kind === PadMessage.reply.U && !entry.valid && message.count >= entry.count
  private val changes = acts && (news || answers || message.kind === PadMessage.invalidate.U)
  when(message.kind === PadMessage.invalidate.U) {
    next.valid := false.B
    next.owner := false.B
  }.otherwise {
    next.valid := true.B
    next.owner := false.B
    next.writer := source
    next.count := message.count
  }
  io.changed.valid := changes
  io.changed.bits := message.block

  private val outdated = changes && message.block === replied.block
  io.reply.valid := replies && !outdated
  io.reply.bits := replied
  when(io.reply.ready || outdated) { replies := false.B }
  when(acts && message.kind === PadMessage.request.U && entry.owner) {
    replies := true.B
    replied.kind := PadMessage.reply.U
    replied.block := message.block
    replied.count := entry.count
  }
  when(clearing) {
    val first = WireInit(0.U.asTypeOf(new PadEntry(p, pidBits)))
    first.valid := true.B
    table.write(cleared(p.blockBits - 1, 0), first.asUInt)
  }.elsewhen(io.write.valid || changes) {
    table.write(
      Mux(io.write.valid, io.write.bits.block, message.block),
      Mux(io.write.valid, io.write.bits.entry.asUInt, next.asUInt)
    )
  }
}
