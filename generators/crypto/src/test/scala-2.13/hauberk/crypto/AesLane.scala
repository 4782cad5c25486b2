package hauberk.crypto

import chisel3._
import chisel3.util._
import chisel3.util.random.LFSR

/** One item of a test: a block, a key with its decryption start, a direction and a tag. */
class AesItem(val keyBits: Int, val tagBits: Int) extends Bundle {
  val block = UInt(128.W)
  val key = UInt(keyBits.W)
  val start = UInt(keyBits.W)
  val decrypt = Bool()
  val tag = UInt(tagBits.W)
}

/** What was measured of a core: its latency in cycles and the blocks it took in [[AesLane.window]] cycles. */
class AesMeasure extends Bundle {
  val latency = UInt(12.W)
  val taken = UInt(12.W)
}

/** A core between two queues, with random stalls on both sides of the core; while `measure`, instead a stop-watch on a core
  * that is offered a block every cycle and whose results are always taken.
  *
  * @param seed makes the stalls of one lane differ from another's
  */
class AesLane(val params: AesParams, seed: Int) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new AesItem(params.keyBits, params.tagBits)))
    val out = Decoupled(new AesResponse(params.tagBits))
    val measure = Input(Bool())
    val measured = Output(new AesMeasure)
  })

  /** Stalls at a changing rate: never, one cycle in four, three in four, or long runs. */
  private def stalls(seed: Int): Bool = {
    val random = LFSR(16, true.B, Some(BigInt(seed)))
    val time = RegInit(0.U(11.W))
    time := time + 1.U
    val long = RegInit(false.B)
    when(random(5, 0) === 0.U)(long := !long)
    VecInit(false.B, random(1, 0) === 0.U, random(1, 0) =/= 0.U, long)(time(10, 9)) && !io.measure
  }

  private val in = Queue(io.in, 2)
  private val out = Module(new Queue(new AesResponse(params.tagBits), 4))
  private val core = Module(new AesCore(params))
  private val decrypt = params.direction match {
    case AesDirection.Encrypt => false.B
    case AesDirection.Decrypt => true.B
    case AesDirection.Both => in.bits.decrypt
  }
  private val holdRequest = stalls(2 * seed + 1)
  private val holdResponse = stalls(1000 * seed + 77)
  core.io.request.valid := (in.valid && !holdRequest) || io.measure
  in.ready := core.io.request.ready && !holdRequest && !io.measure
  core.io.request.bits.block := in.bits.block
  core.io.request.bits.key := Mux(decrypt, in.bits.start, in.bits.key)
  // A core that goes one way only has to ignore this.
  core.io.request.bits.decrypt := in.bits.decrypt
  core.io.request.bits.tag := in.bits.tag
  out.io.enq.valid := core.io.response.valid && !holdResponse && !io.measure
  out.io.enq.bits := core.io.response.bits
  core.io.response.ready := (out.io.enq.ready && !holdResponse) || io.measure
  io.out <> out.io.deq

  private val time = RegInit(0.U(12.W))
  private val running = RegInit(false.B)
  private val answered = RegInit(false.B)
  private val latency = RegInit(0.U(12.W))
  private val steady = RegInit(0.U(12.W))
  private val taken = RegInit(0.U(12.W))
  private val takes = core.io.request.valid && core.io.request.ready
  when(io.measure) {
    running := running || takes
    when(running || takes) {
      time := time + 1.U
      when(!answered)(latency := time)
    }
    when(core.io.response.valid)(answered := true.B)
    // A core with a register before its first round takes a block more before that
    when(answered) {
      steady := steady + 1.U
      when(takes && steady < AesLane.window.U)(taken := taken + 1.U)
    }
  }
  io.measured.latency := latency
  io.measured.taken := taken
}

object AesLane {

  /** Cycles, from the first answer on, over which the rate is measured: a multiple of 10, 12 and 14, so that iterative cores come out even. */
  val window = 1680
}

/** Several cores of one key size under one stream of items. Every item goes to every core: those that only encrypt or
  * decrypt do that, the others what the item says. An item is answered when all are done: with the block of the cores that
  * encrypted it and of those that decrypted it, and whether the cores agree and gave the item's tag back.
  */
class AesBench(variants: Seq[AesParams]) extends Module {
  private val keyBits = variants.head.keyBits
  private val tagBits = variants.head.tagBits
  require(variants.forall(p => p.keyBits == keyBits && p.tagBits == tagBits), "one key size and tag width at a time")

  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesItem(keyBits, tagBits)))
    val answered = Output(Bool())
    val encrypted = Output(UInt(128.W))
    val decrypted = Output(UInt(128.W))
    val agree = Output(Bool())

    /** Something to do: a request can be taken or an answer is there. */
    val attention = Output(Bool())
    val measure = Input(Bool())
    val measured = Output(Vec(variants.size, new AesMeasure))
  })

  private val order = Module(new Queue(new AesItem(keyBits, tagBits), 64))
  private val lanes = variants.zipWithIndex.map { case (params, number) => Module(new AesLane(params, number)) }
  private val sinks = order.io.enq +: lanes.map(_.io.in)
  io.request.ready := sinks.map(_.ready).reduce(_ && _)
  sinks.foreach { sink =>
    sink.valid := io.request.valid && io.request.ready
    sink.bits := io.request.bits
  }

  private val answered = order.io.deq.valid && lanes.map(_.io.out.valid).reduce(_ && _)
  order.io.deq.ready := answered
  lanes.foreach(_.io.out.ready := answered)
  private val item = order.io.deq.bits
  private def first(direction: AesDirection): UInt = lanes.find(_.params.direction == direction).get.io.out.bits.block
  io.encrypted := first(AesDirection.Encrypt)
  io.decrypted := first(AesDirection.Decrypt)
  io.agree := lanes.map { lane =>
    val expected = lane.params.direction match {
      case AesDirection.Encrypt => io.encrypted
      case AesDirection.Decrypt => io.decrypted
      case AesDirection.Both => Mux(item.decrypt, io.decrypted, io.encrypted)
    }
    lane.io.out.bits.block === expected && lane.io.out.bits.tag === item.tag
  }.reduce(_ && _)
  io.answered := answered
  io.attention := io.request.ready || answered

  lanes.foreach(_.io.measure := io.measure)
  io.measured := VecInit(lanes.map(_.io.measured))
}
