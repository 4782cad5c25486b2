package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.fault.WordCode

/** The root of a [[CounterTree]], on chip: the counters of all lines of its last level in memory. It is cleared after reset, an entry a
  * cycle, during which it takes no look-up; then it takes a look-up every other cycle.
  *
  * @param entries   lines that have a counter here
  * @param lineBits  width of their numbers
  * @param entryBits width of a look-up's identifier
  * @param code      how a counter is stored; nothing is answered but denials once one is wrong
  */
class RootTable(entries: Int, lineBits: Int, entryBits: Int, code: WordCode) extends Module {
  require(entries > 0, s"a root of $entries entries covers nothing: give it at least 1")
  val io = IO(new Bundle {
    val children = new LineCounterPort(lineBits, entryBits, 0)

    /** A counter was at its largest value when a fresh one was asked for; nothing is answered but denials from then on. */
    val overflow = Output(Bool())

    /** A counter is wrong. */
    val faulty = Output(Bool())

    /** A look-up is being answered, or the table clears itself. */
    val busy = Output(Bool())
  })
  private val table = SyncReadMem(entries, UInt(code.width(LineCounters.counterBits).W))
  private val indexBits = math.max(1, log2Ceil(entries))
  private val cleared = RegInit(0.U((indexBits + 1).W))
  private val ready = cleared === entries.U
  private val broken = RegInit(false.B)

  private val lookup = io.children.lookup
  private val busy = RegInit(false.B)
  private val takes = lookup.valid && ready && !busy
  busy := takes
  lookup.answer.accepted := takes
  lookup.answer.blocked := false.B
  private val index = RegNext((lookup.line + 0.U(indexBits.W))(indexBits - 1, 0))
  private val entry = RegNext(lookup.entry)
  private val write = RegNext(lookup.write)
  private val stored = table.read((lookup.line + 0.U(indexBits.W))(indexBits - 1, 0), takes)
  private val checked = code.decode(stored, LineCounters.counterBits)
  private val counter = checked.data
  private val overflow = busy && write && counter.andR
  private val faulty = busy && checked.faulty
  private val fresh = counter + 1.U
  when(!ready) {
    cleared := cleared + 1.U
    table.write(cleared(indexBits - 1, 0), code.encode(0.U(LineCounters.counterBits.W)))
  }.elsewhen(busy && write && !overflow && !broken) { table.write(index, code.encode(fresh)) }
  when(overflow || faulty) { broken := true.B }

  io.children.result.valid := busy
  io.children.result.bits.entry := entry
  io.children.result.bits.counter := Mux(write, fresh, counter)
  io.children.result.bits.denied := broken || overflow || faulty
  io.children.retry := false.B
  io.children.pending := 0.U
  io.children.failed := broken
  io.overflow := overflow && !broken
  io.faulty := faulty && !broken
  io.busy := busy || !ready
}
