package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.{AesInput, Geometry}

/** One-time-pad encryption, AEGIS section 6.3: the keystream of AES block i is AES_K(domain, engine, block, counter, i). It does not depend
  * on the data, so it is made while memory works.
  */
case object OneTimePad extends Mode {
  val name = "one-time pad"
  val code = 1
  val wholeBlocks, decrypts = false
  def needsData(direct: Bool): Bool = false.B
}

/** Starts an AES block a cycle: the first in the cycle its job arrives, when the cipher is free. A keystream block follows `p.cipher.latency` cycles
  * later.
  */
class OneTimePadGenerator(p: Geometry) extends KeystreamGenerator(p) {
  private val job = Queue(io.port.job, 2, pipe = false, flow = true)
  private val offset = RegInit(0.U(p.aesBlockBits.W))
  private val aesBlock = job.bits.first + offset
  private val last = aesBlock === job.bits.last

  private val request = io.cipher.request
  request.valid := job.valid
  request.bits.block := AesInput(AesInput.dataPad, p, job.bits.block, job.bits.counter, aesBlock)
  request.bits.slot := job.bits.key
  request.bits.tweak := false.B
  request.bits.decrypt := false.B
  request.bits.tag := Cat(job.bits.entry, aesBlock)
  job.ready := request.ready && last
  io.begun := offset =/= 0.U
  io.busy := job.valid
  when(request.valid && request.ready) { offset := Mux(last, 0.U, offset + 1.U) }

  private val answer = io.cipher.answer
  io.port.keystream.valid := answer.valid
  io.port.keystream.bits.entry := answer.bits.tag >> p.aesBlockBits
  io.port.keystream.bits.aesBlock := answer.bits.tag(p.aesBlockBits - 1, 0)
  io.port.keystream.bits.bits := MemoryOrder.reversed(answer.bits.block)

  for (port <- io.port.buffer) {
    port.entry := 0.U
    port.aesBlock := 0.U
  }
}
