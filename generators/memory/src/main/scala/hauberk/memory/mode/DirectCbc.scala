package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.{AesInput, Geometry}

/** Direct encryption, AEGIS section 6.2 (the scheme of XOM): cipher block chaining within a block,
  * EB[i] = AES_K(B[i] XOR EB[i-1]). EB[0] is an initial vector; what is stored of it is the block's counter, and the vector itself is
  * AES_K(domain, engine, block, counter, 0), which is unpredictable without the key (SP 800-38A, appendix C).
  *
  * @param jobs blocks whose chains are worked on at the same time, interleaved in one cipher
  */
case class DirectCbc(jobs: Int = 8) extends Mode {
  require(jobs > 0, s"jobs is $jobs: at least one block must be worked on at a time")
  val name = "direct CBC"
  val code = 2
  val wholeBlocks, decrypts = true
  def needsData(direct: Bool): Bool = true.B
}

/** A read decrypts its AES blocks one a cycle behind its initial vector; a write encrypts each when the one before is done. As the keystream of
  * the engine's XOR, a read gets D(EB[i]) XOR EB[i-1] XOR EB[i], and a write gets EB[i] XOR B[i].
  */
class DirectCbcGenerator(p: Geometry, jobs: Int) extends KeystreamGenerator(p) {
  private val aesBlockBits = log2Ceil(p.aesBlocks)
  private val jobBits = log2Ceil(math.max(2, jobs))

  private val request = io.cipher.request
  private val answer = io.cipher.answer
  private val busy = RegInit(VecInit(Seq.fill(jobs)(false.B)))
  private val job = Reg(Vec(jobs, new KeystreamJob(p)))
  private val vectorAsked = Reg(Vec(jobs, Bool()))
  // Read: AES blocks not yet asked for. Write: the next may start.
  private val asking = Reg(Vec(jobs, Bool()))
  private val next = Reg(Vec(jobs, UInt(aesBlockBits.W)))
  private val chain = Reg(Vec(jobs, UInt(128.W)))

  io.busy := busy.reduce(_ || _)
  private val free = PriorityEncoder(busy.map(b => !b))
  io.port.job.ready := !busy.reduce(_ && _)
  when(io.port.job.valid && io.port.job.ready) {
    busy(free) := true.B
    job(free) := io.port.job.bits
    vectorAsked(free) := false.B
    asking(free) := !io.port.job.bits.write
    next(free) := 0.U
  }

  // One request a cycle, from each job in turn.
  private val wants = VecInit((0 until jobs).map(i => busy(i) && (!vectorAsked(i) || asking(i))))
  private val lastServed = RegInit(0.U(jobBits.W))
  private val later = VecInit((0 until jobs).map(i => wants(i) && i.U > lastServed))
  private val chosen = Mux(later.reduce(_ || _), PriorityEncoder(later), PriorityEncoder(wants))
  private val current = job(chosen)
  private val forVector = !vectorAsked(chosen)
  private val blockIn = MemoryOrder.reversed(io.port.buffer(0).data)
  io.port.buffer(0).entry := current.entry
  io.port.buffer(0).aesBlock := next(chosen)

  request.valid := wants.reduce(_ || _)
  request.bits.block := Mux(
    forVector,
    AesInput(AesInput.initialVector, p, current.block, current.counter, 0.U(aesBlockBits.W)),
    Mux(current.write, blockIn ^ chain(chosen), blockIn)
  )
  request.bits.slot := current.key
  request.bits.tweak := false.B
  request.bits.decrypt := !forVector && !current.write
  request.bits.tag := Cat(pad(chosen, jobBits), next(chosen), forVector)
  private val started = request.valid && request.ready
  when(started) {
    lastServed := chosen
    when(forVector) {
      vectorAsked(chosen) := true.B
    }.otherwise {
      next(chosen) := next(chosen) + 1.U
      asking(chosen) := !current.write && next(chosen) =/= (p.aesBlocks - 1).U
    }
  }

  // Results come in the order of their requests, so a read's vector is there before its first AES block.
  private val tag = answer.bits.tag
  private val done = tag(aesBlockBits + jobBits, aesBlockBits + 1)
  private val aesBlock = tag(aesBlockBits, 1)
  private val result = answer.bits.block
  private val isVector = tag(0)
  private val finished = job(done)
  private val here = MemoryOrder.reversed(io.port.buffer(1).data)
  private val before = Mux(aesBlock === 0.U, chain(done), MemoryOrder.reversed(io.port.buffer(2).data))
  io.port.buffer(1).entry := finished.entry
  io.port.buffer(1).aesBlock := aesBlock
  io.port.buffer(2).entry := finished.entry
  io.port.buffer(2).aesBlock := aesBlock - 1.U
  when(answer.valid) {
    when(isVector) {
      chain(done) := result
      when(finished.write) { asking(done) := true.B }
    }.otherwise {
      when(finished.write) {
        chain(done) := result
        asking(done) := aesBlock =/= (p.aesBlocks - 1).U
      }
      when(aesBlock === (p.aesBlocks - 1).U) { busy(done) := false.B }
    }
  }
  io.port.keystream.valid := answer.valid && !isVector
  io.port.keystream.bits.entry := finished.entry
  io.port.keystream.bits.aesBlock := aesBlock
  io.port.keystream.bits.bits := MemoryOrder.reversed(result ^ here ^ Mux(finished.write, 0.U, before))

  private def pad(value: UInt, width: Int): UInt = (value + 0.U(width.W))(width - 1, 0)
}
