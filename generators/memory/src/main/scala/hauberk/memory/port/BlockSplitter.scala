package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Ports of a [[BlockSplitter]]. */
class BlockSplitterIO(val wide: MemoryPortParams, val narrow: MemoryPortParams) extends Bundle {
  val client = Flipped(new MemoryPort(wide))
  val memory = new MemoryPort(narrow)
}

/** Takes transfers of several blocks apart into transfers of one block, for a unit that knows only such. Transfers of a block and less pass with no
  * cycle added. Of a longer one, all blocks are asked for one behind the other, and its answer comes when the last of them has. It is refused from
  * the first beat on if one of its blocks is.
  *
  * @param wide   towards the client
  * @param slots  long transfers in flight
  */
class BlockSplitter(wide: MemoryPortParams, blockBytes: Int, slots: Int) extends Module {
  private val narrow = BlockSplitter.narrow(wide, blockBytes, slots)
  val io = IO(new BlockSplitterIO(wide, narrow))
  private val beats = wide.blockBeats
  private val parts = wide.blockBytes / blockBytes
  private val partBits = log2Ceil(parts)
  private val partBeatBits = log2Ceil(narrow.blockBeats)
  private val slotBits = math.max(1, log2Ceil(slots))

  private def flags = RegInit(VecInit(Seq.fill(slots)(false.B)))
  private val valid, denied = flags
  private val header = Reg(Vec(slots, new MemoryRequestHeader(wide)))
  private val write = Reg(Vec(slots, Bool()))
  private val left = Reg(Vec(slots, UInt((partBits + 1).W))) // parts that are not answered
  private val bytes = Mem(slots * beats, UInt(wide.beatBits.W))

  // Requests: a long read is taken with its first part, and its other parts follow before anything else
  private val request = io.client.request
  private val isLong = request.bits.size > narrow.blockOffsetBits.U
  private val taken = MemoryRequestHeader(wide, request.bits)
  private val free = PriorityEncoder(valid.map(used => !used))
  private val room = !valid.asUInt.andR
  private val reading = RegInit(false.B)
  private val step = RegInit(0.U(wide.beatIndexBits.W)) // beats of a long write, or parts of a long read, that are sent
  private val current = Reg(UInt(slotBits.W))
  private val begins = step === 0.U
  private val slot = Mux(begins, free, current)
  private val lastBeat = Mux(reading, header(current).lastBeat, taken.lastBeat)
  private val isWrite = !reading && request.bits.write
  private val lastStep = Mux(isWrite, lastBeat, (lastBeat >> partBeatBits).asUInt + 0.U(wide.beatIndexBits.W))
  private val part = Mux(isWrite, (step >> partBeatBits).asUInt, step)(partBits - 1, 0)
  private val starts = request.valid && (!isLong || !begins || room)
  io.memory.request.valid := reading || starts
  request.ready := io.memory.request.ready && !reading && (!isLong || !begins || room)
  private val fires = io.memory.request.valid && io.memory.request.ready
  private val address = Mux(reading, header(current).address, request.bits.address)
  private val long = reading || isLong
  private val sent = io.memory.request.bits
  sent.write := isWrite
  sent.partial := isWrite && request.bits.partial
  sent.address := Mux(long, address + (part << narrow.blockOffsetBits), address)
  sent.size := Mux(long, narrow.blockOffsetBits.U, request.bits.size)
  sent.mask := request.bits.mask
  sent.data := request.bits.data
  sent.corrupt := isWrite && request.bits.corrupt
  sent.id := BlockSplitter.id(wide, slotBits, partBits, long, request.bits.id, slot, part)
  when(fires && long) {
    step := Mux(step === lastStep, 0.U, step + 1.U)
    reading := !isWrite && step =/= lastStep
    when(begins) {
      current := free
      valid(free) := true.B
      denied(free) := false.B
      header(free) := taken
      write(free) := request.bits.write
      left(free) := (taken.lastBeat >> partBeatBits) +& 1.U
    }
  }

