package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, InTurn, Lanes, MemoryRequest, MemoryRequestHeader, MemoryResponse}

/** A task whose line is missing, and the way that is kept for it. */
class LastLevelMiss(val g: LastLevelGeometry) extends Bundle {
  val task = new LastLevelTask(g)
  val way = UInt(g.wayBits.W)
}

/** A line that was fetched, for the directory and the data. */
class LastLevelInstall(val g: LastLevelGeometry) extends Bundle {
  val block = UInt(g.client.blockIndexBits.W)
  val way = UInt(g.wayBits.W)
  val dirty, poisoned = Bool()
  val row = UInt(g.rowBits.W)
}

/** The misses in flight: each fetches a line for one request, merges what the request writes, has the line installed and answers. A read is
  * answered beat by beat as the line comes in, a write when its line is installed. What memory refuses is denied and never installed. A miss keeps
  * its block and its way to itself until both is done.
  */
class LastLevelMshrs(g: LastLevelGeometry) extends Module {
  private val n = g.mshrs
  private val indexBits = math.max(1, log2Ceil(n))
  private val params = g.client
  val io = IO(new Bundle {

    /** Take a task and a way for its line; only while `ready`. */
    val start = Flipped(Valid(new LastLevelMiss(g)))
    val ready = Output(Bool())

    /** Is this block on its way? Which ways of its set are taken? */
    val block = Input(UInt(params.blockIndexBits.W))
    val holds = Output(Bool())
    val ways = Output(UInt(g.ways.W))
    val request = Decoupled(new MemoryRequest(g.memory))
    val response = Flipped(Valid(new MemoryResponse(g.memory)))
    val install = Decoupled(new LastLevelInstall(g))
    val answer = Decoupled(new MemoryResponse(params))
  })
  private def flags = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val valid, asked, installed, answered = flags
  private val header = Reg(Vec(n, new MemoryRequestHeader(params)))
  private val write, poisoned = Reg(Vec(n, Bool()))
  private val way = Reg(Vec(n, UInt(g.wayBits.W)))
  private val rows = Reg(Vec(n, Vec(g.beats, UInt(params.beatBits.W))))
  private val masks = Reg(Vec(n, Vec(g.beats, UInt(params.beatBytes.W))))
  private val arrived, refused = Reg(Vec(n, UInt(g.beats.W))) // a bit a beat
  private def at[T <: Data](fields: Vec[T], i: UInt): T = fields(if (n == 1) 0.U else i)

  // Start
  private val free = PriorityEncoder(valid.map(!_))
  io.ready := !valid.reduce(_ && _)
  io.holds := (0 until n).map(i => valid(i) && header(i).block === io.block).reduce(_ || _)
  io.ways := (0 until n)
    .map(i => Mux(valid(i) && g.setOf(header(i).block) === g.setOf(io.block), UIntToOH(way(i), g.ways), 0.U))
    .reduce(_ | _)
  private val task = io.start.bits.task
  when(io.start.valid) {
    at(valid, free) := true.B
    Seq(asked, installed, answered).foreach(at(_, free) := false.B)
    at(header, free) := task.header
    at(write, free) := task.write
    at(poisoned, free) := task.poisoned
    at(way, free) := io.start.bits.way
    at(arrived, free) := 0.U
    at(refused, free) := 0.U
    at(rows, free) := Lanes.beats(task.row, params)
    for (beat <- 0 until g.beats) {
      val mask = task.mask(params.beatBytes * (beat + 1) - 1, params.beatBytes * beat)
      at(masks, free)(beat) := Mux(task.write, mask, 0.U)
    }
  }

  // Fetch
  private val toAsk = (0 until n).map(i => valid(i) && !asked(i))
  private val askedBefore = RegInit(0.U(indexBits.W))
  private val asks = InTurn(toAsk, askedBefore)
  io.request.valid := toAsk.reduce(_ || _)
  io.request.bits := 0.U.asTypeOf(new MemoryRequest(g.memory))
  io.request.bits.address := at(header, asks).block << params.blockOffsetBits
  io.request.bits.size := params.blockOffsetBits.U
  io.request.bits.id := asks
  io.request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  when(io.request.valid && io.request.ready) {
    at(asked, asks) := true.B
    askedBefore := asks
  }

  private val from = io.response.bits.id(indexBits - 1, 0)
  private val comes = io.response.valid
  private val (_, _, beat) = Burst.track(comes, (g.beats - 1).U(params.beatIndexBits.W))
  private val keeps = at(masks, from)(beat)
  private val old = at(rows, from)(beat)
  when(comes) {
    at(rows, from)(beat) := Lanes.merge(keeps, old, io.response.bits.data)
    at(arrived, from) := at(arrived, from) | UIntToOH(beat, g.beats)
    when(io.response.bits.denied) { at(refused, from) := at(refused, from) | UIntToOH(beat, g.beats) }
  }

  // Install
  private val isWhole = (0 until n).map(i => valid(i) && arrived(i).andR)
  private val isRefused = refused.map(_.orR)
  private val toInstall = (0 until n).map(i => isWhole(i) && !isRefused(i) && !installed(i))
  private val installs = PriorityEncoder(toInstall)
  io.install.valid := toInstall.reduce(_ || _)
  io.install.bits.block := at(header, installs).block
  io.install.bits.way := at(way, installs)
  io.install.bits.dirty := at(write, installs)
  io.install.bits.poisoned := at(poisoned, installs)
  io.install.bits.row := Cat(at(rows, installs).reverse)
  when(io.install.valid && io.install.ready) { at(installed, installs) := true.B }

  // Answer: once begun, to the end
  private val toAnswer = (0 until n).map { i =>
    valid(i) && !answered(i) && Mux(
      write(i),
      installed(i) || (isWhole(i) && isRefused(i)),
      (arrived(i) >> header(i).firstBeat)(0)
    )
  }
  private val answering = RegInit(false.B)
  private val answeringAt = RegInit(0.U(indexBits.W))
  private val answers = Mux(answering, answeringAt, InTurn(toAnswer, answeringAt))
  private val gives = io.answer.valid && io.answer.ready
  private val out = at(header, answers)
  private val (_, isLast, offset) = Burst.track(gives, Mux(at(write, answers), 0.U, out.lastBeat))
  private val place = (out.firstBeat + offset)(params.beatIndexBits - 1, 0)
  private val isThere = at(write, answers) || (at(arrived, answers) >> place)(0)
  io.answer.valid := Mux(answering, isThere, toAnswer.reduce(_ || _))
  io.answer.bits.write := at(write, answers)
  io.answer.bits.id := out.id
  io.answer.bits.size := out.size
  io.answer.bits.data := at(rows, answers)(place)
  io.answer.bits.denied := Mux(
    at(write, answers),
    at(refused, answers).orR,
    (at(refused, answers) & ((UIntToOH(place, g.beats) << 1) - 1.U)).orR
  )
  when(gives) {
    answering := !isLast
    answeringAt := answers
    when(isLast) { at(answered, answers) := true.B }
  }

  for (i <- 0 until n) {
    when(valid(i) && answered(i) && isWhole(i) && (installed(i) || isRefused(i))) { valid(i) := false.B }
  }
}
