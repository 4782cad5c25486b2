package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryRequest, MemoryRequestHeader}

/** What outlives the beats of a request. `whole`: it writes every byte of its block. `poisoned`: a beat of it is corrupt. */
class LastLevelTaskHeader(val g: LastLevelGeometry) extends Bundle {
  val header = new MemoryRequestHeader(g.client)
  val write, whole, poisoned = Bool()
}

/** A request with all its beats. `row` and `mask` are those of the block, and belong to writes. */
class LastLevelTask(override val g: LastLevelGeometry) extends LastLevelTaskHeader(g) {
  val row = UInt(g.rowBits.W)
  val mask = UInt(g.client.blockBytes.W)
}

/** Turns beats into tasks, in order. A read is offered in the cycle of its arrival, a write in the cycle after its last beat. What is offered
  * stays until it is taken; meanwhile the beats of one more write come in.
  */
class LastLevelRequests(g: LastLevelGeometry) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new MemoryRequest(g.client)))
    val task = Valid(new LastLevelTask(g))

    /** The task of the cycle before is done. */
    val done = Input(Bool())

    /** Row and mask of the task that was done in the cycle before. */
    val doneRow = Output(UInt(g.rowBits.W))
    val doneMask = Output(UInt(g.client.blockBytes.W))
  })
  private val params = g.client
  private val valid = RegInit(false.B)
  private val held = Reg(new LastLevelTaskHeader(g))
  // Beats of writes: of the task that is held or was done in the cycle before, and of the next
  private val rows = Reg(Vec(2, Vec(g.beats, UInt(params.beatBits.W))))
  private val masks = Reg(Vec(2, Vec(g.beats, UInt(params.beatBytes.W))))
  private val filling = RegInit(0.U(1.W))
  private val corrupt = Reg(Bool())

  private val request = io.request.bits
  private val header = MemoryRequestHeader(params, request)
  private val fires = io.request.valid && io.request.ready
  private val (first, last, beat) = Burst.track(fires, Mux(request.write, header.lastBeat, 0.U))
  private val poisoned = request.corrupt || (corrupt && !first)
  private val comes = Wire(new LastLevelTaskHeader(g))
  comes.header := header
  comes.write := request.write
  comes.whole := !request.partial && request.size === params.blockOffsetBits.U
  comes.poisoned := request.write && poisoned
  io.request.ready := !valid || !last
  when(io.done) { valid := false.B }
  when(fires && request.write) {
    corrupt := poisoned
    val place = (header.firstBeat + beat)(params.beatIndexBits - 1, 0)
    when(first) { masks(filling).foreach(_ := 0.U) }
    masks(filling)(place) := request.mask
    rows(filling)(place) := request.data
    when(last) { filling := filling + 1.U }
  }
  when(fires && last) {
    valid := true.B
    held := comes
  }

  private val shown = Mux(valid, held, comes)
  io.task.valid := valid || (io.request.valid && !request.write)
  io.task.bits.header := shown.header
  io.task.bits.write := shown.write
  io.task.bits.whole := shown.whole
  io.task.bits.poisoned := shown.poisoned
  private val of = filling - 1.U
  io.task.bits.row := Cat(rows(of).reverse)
  io.task.bits.mask := Cat(masks(of).reverse)
  private val doneAt = RegNext(of)
  io.doneRow := Cat(rows(doneAt).reverse)
  io.doneMask := Cat(masks(doneAt).reverse)
}
