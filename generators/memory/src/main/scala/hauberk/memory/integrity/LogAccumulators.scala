package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AesInput, Geometry, KeySlot}
import hauberk.memory.cipher.CipherPort

/** An element of the log: the hash of a block's number, its value and its version, on its way into an accumulator. */
class LogElement(val p: Geometry) extends Bundle {
  val first = UInt(64.W)
  val second = UInt(64.W)

  /** The key slot the block is under. */
  val slot = UInt(KeySlot.width.W)

  /** Put into the log, and not taken out of it. */
  val put = Bool()

  /** Lowest bit of the epoch its version belongs to. */
  val parity = Bool()
}

/** The multiset hashes of the log (Clarke, Devadas, van Dijk, Gassend and Suh, ASIACRYPT'03: MSet-Add-Hash): READHASH and WRITEHASH, of two
  * epochs each. An element is AES_slot(domain 9 | hash of 120 bits), added modulo 2^128, so that order does not count and repetition does.
  */
class LogAccumulators(p: Geometry) extends Module {
  private val width = log2Ceil(4 * p.entries + 2 * p.cipher.latency + 8)
  val io = IO(new Bundle {

    /** Elements that were decided upon in this cycle, of an access: taken, of this epoch, and put, of that. */
    val taken = Flipped(Valid(Bool()))
    val put = Flipped(Valid(Bool()))

    /** Each of them, later. */
    val element = Flipped(Decoupled(new LogElement(p)))
    val cipher = new CipherPort(p)

    /** Of each epoch: everything decided upon is in, and the multiset taken equals the multiset put. */
    val complete = Output(Vec(2, Bool()))
    val equal = Output(Vec(2, Bool()))

    /** Forget an epoch. */
    val clear = Flipped(Valid(Bool()))

    /** An element is on its way. */
    val busy = Output(Bool())
  })
  private val sums = RegInit(VecInit(Seq.fill(4)(0.U(128.W))))
  private val pending = RegInit(VecInit(Seq.fill(2)(0.U(width.W))))
  private val element = Queue(io.element, 2)
  io.cipher.request.valid := element.valid
  io.cipher.request.bits.block := Cat(AesInput.logHash.U(8.W), element.bits.first, element.bits.second(55, 0))
  io.cipher.request.bits.slot := element.bits.slot
  io.cipher.request.bits.tweak := false.B
  io.cipher.request.bits.decrypt := false.B
  io.cipher.request.bits.tag := Cat(element.bits.put, element.bits.parity)
  element.ready := io.cipher.request.ready
  io.busy := element.valid || !io.complete.asUInt.andR

  private val answer = io.cipher.answer
  private val place = answer.bits.tag(1, 0)
  when(answer.valid) { sums(place) := sums(place) + answer.bits.block }
  for (parity <- 0 to 1) {
    def here(flag: Bool, of: Bool): UInt = (flag && of === (parity == 1).B).asUInt
    pending(parity) := pending(parity) + here(io.taken.valid, io.taken.bits) + here(io.put.valid, io.put.bits) -
      here(answer.valid, place(0))
    io.complete(parity) := pending(parity) === 0.U
    io.equal(parity) := sums(parity) === sums(2 + parity)
    when(io.clear.valid && io.clear.bits === (parity == 1).B) {
      sums(parity) := 0.U
      sums(2 + parity) := 0.U
    }
  }
}
