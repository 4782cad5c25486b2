package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** The cipher's work for a transfer. */
class TransferJob(val p: BusParams) extends Bundle {
  val group = UInt(p.gidBits.W)

  /** The masks were used, and the next ones are to be made, of `masks`. */
  val hasData = Bool()
  val maskPid = UInt(p.pidBits.W)
  val maskSlot = UInt(TransferCipher.slotBits.W)
  val maskKey = UInt(128.W)
  val masks = Vec(p.lanes, UInt(128.W))

  /** Input of the chains of a CBC-MAC: a block a lane if there are data, and the header's block if `hasHeader`. */
  val chainSlot = UInt(TransferCipher.slotBits.W)
  val chainKey = UInt(128.W)
  val chains = Vec(p.lanes + 1, UInt(128.W))
  val hasHeader = Bool()

  /** The MAC of the traffic up to here is to be compared. */
  val boundary = Bool()
}

/** A block that comes out for a transfer: the next mask of a lane, the next value of a chain, or the mere end of a transfer. */
class TransferResult(val p: BusParams) extends Bundle {
  val group = UInt(p.gidBits.W)
  val isMask = Bool()
  val isChain = Bool()
  val lane = UInt(TransferCipher.laneBits.W)
  val pid = UInt(p.pidBits.W)
  val slot = UInt(TransferCipher.slotBits.W)

  /** Nothing follows of this transfer, and all before it have come out; its MAC is to be compared. */
  val boundary = Bool()
  val block = UInt(128.W)
}

/** A block for the cipher outside transfers. */
class ServiceRequest(val tagBits: Int) extends Bundle {
  val key = UInt(128.W)
  val block = UInt(128.W)
  val tag = UInt(tagBits.W)
}

/** The cipher of a security hardware unit: `p.ciphers` pipelines, which take a transfer in `p.steps` cycles.
  *
  * Takes a job every `p.steps` cycles, or one without data every cycle. Results leave in order, the blocks of one step together. Service requests take what
  * place transfers leave, and there is some in every bus cycle; their answers come in order, and cannot be refused.
  */
class TransferCipher(val p: BusParams, val tagBits: Int) extends Module {
  val io = IO(new Bundle {
    val job = Flipped(Decoupled(new TransferJob(p)))
    val results = Vec(p.ciphers, Valid(new TransferResult(p)))
    val service = Flipped(Decoupled(new ServiceRequest(tagBits)))
    val answer = Valid(new AesResponse(tagBits))
  })
  private val chained = p.secure.mac == BusMac.Cbc
  private val job = Reg(new TransferJob(p))
  private val active = RegInit(false.B)
  private val step = RegInit(0.U(log2Ceil(p.steps).max(1).W))
  private val lastStep = (p.steps - 1).U
  io.job.ready := !active || step === lastStep
  when(io.job.valid && io.job.ready) {
    active := true.B
    job := io.job.bits
    // Without data there is nothing but the header, the last of all
    step := Mux(io.job.bits.hasData, 0.U, lastStep)
  }.elsewhen(active) {
    active := step =/= lastStep
    step := Mux(step === lastStep, 0.U, step + 1.U)
    // Nothing of a group stays here
    when(step === lastStep) { job := 0.U.asTypeOf(new TransferJob(p)) }
  }

  /** The block of that number, and what becomes of it. */
  private def block(number: Int): (Bool, UInt, TransferResult) = {
    val result = Wire(new TransferResult(p))
    val isMask = number < p.lanes
    val chain = number - p.lanes
    val isHeader = chain == p.lanes
    result.group := job.group
    result.isMask := isMask.B
    result.isChain := (if (isMask) false.B else if (isHeader) job.hasHeader else true.B)
    result.lane := (if (isMask) number else chain).U
    result.pid := job.maskPid
    result.slot := (if (isMask) job.maskSlot else job.chainSlot)
    result.boundary := (if (number == p.blocks - 1 && chained) job.boundary else false.B)
    result.block := (if (isMask) job.masks(number) else job.chains(chain))
    val valid = if (isHeader) job.hasHeader || job.boundary else job.hasData
    (valid, if (isMask) job.maskKey else job.chainKey, result)
  }

  private val serviceBits = tagBits.max(1)
  private val resultBits = (new TransferResult(p)).getWidth - 128
  private val width = resultBits.max(serviceBits) + 1
  for (pipeline <- 0 until p.ciphers) {
    val params = AesParams(sBox = SBoxStyle.Table, tagBits = width, datapath = p.secure.aesDatapath)
    val aes = Module(new AesCore(params))
    val mine = (0 until p.steps).map { s =>
      val number = s * p.ciphers + pipeline
      if (number < p.blocks) block(number) else (false.B, 0.U(128.W), 0.U.asTypeOf(new TransferResult(p)))
    }
    val valid = active && Choose(mine.map(_._1), step)
    val key = Choose(mine.map(_._2), step)
    val result = Choose(mine.map(_._3), step)
    val serves = (pipeline == p.ciphers - 1).B && !valid
    aes.io.request.valid := valid || (serves && io.service.valid)
    aes.io.request.bits.block := Mux(valid, result.block, io.service.bits.block)
    aes.io.request.bits.key := Mux(valid, key, io.service.bits.key)
    aes.io.request.bits.decrypt := false.B
    aes.io.request.bits.tag := Mux(
      valid,
      Cat(false.B, (result.asUInt >> 128) + 0.U((width - 1).W)),
      Cat(true.B, io.service.bits.tag + 0.U((width - 1).W))
    )
    aes.io.response.ready := true.B
    val forService = aes.io.response.bits.tag(width - 1)
    io.results(pipeline).valid := aes.io.response.valid && !forService
    io.results(pipeline).bits := Cat(aes.io.response.bits.tag(resultBits - 1, 0), aes.io.response.bits.block)
      .asTypeOf(new TransferResult(p))
    if (pipeline == p.ciphers - 1) {
      io.service.ready := serves
      io.answer.valid := aes.io.response.valid && forService
      io.answer.bits.block := aes.io.response.bits.block
      io.answer.bits.tag := aes.io.response.bits.tag(serviceBits - 1, 0)
    }
  }
}

/** Bits of a slot and of a lane in the input of the cipher. */
object TransferCipher {
  val slotBits = 4
  val laneBits = 4
}
