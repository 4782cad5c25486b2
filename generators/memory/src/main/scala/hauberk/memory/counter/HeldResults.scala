package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** Fresh counters that were derived from lines still being verified: they wait until that is done, since a pad for
  * data that leaves must never be made of a counter that memory may have rolled back. Every write in flight has a place.
  *
  * @param fetches width of `pending` ([[CounterGuardIO]])
  */
class HeldResults(p: Geometry, fetches: Int) extends Module {
  private val writes = p.writes
  private val firstWrite = p.reads
  private val indexBits = math.max(1, log2Ceil(writes))
  val io = IO(new Bundle {

    /** A fresh counter, with the verdicts on which its line rests; of an entry that holds none. */
    val put = Flipped(Valid(new CounterResult(p)))
    val pending = Input(UInt(fetches.W))

    /** It may be used. */
    val result = Decoupled(new CounterResult(p))

    /** Some counter is held. */
    val busy = Output(Bool())
  })
  private val valid = RegInit(VecInit(Seq.fill(writes)(false.B)))
  private val restsOn = Reg(Vec(writes, UInt(fetches.W)))
  private val held = Reg(Vec(writes, new CounterResult(p)))
  restsOn.foreach(waits => waits := waits & io.pending)
  private val into = (io.put.bits.entry - firstWrite.U)(indexBits - 1, 0)
  when(io.put.valid) {
    valid(into) := true.B
    restsOn(into) := io.pending
    held(into) := io.put.bits
  }
  private val ripe = (0 until writes).map(i => valid(i) && restsOn(i) === 0.U)
  private val index = PriorityEncoder(ripe)
  io.result.valid := ripe.reduce(_ || _)
  io.result.bits := held(index)
  when(io.result.valid && io.result.ready) { valid(index) := false.B }
  io.busy := valid.reduce(_ || _)
}
