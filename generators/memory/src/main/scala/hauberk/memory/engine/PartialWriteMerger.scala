package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort, MemoryPortParams, MemoryRequestHeader}

/** Makes a write of part of a block into a read of the block and a write of the whole, so that behind it a block is always encrypted as a
  * whole under a fresh counter. One at a time; other blocks' requests pass meanwhile with no cycle added, and requests of the same block
  * wait until the whole write has gone in.
  *
  * @param outer shape of the port towards the client
  * @param inner the same with one identifier bit more, the most significant one, set on the merger's own requests
  */
class PartialWriteMerger(outer: MemoryPortParams, inner: MemoryPortParams) extends Module {
  private val beats = outer.blockBeats
  val io = IO(new Bundle {
    val client = Flipped(new MemoryPort(outer))
    val core = new MemoryPort(inner)

    /** A partial write was taken. */
    val merged = Output(Bool())

    /** What was taken, and has not gone in, is denied: what was read for it is of a key that is no more. */
    val abandon = Input(Bool())

    /** A partial write has no answer yet. */
    val busy = Output(Bool())
  })
  private val idle :: collect :: read :: merge :: write :: acknowledge :: respond :: Nil = Enum(7)
  private val state = RegInit(idle)
  private val header = Reg(new MemoryRequestHeader(outer))
  private val data = Reg(Vec(beats, UInt(outer.beatBits.W)))
  private val mask = Reg(Vec(beats, UInt(outer.beatBytes.W)))
  private val denied = Reg(Bool())

  /** Some of the bytes to write are poisoned, and so is then the block. */
  private val corrupt = Reg(Bool())

  private val head = io.client.request
  private val here = MemoryRequestHeader(outer, head.bits)
  private val lastIdx = Mux(head.bits.write, here.lastBeat, 0.U)
  private val (first, last, beat) = Burst.track(head.valid && head.ready, lastIdx)
  private val isPartial = head.bits.write && (head.bits.partial || head.bits.size =/= outer.blockOffsetBits.U)
  private val ordered = state === collect || state === read || state === merge || state === write
  private val mustWait = first && (isPartial || (ordered && here.block === header.block))

  // Own requests go in between the bursts that pass
  private val out = io.core.request
  private val outLast = Mux(out.bits.write, Burst.lastBeat(out.bits.size, inner), 0.U)
  private val (between, lastOut, outBeat) = Burst.track(out.valid && out.ready, outLast)
  private val owns = RegInit(false.B)
  private val begins = state === read || state === write
  private val own = owns || (between && begins && !io.abandon)
  private val passes = head.valid && state =/= collect && !mustWait && !own
  out.valid := own || passes
  out.bits := head.bits
  out.bits.id := Cat(0.U(1.W), head.bits.id)
  when(own) {
    out.bits.write := state === write
    out.bits.partial := false.B
    out.bits.address := header.block << outer.blockOffsetBits
    out.bits.size := outer.blockOffsetBits.U
    out.bits.id := Cat(1.U(1.W), header.id)
    out.bits.mask := ((BigInt(1) << outer.beatBytes) - 1).U
    out.bits.data := data(outBeat)
    out.bits.corrupt := corrupt
    when(out.ready) {
      owns := !lastOut
      when(state === read) { state := merge }
      when(state === write && lastOut) { state := acknowledge }
    }
  }

  when(begins && !owns && io.abandon) {
    denied := true.B
    state := respond
  }
  io.busy := state =/= idle

  // Collect the bytes to write
  private val takes = head.valid && (state === collect || (state === idle && first && isPartial))
  head.ready := Mux(state === collect || (first && isPartial), state === collect || state === idle, out.ready && passes)
  io.merged := takes && first
  when(takes) {
    when(first) {
      header := here
      mask.foreach(_ := 0.U)
    }
    val place = (here.firstBeat + beat)(outer.beatIndexBits - 1, 0)
    data(place) := head.bits.data
    corrupt := head.bits.corrupt || (corrupt && !first)
    mask(place) := head.bits.mask
    state := Mux(last, read, collect)
  }

  // Merge what the block held
  private val response = io.core.response
  private val mine = response.bits.id(inner.idBits - 1)
  private val (_, lastRead, readBeat) =
    Burst.track(response.valid && mine && !response.bits.write, (beats - 1).U(outer.beatIndexBits.W))
  when(response.valid && mine) {
    denied := response.bits.denied
    when(response.bits.write) {
      state := respond
    }.otherwise {
      data(readBeat) := Cat((0 until outer.beatBytes).reverse.map { i =>
        Mux(mask(readBeat)(i), data(readBeat)(8 * i + 7, 8 * i), response.bits.data(8 * i + 7, 8 * i))
      })
      when(lastRead) { state := Mux(response.bits.denied, respond, write) }
    }
  }

  // Answer between the bursts that pass
  private val client = io.client.response
  private val others = response.valid && !mine
  private val othersLast = Mux(response.bits.write, 0.U, Burst.lastBeat(response.bits.size, inner))
  private val (quiet, _, _) = Burst.track(others && response.ready, othersLast)
  private val answer = state === respond && quiet
  client.valid := answer || others
  client.bits := response.bits
  client.bits.id := Mux(answer, header.id, response.bits.id(outer.idBits - 1, 0))
  when(answer) {
    client.bits.write := true.B
    client.bits.size := header.size
    client.bits.data := 0.U
    client.bits.denied := denied
    when(client.ready) { state := idle }
  }
  response.ready := mine || (client.ready && !answer)
}
