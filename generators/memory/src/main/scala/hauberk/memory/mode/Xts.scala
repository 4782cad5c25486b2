package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.crypto.MemoryOrder
import hauberk.memory.common.Geometry
import hauberk.memory.cipher.XtsTweak

/** XTS-AES (IEEE 1619, SP 800-38E), the mode of commercial processors: every block is a data unit, whose number is its place, encrypted under the key of
  * its slot and that slot's tweak key. There is no counter, so a block that is written twice with the same bytes looks the same twice, and
  * memory may put back an old one unnoticed.
  */
case object Xts extends Mode {
  val name = "XTS"
  val code = 3
  val wholeBlocks, decrypts = true
  override val counterless, usesTweakKeys = true
  def needsData(direct: Bool): Bool = true.B
}

/** As the keystream of the engine's XOR, AES block i gets AES(B[i] XOR T[i]) XOR T[i] XOR B[i], backwards for a read and forwards for a write.
  *
  * The first tweak of a transaction is asked for when the transaction is announced, which for a read is when it goes to memory, and kept
  * until its keystream is made. As soon as a block is there, its AES blocks enter the cipher, one a cycle and back to back with those of other
  * blocks. So a read whose memory is slower than the cipher waits for `p.cipher.latency` cycles and one a further AES block.
  */
class XtsGenerator(p: Geometry) extends KeystreamGenerator(p) {
  private val aesBlockBits = log2Ceil(p.aesBlocks)

  // First tweaks of the transactions in flight
  private val announcements = Module(new Queue(new KeystreamAhead(p), p.entries, pipe = false, flow = true))
  announcements.io.enq.valid := io.port.ahead.valid
  announcements.io.enq.bits := io.port.ahead.bits
  private val announced = announcements.io.deq
  private val tweaks = Mem(p.entries, UInt(128.W))
  private val there = RegInit(VecInit(Seq.fill(p.entries)(false.B)))
  private def tweakOf(entry: UInt, aesBlock: UInt): UInt = XtsTweak.powers(tweaks.read(entry), p.aesBlocks)(aesBlock)

  // Tweaks first: a job that waits for one may be at the head
  private val job = Queue(io.port.job, 2, pipe = false, flow = true)
  private val offset = RegInit(0.U(aesBlockBits.W))
  private val aesBlock = job.bits.first + offset
  private val last = aesBlock === job.bits.last
  io.port.buffer(0).entry := job.bits.entry
  io.port.buffer(0).aesBlock := aesBlock
  private val request = io.cipher.request
  private val starts = job.valid && there(job.bits.entry)
  io.busy := announced.valid || job.valid
  request.valid := announced.valid || starts
  request.bits.block := MemoryOrder.reversed(
    Mux(
      announced.valid,
      XtsTweak.block(p, announced.bits.block),
      io.port.buffer(0).data ^ tweakOf(job.bits.entry, aesBlock)
    )
  )
  request.bits.slot := Mux(announced.valid, announced.bits.key, job.bits.key)
  request.bits.tweak := announced.valid
  request.bits.decrypt := !announced.valid && !job.bits.write
  request.bits.tag := Mux(
    announced.valid,
    Cat(announced.bits.entry, 1.U((aesBlockBits + 1).W)),
    Cat(job.bits.entry, aesBlock, 0.U(1.W))
  )
  announced.ready := request.ready
  job.ready := request.ready && !announced.valid && there(job.bits.entry) && last
  when(starts && !announced.valid && request.ready) { offset := Mux(last, 0.U, offset + 1.U) }

  private val answer = io.cipher.answer
  private val isTweak = answer.bits.tag(0)
  private val entry = (answer.bits.tag >> (aesBlockBits + 1))(p.entryBits - 1, 0)
  private val done = answer.bits.tag(aesBlockBits, 1)
  private val bits = MemoryOrder.reversed(answer.bits.block)
  when(answer.valid && isTweak) {
    tweaks.write(entry, bits)
    there(entry) := true.B
  }
  when(io.port.ahead.valid) { there(io.port.ahead.bits.entry) := false.B }

  io.port.buffer(1).entry := entry
  io.port.buffer(1).aesBlock := done
  io.port.keystream.valid := answer.valid && !isTweak
  io.port.keystream.bits.entry := entry
  io.port.keystream.bits.aesBlock := done
  io.port.keystream.bits.bits := bits ^ tweakOf(entry, done) ^ io.port.buffer(1).data
  for (port <- io.port.buffer.drop(2)) {
    port.entry := 0.U
    port.aesBlock := 0.U
  }
}
