package hauberk.memory.counter

import chisel3._
import chisel3.util._

/** A place of the table. */
class HintEntry(val tagBits: Int) extends Bundle {
  val valid = Bool()
  val tag = UInt(tagBits.W)
  val id = UInt(CounterHint.idBits.W)
}

/** Hints that wait for their access: one for each place, found by the low bits of the block's number. A newer hint takes the place of an older one.
  * After reset it clears itself, an entry a cycle, and finds nothing meanwhile.
  *
  * @param entries   places, a power of two
  * @param blockBits width of a block's number
  */
class HintTable(entries: Int, blockBits: Int) extends Module {
  val io = IO(new Bundle {
    val put = Flipped(Valid(new CounterHint(blockBits)))

    /** An access to this block; its hint, if there is one, is used up. */
    val access = Flipped(Valid(UInt(blockBits.W)))

    /** The id of the access's hint; in the same cycle. */
    val found = Valid(UInt(CounterHint.idBits.W))

    /** It is being cleared. */
    val busy = Output(Bool())
  })
  private val placeBits = log2Ceil(entries)
  private val tagBits = math.max(1, blockBits - placeBits)

  private val table = Mem(entries, UInt((1 + tagBits + CounterHint.idBits).W))
  private val clearing = RegInit(0.U((placeBits + 1).W))
  private val cleared = clearing(placeBits)
  io.busy := !cleared
  when(!cleared) { clearing := clearing + 1.U }

  private def placeOf(block: UInt): UInt = block(placeBits - 1, 0)
  private def tagOf(block: UInt): UInt = (block >> placeBits) + 0.U(tagBits.W)
  private val read = table.read(placeOf(io.access.bits)).asTypeOf(new HintEntry(tagBits))
  // A hint may come in the very cycle of its access
  private val isNow = io.access.valid && io.put.valid && io.put.bits.block === io.access.bits
  private val hits = io.access.valid && cleared && read.valid && read.tag === tagOf(io.access.bits)
  io.found.valid := hits || isNow
  io.found.bits := Mux(isNow, io.put.bits.id, read.id)

  // One write a cycle. An access in the cycle of another's hint may leave its own behind: that costs nothing but time
  private val entry = WireInit(0.U.asTypeOf(new HintEntry(tagBits)))
  entry.valid := io.put.valid && !isNow
  entry.tag := tagOf(io.put.bits.block)
  entry.id := io.put.bits.id
  when(!cleared || io.put.valid || hits) {
    table.write(
      Mux(!cleared, clearing(placeBits - 1, 0), placeOf(Mux(io.put.valid, io.put.bits.block, io.access.bits))),
      Mux(cleared, entry.asUInt, 0.U)
    )
  }
}
