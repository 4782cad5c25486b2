package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** Direct block decryption (section III-A.1): a transfer is buffered, its blocks deciphered side by side, and then given to the processor.
  *
  * One fetch of an encrypted page is under way at a time, and nothing else meanwhile. A fetch of less than a block is widened to one. With a cipher
  * for every block the first beat goes 12 cycles, and `extraLatency`, after the last one came. Equal blocks of pages of one key look alike: that is
  * what this mode is.
  *
  * @param cores ciphers; each has its share of the blocks of a line, one after the other
  */
class DirectModifier(p: EmuParams, cores: Int) extends Modifier(p) {
  private val keys = Module(new KeyTable(p.keySlots, 128, cores, AesDirection.Decrypt, faults = p.faults))
  keys.io.write := io.keys.write
  keys.io.zeroize := io.keys.zeroize
  io.keys.usable := keys.io.usable
  private val cipher = AesParams(
    128,
    AesDirection.Decrypt,
    AesArchitecture.Iterative,
    extraLatency = p.extraLatency,
    tagBits = p.aesBlockBits,
    datapath = p.aesDatapath
  )
  private val ciphers = Seq.fill(cores)(Module(new AesCore(cipher)))

  private val idle :: filling :: deciphering :: emptying :: Nil = Enum(4)
  private val phase = RegInit(idle)
  private val wanted = Reg(new FetchRequest(p))
  private val asked = Reg(new FetchRequest(p))
  private val entry = Reg(UInt(p.indexBits.W))
  private val slot = Reg(UInt(p.slotBits.W))
  private val denied = Reg(Bool())
  private val beat = Reg(UInt(p.beatIndexBits.W))

  /** The line, by block, as memory has it. */
  private val buffer = Reg(Vec(p.aesBlocks, UInt(128.W)))

  /** By block: it is to be deciphered; a cipher has it. */
  private val toDo, inside = RegInit(0.U(p.aesBlocks.W))

  // Fetches of pages in plaintext
  private val plain = new PlainFetches(p)
  private val newId = io.processor.request.bits.id
  private val fetch = io.processor.request.bits
  private val waits = phase =/= idle || plain.isUnderWay(newId) || (io.search.encrypted && plain.areUnderWay)
  private val starts = Modifier.request(io, waits)
  private val widened = Wire(new FetchRequest(p))
  widened := fetch
  when(io.search.encrypted && fetch.size < 4.U) {
    widened.size := 4.U
    widened.address := Cat(fetch.address(p.addressBits - 1, 4), 0.U(4.W))
  }
  io.memory.request.bits := widened
  when(starts && !io.search.encrypted) { plain.begin(fetch) }

  // Beats
  private val arrives = io.memory.beat
  private val passes = phase === idle && plain.isUnderWay(arrives.bits.id)
  private val fills = phase === filling
  private val empties = phase === emptying
  private val place = wanted.firstBeat | beat
  arrives.ready := fills || (passes && io.processor.beat.ready)
  io.processor.beat.valid := empties || (passes && arrives.valid)
  io.processor.beat.bits := arrives.bits
  when(empties) {
    io.processor.beat.bits.id := wanted.id
    io.processor.beat.bits.denied := denied
    io.processor.beat.bits.data := Mux(denied, 0.U, DirectModifier.wordsOf(p, buffer)(place))
  }
  private val goes = io.processor.beat.valid && io.processor.beat.ready
  when(goes && !empties) { plain.advance(arrives.bits.id) }

  private val filled = asked.firstBeat | beat
  when(fills && arrives.valid) {
    for (i <- 0 until p.aesBlocks) {
      val words = Bytes.parts(buffer(i), p.beatBits).reverse
      buffer(i) := Cat(words.zipWithIndex.map { case (word, j) =>
        Mux(filled === (i * words.size + j).U, arrives.bits.data, word)
      }.reverse)
    }
    beat := beat + 1.U
    when(arrives.bits.denied) { denied := true.B }
    when(filled === asked.lastBeat) {
      beat := 0.U
      phase := deciphering
    }
  }

  // Ciphers
  private val usable = Wire(Vec(cores, Bool()))
  private val moves = for ((cipher, i) <- ciphers.zipWithIndex) yield {
    val mine = (i until p.aesBlocks by cores)
    keys.io.read(i).slot := slot
    keys.io.read(i).decrypt := true.B
    usable(i) := keys.io.read(i).usable
    cipher.io.request.valid := phase === deciphering && !denied && usable(i) && mine.map(toDo(_)).reduce(_ || _)
    cipher.io.request.bits.block := PriorityMux(mine.map(c => toDo(c) -> MemoryOrder.reversed(buffer(c))))
    cipher.io.request.bits.key := keys.io.read(i).key
    cipher.io.request.bits.decrypt := true.B
    cipher.io.request.bits.tag := PriorityMux(mine.map(c => toDo(c) -> c.U(p.aesBlockBits.W)))
    cipher.io.response.ready := true.B
    val made = cipher.io.response
    for (c <- mine) {
      when(made.valid && made.bits.tag === c.U && !denied) { buffer(c) := MemoryOrder.reversed(made.bits.block) }
    }
    def oneHot(moves: Bool, tag: UInt) = Mux(moves, UIntToOH(tag, p.aesBlocks), 0.U(p.aesBlocks.W))
    (
      oneHot(cipher.io.request.valid && cipher.io.request.ready, cipher.io.request.bits.tag),
      oneHot(made.valid, made.bits.tag)
    )
  }
  private val go = moves.map(_._1).reduce(_ | _)
  private val come = moves.map(_._2).reduce(_ | _)
  toDo := toDo & (~go).asUInt
  inside := (inside | go) & (~come).asUInt
  when(phase === deciphering && ((!toDo.orR && !(inside & (~come).asUInt).orR) || (denied && !inside.orR))) {
    phase := emptying
  }
  when(goes && empties) {
    beat := beat + 1.U
    when(place === wanted.lastBeat) {
      phase := idle
      buffer.foreach(_ := 0.U)
    }
  }
  // A key that is gone, or about to be another
  when(phase =/= idle && (io.changed.concerns(entry, slot) || !usable.reduce(_ && _))) { denied := true.B }

  when(starts && io.search.encrypted) {
    phase := filling
    wanted := fetch
    asked := widened
    entry := io.search.index
    slot := io.search.slot
    denied := io.search.refused
    toDo := widened.blocks
    beat := 0.U
  }
}

/** Conversion of deciphered 16-byte blocks to the beats of the response. */
private[instruction] object DirectModifier {

  /** A line as its beats. */
  def wordsOf(p: EmuParams, blocks: Seq[UInt]): Vec[UInt] =
    VecInit(blocks.flatMap(Bytes.parts(_, p.beatBits).reverse))
}

/** Fetches under way that pass unchanged. */
private[instruction] class PlainFetches(p: EmuParams) {
  private val underWay = RegInit(VecInit(Seq.fill(p.ids)(false.B)))
  private val last, beat = Reg(Vec(p.ids, UInt(p.beatIndexBits.W)))
  def isUnderWay(id: UInt): Bool = underWay(p.place(id))
  def areUnderWay: Bool = underWay.reduce(_ || _)
  def begin(fetch: FetchRequest): Unit = {
    underWay(p.place(fetch.id)) := true.B
    last(p.place(fetch.id)) := fetch.lastBeat
    beat(p.place(fetch.id)) := fetch.firstBeat
  }
  def advance(id: UInt): Unit = {
    beat(p.place(id)) := beat(p.place(id)) + 1.U
    when(beat(p.place(id)) === last(p.place(id))) { underWay(p.place(id)) := false.B }
  }
}
