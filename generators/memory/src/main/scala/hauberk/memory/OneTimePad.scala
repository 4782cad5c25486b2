package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** One-time-pad encryption, AEGIS section 6.3: the mask of AES block i is AES_K(domain, engine, block, counter, i). It does not depend
  * on the data, so it is made while memory works.
  */
case object OneTimePad extends Mode {
  val name = "one-time pad"
  val code = 1
  val needsData = false

  def cipher(p: Protection): AesParams =
    p.params.cipher.copy(direction = AesDirection.Encrypt, tagBits = p.entryBits + log2Ceil(p.chunks))

  def maskGenerator(p: Protection): MaskGenerator = new OneTimePadGenerator(p)
}

/** Starts an AES block a cycle: the first in the cycle its job arrives, when the cipher is free. A mask follows `p.cipher.latency` cycles
  * later.
  */
class OneTimePadGenerator(p: Protection) extends MaskGenerator(p) {
  private val cipher = Module(new AesCipher(p.cipher, KeySlot.count))
  cipher.io.keyWrite := io.keyWrite
  cipher.io.retire := io.keyRetire
  io.usable := cipher.io.usable

  private val job = Queue(io.port.job, 2, pipe = false, flow = true)
  private val offset = RegInit(0.U(log2Ceil(p.chunks).W))
  private val chunk = job.bits.first + offset
  private val last = chunk === job.bits.last

  cipher.io.request.valid := job.valid
  cipher.io.request.bits.block := AesInput(AesInput.dataPad, p, job.bits.block, job.bits.counter, chunk)
  cipher.io.request.bits.slot := slotOf(job.bits.counter)
  cipher.io.request.bits.decrypt := false.B
  cipher.io.request.bits.tag := Cat(job.bits.entry, chunk)
  job.ready := cipher.io.request.ready && last
  io.started := cipher.io.request.valid && cipher.io.request.ready
  when(io.started) { offset := Mux(last, 0.U, offset + 1.U) }

  cipher.io.response.ready := true.B
  io.port.mask.valid := cipher.io.response.valid
  io.port.mask.bits.entry := cipher.io.response.bits.tag >> log2Ceil(p.chunks)
  io.port.mask.bits.chunk := cipher.io.response.bits.tag(log2Ceil(p.chunks) - 1, 0)
  io.port.mask.bits.bits := reverseBytes(cipher.io.response.bits.block)

  for (port <- io.port.buffer) {
    port.entry := 0.U
    port.chunk := 0.U
  }
}
