package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** One-time pads for the blocks that have a sequence number, and XTS for those that have none (Yang section 4.1, "with no replacement": such
  * lines are encrypted directly). Which it is comes with the counter.
  */
case object PadOrDirect extends Mode {
  val name = "one-time pad or XTS"
  val code = 4
  val wholeBlocks, decrypts = true
  override val counterless, usesTweakKeys = true
  def needsData(direct: Bool): Bool = direct
}

/** The two generators on one port to the cipher, a request a cycle, in turn when both have one. A pad never waits for a block's data or for
  * a tweak.
  */
class PadOrDirectGenerator(p: Geometry) extends KeystreamGenerator(p) {
  private val pads = Module(new OneTimePadGenerator(p))
  private val blocks = Module(new XtsGenerator(p))

  io.busy := pads.io.busy || blocks.io.busy
  private val job = io.port.job
  pads.io.port.job.valid := job.valid && !job.bits.direct
  blocks.io.port.job.valid := job.valid && job.bits.direct
  job.ready := Mux(job.bits.direct, blocks.io.port.job.ready, pads.io.port.job.ready)
  for (generator <- Seq(pads, blocks)) {
    generator.io.port.job.bits := job.bits
    generator.io.port.ahead := io.port.ahead
    for ((inner, outer) <- generator.io.port.buffer.zip(io.port.buffer)) { inner.data := outer.data }
  }
  for ((outer, inner) <- io.port.buffer.zip(blocks.io.port.buffer)) {
    outer.entry := inner.entry
    outer.aesBlock := inner.aesBlock
  }

  // The top bit of the tag says whose it is
  private val ours = p.cipherTagBits - 1
  private val requests = Seq(pads.io.cipher.request, blocks.io.cipher.request)
  private val directWasLast = RegInit(false.B)
  private val direct = requests(1).valid && !(requests(0).valid && directWasLast)
  io.cipher.request.valid := requests.map(_.valid).reduce(_ || _)
  io.cipher.request.bits := Mux(direct, requests(1).bits, requests(0).bits)
  io.cipher.request.bits.tag := Cat(direct, Mux(direct, requests(1).bits.tag, requests(0).bits.tag)(ours - 1, 0))
  requests(0).ready := io.cipher.request.ready && !direct
  requests(1).ready := io.cipher.request.ready && direct
  when(io.cipher.request.valid && io.cipher.request.ready) { directWasLast := direct }

  private val answerDirect = io.cipher.answer.bits.tag(ours)
  for ((generator, mine) <- Seq((pads, !answerDirect), (blocks, answerDirect))) {
    generator.io.cipher.answer.valid := io.cipher.answer.valid && mine
    generator.io.cipher.answer.bits.block := io.cipher.answer.bits.block
    generator.io.cipher.answer.bits.tag := io.cipher.answer.bits.tag(ours - 1, 0)
  }
  io.port.keystream.valid := pads.io.port.keystream.valid || blocks.io.port.keystream.valid
  io.port.keystream.bits := Mux(
    blocks.io.port.keystream.valid,
    blocks.io.port.keystream.bits,
    pads.io.port.keystream.bits
  )
}
