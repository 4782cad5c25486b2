package hauberk.memory.cipher

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AesInput, Geometry, KeySlot}

/** A line to hash. */
class LineHashJob(val p: Geometry, val tagBits: Int) extends Bundle {

  /** 0 for tag lines, 1 and up for the levels of nodes. */
  val level = UInt(8.W)
  val line = UInt(p.core.blockIndexBits.W)
  val data = UInt((p.bank.blockBytes * 8).W)
  val slot = UInt(KeySlot.width.W)

  /** Comes back with the hash. */
  val tag = UInt(tagBits.W)
}

/** The hash of a line, never 0. */
class LineHash(val tagBits: Int) extends Bundle {
  val tag = UInt(tagBits.W)
  val hash = UInt(LineHasher.hashBits.W)
}

/** Makes the hashes of a hash tree (AEGIS section 5; Gassend et al., HPCA'03): the upper 64 bits of
  * AES_slot(domain 8 | H of level << 56 | line, and the words of the line), H the polynomial hash of 120 bits. 0 becomes 1, for the hash 0
  * stands for a line that was never written back.
  *
  * One word a cycle and one line at a time: a hash comes `words + 2 + p.cipher.latency` cycles after its job if the cipher is free.
  * Answers come in the order in which jobs are taken, and are not refused.
  *
  * @param users   ports for jobs, the first with the highest priority
  * @param tagBits width of a user's tag
  */
class LineHasher(p: Geometry, users: Int, tagBits: Int) extends Module {
  private val words = p.bank.blockBytes / 8
  private val userBits = math.max(1, log2Ceil(users))
  val io = IO(new Bundle {
    val jobs = Vec(users, Flipped(Decoupled(new LineHashJob(p, tagBits))))
    val hashes = Vec(users, Valid(new LineHash(tagBits)))
    val cipher = new CipherPort(p)
    val hashKeys = Input(Vec(KeySlot.count, new HashKeys))

    /** A hash is being made. */
    val busy = Output(Bool())
  })
  private val busy = RegInit(false.B)
  private val step = RegInit(0.U(log2Ceil(words + 2).W))
  private val job = Reg(new LineHashJob(p, tagBits))
  private val user = Reg(UInt(userBits.W))
  private val keys = io.hashKeys(job.slot)
  private val hashed = step === (words + 1).U
  private val hasher = Module(new PolynomialHasher(keys = 2, words = 1))

  private val (inCipher, owners) = {
    val owner = Wire(Decoupled(UInt((userBits + tagBits).W)))
    (owner, Queue(owner, LineHasher.inCipher))
  }
  io.cipher.request.valid := busy && hashed && inCipher.ready
  io.cipher.request.bits.block := Cat(AesInput.lineHash.U(8.W), hasher.io.held(0), hasher.io.held(1)(55, 0))
  io.cipher.request.bits.slot := job.slot
  io.cipher.request.bits.tweak := false.B
  io.cipher.request.bits.decrypt := false.B
  io.cipher.request.bits.tag := 0.U
  private val leaves = io.cipher.request.valid && io.cipher.request.ready
  inCipher.valid := leaves
  inCipher.bits := Cat(user, job.tag)

  private val chosen = PriorityEncoderOH(io.jobs.map(_.valid))
  private val takes = !busy && io.jobs.map(_.valid).reduce(_ || _)
  for ((port, mine) <- io.jobs.zip(chosen)) { port.ready := !busy && mine }
  when(takes) {
    job := Mux1H(chosen, io.jobs.map(_.bits))
    user := OHToUInt(chosen)
    step := 0.U
  }
  busy := takes || (busy && !leaves)

  private val number = job.line + 0.U(56.W)
  hasher.io.step := busy && !hashed
  hasher.io.begins := step === 0.U
  hasher.io.start.foreach(_ := 0.U)
  hasher.io.words.head := Mux(step === 0.U, Cat(job.level, number), job.data(63, 0))
  hasher.io.keys := VecInit(keys.first, keys.second)
  when(busy && !hashed) {
    when(step =/= 0.U) { job.data := job.data >> 64 }
    step := step + 1.U
  }

  owners.ready := io.cipher.answer.valid
  io.busy := busy || owners.valid
  private val high = io.cipher.answer.bits.block(127, 64)
  for ((port, i) <- io.hashes.zipWithIndex) {
    port.valid := io.cipher.answer.valid && (owners.bits >> tagBits) === i.U
    port.bits.tag := owners.bits(tagBits - 1, 0)
    port.bits.hash := Mux(high === 0.U, 1.U, high)
  }
}

/** Width of a hash, and how many hashes keep the cipher busy. */
object LineHasher {
  val hashBits = 64

  /** Hashes whose last step is under way; a job takes about ten cycles, so a cipher of 160 cycles is kept busy. */
  val inCipher = 16
}
