package hauberk.memory.counter

import chisel3._
import chisel3.util._

/** Sequence numbers that are never replaced (Yang section 4.1, "with no replacement"): a set-associative table that takes lines of numbers
  * for as long as there is room and keeps them until reset. Its numbers never leave the chip, so they are as fresh as they are secret.
  *
  * A look-up is answered in the same cycle: `holds` says whether the line has a place, or gets one now, as a write does if its set has
  * room. The number of a read follows in the next cycle. After reset the table takes `sets` cycles to empty itself and holds nothing
  * meanwhile. The state of the tags is in memories, not in registers; since places are never given back, the number of places in use says
  * which of a set's tags count.
  *
  * @param lineBits   width of the number of a line
  * @param sets       a power of two
  * @param ways       places in a set; with one set, the table is fully associative
  * @param words      numbers in a line
  * @param numberBits width of a number; a place starts with all of its numbers 0
  */
class NumberTable(val lineBits: Int, val sets: Int, val ways: Int, val words: Int, val numberBits: Int) extends Module {
  require(isPow2(sets), s"a table of $sets sets has no index: make it a power of two")
  require(ways > 0, s"a table of $ways ways holds nothing: choose 1 or more")
  private val setBits = log2Ceil(sets)
  private val tagBits = math.max(1, lineBits - setBits)
  val io = IO(new Bundle {
    val valid = Input(Bool())
    val write = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val word = Input(UInt(math.max(1, log2Ceil(words)).W))

    /** The number that a write records. */
    val fresh = Input(UInt(numberBits.W))
    val holds = Output(Bool())

    /** The number a look-up read in the cycle before. */
    val number = Output(UInt(numberBits.W))
    val emptied = Output(Bool())
  })

  // firtool fails on a memory of one entry
  private val used = Mem(math.max(2, sets), UInt(log2Ceil(ways + 1).W))
  private val tags = Mem(math.max(2, sets), Vec(ways, UInt(tagBits.W)))
  private val numbers = SyncReadMem(math.max(2, sets * ways), Vec(words, UInt(numberBits.W)))

  private val emptied = RegInit(false.B)
  private val cursor = RegInit(0.U(math.max(1, setBits).W))
  io.emptied := emptied
  cursor := cursor + 1.U
  when(cursor === (sets - 1).U) { emptied := true.B }

  private val set = if (setBits == 0) 0.U(1.W) else io.line(setBits - 1, 0)
  private val tag = (io.line >> setBits) + 0.U(tagBits.W)
  private val inUse = used.read(set)
  private val row = tags.read(set)
  private val matches = VecInit((0 until ways).map(w => w.U < inUse && row(w) === tag))
  private val present = matches.asUInt.orR
  private val enters = io.write && !present && inUse =/= ways.U
  io.holds := emptied && (present || enters)
  private val takes = io.valid && io.holds

  when(!emptied) { used.write(cursor, 0.U) }
    .elsewhen(takes && enters) { used.write(set, inUse + 1.U) }
  when(takes && enters) {
    tags.write(set, VecInit(Seq.fill(ways)(tag)), (0 until ways).map(_.U === inUse))
  }

  private val way = if (ways == 1) 0.U(1.W) else Mux(present, OHToUInt(matches), inUse)(log2Ceil(ways) - 1, 0)
  private val place = if (setBits == 0) way else if (ways == 1) set else Cat(way, set)
  private val here = (0 until words).map(_.U === io.word)
  when(takes && io.write) {
    numbers.write(place, VecInit(here.map(Mux(_, io.fresh, 0.U))), here.map(_ || enters))
  }
  io.number := numbers.read(place, takes && !io.write)(RegNext(io.word))
}