  // Answers: of one block to the client, parts to their places
  private val response = io.memory.response
  private val (isPart, toSlot, toPart) = BlockSplitter.parsed(narrow, slotBits, partBits, response.bits.id)
  private val (_, lastOfPart, beatOfPart) = Burst.track(
    response.valid && response.ready,
    Mux(response.bits.write, 0.U, Burst.lastBeat(response.bits.size, narrow))
  )
  // A part that is answered in the cycle of its request is held for the cycle that the books need
  private val comes = response.valid && isPart && valid(toSlot)
  private val firstBeat = header(toSlot).firstBeat
  when(comes && !response.bits.write) {
    val place = (firstBeat + (toPart << partBeatBits).asUInt + beatOfPart)(wide.beatIndexBits - 1, 0)
    bytes.write(Cat(toSlot, place), response.bits.data)
  }
  for (i <- 0 until slots) {
    when(comes && toSlot === i.U) {
      when(response.bits.denied) { denied(i) := true.B }
      when(lastOfPart) { left(i) := left(i) - 1.U }
    }
  }

  // To the client: a burst, once begun, is finished
  private val ready = (0 until slots).map(i => valid(i) && left(i) === 0.U)
  private val passes = response.valid && !isPart
  private val out = io.client.response
  private val goes = out.valid && out.ready
  private val joins = Wire(Bool())
  private val joined = Wire(UInt(slotBits.W))
  private val size = Mux(joins, header(joined).size, response.bits.size + 0.U(wide.sizeBits.W))
  private val (first, last, beat) =
    Burst.track(goes, Mux(out.bits.write, 0.U, Burst.lastBeat(size, wide)))
  private val joining = RegInit(false.B)
  private val joiningSlot = Reg(UInt(slotBits.W))
  // In turn with what passes, so that neither waits for ever
  private val joinedLast = RegInit(false.B)
  joins := Mux(first, ready.reduce(_ || _) && !(passes && joinedLast), joining)
  joined := Mux(first, PriorityEncoder(ready), joiningSlot)
  when(goes && first) {
    joinedLast := joins
    joining := joins
    joiningSlot := joined
  }
  when(goes && last && joins) { valid(joined) := false.B }
  out.valid := Mux(joins, true.B, passes)
  out.bits.write := Mux(joins, write(joined), response.bits.write)
  out.bits.id := Mux(joins, header(joined).id, response.bits.id(wide.idBits - 1, 0))
  out.bits.size := size
  out.bits.denied := Mux(joins, denied(joined), response.bits.denied)
  private val stored = bytes.read(Cat(joined, (header(joined).firstBeat + beat)(wide.beatIndexBits - 1, 0)))
  out.bits.data := Mux(joins, Mux(denied(joined), 0.U, stored), response.bits.data)
  response.ready := Mux(isPart, valid(toSlot), out.ready && !joins)
}

/** Identifiers of the parts. */
object BlockSplitter {

  /** The port of the unit that knows one block at a time. */
  def narrow(wide: MemoryPortParams, blockBytes: Int, slots: Int): MemoryPortParams = {
    val part = math.max(1, log2Ceil(slots)) + log2Ceil(wide.blockBytes / blockBytes)
    wide.copy(blockBytes = blockBytes, idBits = 1 + math.max(wide.idBits, part))
  }

  /** Of a part: set, slot, part; of what passes: clear, the client's. */
  private def id(
      wide: MemoryPortParams,
      slotBits: Int,
      partBits: Int,
      isPart: Bool,
      own: UInt,
      slot: UInt,
      part: UInt
  ): UInt = {
    val width = math.max(wide.idBits, slotBits + partBits)
    def padded(bits: UInt) = bits + 0.U(width.W)
    Cat(isPart, Mux(isPart, padded(Cat(slot(slotBits - 1, 0), part)), padded(own)))
  }
  private def parsed(narrow: MemoryPortParams, slotBits: Int, partBits: Int, id: UInt): (Bool, UInt, UInt) =
    (id(narrow.idBits - 1), id(slotBits + partBits - 1, partBits), id(partBits - 1, 0))
}
