package hauberk.bus

import chisel3._
import chisel3.util._

/** A block of memory, and the group of its page, under whose key its pad is. */
class PadPlace(val p: PadParams) extends Bundle {
  val block = UInt(p.blockBits.W)
  val group = UInt(p.groupBits.W)
}

/** A block to encrypt or to decrypt. */
class PadWork(val p: PadParams, val lineBits: Int) extends Bundle {
  val place = new PadPlace(p)
  val data = UInt(lineBits.W)
}

/** An AES block of a pad that a worker wants made. */
class PadJob(val p: PadParams, val pidBits: Int, val aesBlocks: Int) extends Bundle {
  val place = new PadPlace(p)
  val writer = UInt(pidBits.W)
  val count = UInt(p.countBits.W)
  val aesBlock = UInt(log2Ceil(aesBlocks).W)
}

/** Makes the pad of one block at a time and lays it over the block's data (sections 2.1 and 6.1).
  *
  * A hint which block comes next lets it begin before the data are there; then they pass in no cycle. A pad whose counter is known to have
  * changed is made anew, and so is one of a page whose group has; if the counter itself is not known, it asks, but for what it is only hinted to encrypt.
  *
  * @param encrypts it takes the counter after the one there is, which becomes this tile's; what it gives out waits until that was announced
  */
class PadWorker(val p: PadParams, val pidBits: Int, val lineBits: Int, val encrypts: Boolean) extends Module {
  private val aesBlocks = lineBits / 128
  val io = IO(new Bundle {
    val pid = Input(UInt(pidBits.W))
    val hint = Flipped(Valid(new PadPlace(p)))
    val work = Flipped(Decoupled(new PadWork(p, lineBits)))
    val done = Decoupled(UInt(lineBits.W))

    val look = Decoupled(UInt(p.blockBits.W))
    val found = Input(new PadEntry(p, pidBits))
    val changed = Flipped(Valid(UInt(p.blockBits.W)))
    val job = Decoupled(new PadJob(p, pidBits, aesBlocks))

    /** The AES blocks of a pad, in order. */
    val made = Flipped(Valid(UInt(128.W)))

    /** Output of this worker: a request, or its announcement. */
    val message = Decoupled(new PadMessage(p))

    /** The counter that was announced is in use. */
    val write = Valid(new PadEntry(p, pidBits))
    val block = Output(UInt(p.blockBits.W))

    /** A counter has come to its end. */
    val exhausted = Output(Bool())
  })
  private val idle :: look :: judge :: ask :: hush :: make :: ready :: stuck :: Nil = Enum(8)
  private val state = RegInit(idle)
  private val place = RegInit(0.U.asTypeOf(new PadPlace(p)))
  private val block = place.block
  private val count = RegInit(0.U(p.countBits.W))
  private val writer = RegInit(0.U(pidBits.W))
  private val pad = RegInit(VecInit(Seq.fill(aesBlocks)(0.U(128.W))))
  private val started = RegInit(0.U(log2Ceil(aesBlocks + 1).W))
  private val arrived = RegInit(0.U(log2Ceil(aesBlocks + 1).W))
  private val since = RegInit(0.U(log2Ceil(p.aesLatency + 1).W))
  private val stale = RegInit(false.B)
  private val outOfRange = RegInit(false.B)
  private val inCipher = started =/= arrived

  private def here(other: PadPlace): Bool = other.asUInt === place.asUInt
  private val fits = io.work.valid && here(io.work.bits.place) && state =/= idle
  private val misfits = io.work.valid && !here(io.work.bits.place) && state =/= idle
  private val hit = io.changed.valid && io.changed.bits === block
  private val abandons = stale || hit || misfits

  io.look.valid := state === look
  io.look.bits := block
  io.job.valid := state === make && started =/= aesBlocks.U && !abandons
  io.job.bits.place := place
  io.job.bits.writer := writer
  io.job.bits.count := count
  io.job.bits.aesBlock := started
  io.exhausted := outOfRange
  io.block := block

  private val usable = state === ready && fits && !stale && !hit
  io.message.valid := state === ask || (encrypts.B && usable && io.done.ready)
  io.message.bits.kind := Mux(
    state === ask,
    PadMessage.request.U,
    (if (p.coherence == PadCoherence.WriteUpdate) PadMessage.update else PadMessage.invalidate).U
  )
  io.message.bits.block := block
  io.message.bits.count := Mux(state === ask, 0.U, count)
  io.done.valid := usable && (if (encrypts) io.message.ready else true.B)
  io.done.bits := Mux(io.done.valid, io.work.bits.data ^ pad.asUInt, 0.U)
  io.work.ready := io.done.valid && io.done.ready
  io.write.valid := encrypts.B && io.work.ready
  io.write.bits.valid := true.B
  io.write.bits.owner := true.B
  io.write.bits.writer := io.pid
  io.write.bits.count := count

  when(io.job.valid && io.job.ready) { started := started + 1.U }
  when(io.made.valid) {
    for (i <- 0 until aesBlocks) { when(arrived === i.U) { pad(i) := io.made.bits } }
    arrived := arrived + 1.U
  }
  when(since =/= 0.U) { since := since - 1.U }
  when(hit) { stale := true.B }

  switch(state) {
    is(idle) {
      when(io.work.valid || io.hint.valid) {
        place := Mux(io.work.valid, io.work.bits.place, io.hint.bits)
        state := look
      }
    }
    is(look) {
      stale := false.B
      when(io.look.ready) { state := judge }
    }
    is(judge) {
      count := io.found.count + encrypts.B
      writer := (if (encrypts) io.pid else io.found.writer)
      started := 0.U
      arrived := 0.U
      since := p.aesLatency.U
      state := Mux(stale || hit, look, Mux(io.found.valid, make, ask))
      if (encrypts) {
        val spent = io.found.valid && io.found.count.andR
        when(spent && fits) {
          outOfRange := true.B
          state := stuck
        }
        // Of a block that another tile encrypted, this one has nothing to encrypt yet: a hint is not worth a question
        when((spent || !io.found.valid) && !fits) { state := idle }
      }
    }
    is(ask) { when(io.message.ready) { state := hush } }
    // An answer changes the entry
    is(hush) { when(stale || hit) { state := look } }
    is(make) {
      when(arrived === aesBlocks.U && since === 0.U) { state := ready }
      when(!inCipher && abandons) { state := look }
    }
    is(ready) {
      when(io.work.ready) { state := idle }.elsewhen(abandons) { state := look }
      if (encrypts) {
        // Most candidates for encryption turn out not to need it
        when(io.hint.valid && !io.work.valid && !here(io.hint.bits)) {
          place := io.hint.bits
          state := look
        }
      }
    }
  }
  // A hinted block that does not come makes way for a requested one
  when(misfits && (state === look || state === hush || ((state === make || state === ready) && !inCipher))) {
    place := io.work.bits.place
    state := look
  }
  when(state === idle || io.work.ready) { pad.foreach(_ := 0.U) }
}
