package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.{AesInput, Geometry}

/** One-time pads, some of which are made ahead, for blocks and counters that are expected to be asked for (Nagarajan et al., section 3). When a read asks for
  * the keystream of what was expected, the pads that are there are given at once, an AES block a cycle, and the others as they come. Else it is served like any
  * other job. Pads stay until others take their place, for reads of the same block under the same counter. A pad
  * is a function of block, counter and key, which are compared, so a wrong expectation costs time and nothing else. Pads are forgotten with their key.
  *
  * Jobs have the cipher first. A new expectation takes the place of an old one that nobody asked for; if there is no place, it is dropped.
  */
class ExpectedPadGenerator(p: Geometry) extends KeystreamGenerator(p) {
  private val n = p.expectedPads
  private val aesBlockBits = p.aesBlockBits
  private val slotBits = math.max(1, log2Ceil(n))
  private val kind = p.cipherTagBits - 1 // of the tag: an expectation's, not a job's
  require(
    slotBits + aesBlockBits <= kind,
    s"tags of ${p.cipherTagBits} bits do not tell $n expected pads apart: expect fewer"
  )

  // Expectations
  private def flags = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val live, confirmed, stale = flags // stale: the key has gone since the pads were begun
  private val expected = Reg(Vec(n, new ExpectedKeystream(p)))
  private val started, answered = RegInit(VecInit(Seq.fill(n)(0.U((aesBlockBits + 1).W))))
  private val entry = Reg(Vec(n, UInt(p.entryBits.W)))
  private val handed, last = Reg(Vec(n, UInt(aesBlockBits.W)))
  private val pads = Mem(n * p.aesBlocks, UInt(128.W))
  private def padAt(i: UInt, aesBlock: UInt): UInt = if (p.aesBlocks == 1) i else Cat(i, aesBlock)
  private def loses(i: Int): Bool = !io.usable.get(expected(i).key)
  private def is(i: Int, block: UInt, counter: UInt, key: UInt): Bool =
    live(i) && !stale(i) && !loses(i) && expected(i).block === block && expected(i).counter === counter && expected(
      i
    ).key === key

  // Jobs: one that is expected never comes to the cipher a second time
  private val asked = io.port.job
  private val hits = VecInit((0 until n).map { i =>
    !asked.bits.write && !confirmed(i) && is(i, asked.bits.block, asked.bits.counter, asked.bits.key)
  })
  private val at = OHToUInt(PriorityEncoderOH(hits.asUInt))
  private val fits = hits.asUInt.orR
  private val jobs = Module(new OneTimePadGenerator(p))
  jobs.io.port.ahead := io.port.ahead
  for ((inner, outer) <- jobs.io.port.expected.zip(io.port.expected)) { inner := outer }
  for ((inner, outer) <- jobs.io.usable.zip(io.usable)) { inner := outer }
  jobs.io.port.job.valid := asked.valid && !fits
  jobs.io.port.job.bits := asked.bits
  asked.ready := fits || jobs.io.port.job.ready
  private val confirms = asked.valid && fits
  io.right := confirms
  io.wrong := asked.valid && asked.ready && !asked.bits.write && !fits

  // A new expectation, in turn; it may go to the cipher at once
  private val port = io.port.expected.get
  private val isKnown =
    VecInit((0 until n).map(i => is(i, port.bits.block, port.bits.counter, port.bits.key))).asUInt.orR
  private val turn = RegInit(0.U(slotBits.W))
  private val wants = (0 until n).map(i => live(i) && started(i) =/= p.aesBlocks.U)
  private val anyWants = wants.reduce(_ || _)
  // Those that a read waits for go first, so that a stream of hints cannot keep it waiting
  private val awaits = wants.zip(confirmed).map { case (want, waited) => want && waited }
  private val next = Mux(awaits.reduce(_ || _), PriorityEncoder(awaits), PriorityEncoder(wants))
  private val isFree = !confirmed(turn) && started(turn) === answered(turn) && !(anyWants && next === turn)
  private val takes = port.valid && !isKnown && isFree && !(confirms && at === turn)
  when(port.valid && !isKnown) { turn := Mux(turn === (n - 1).U, 0.U, turn + 1.U) }

  // To the cipher
  private val job = jobs.io.cipher.request
  private val chosen = Mux(anyWants, next, turn)
  private val ahead = Mux(anyWants, expected(chosen), port.bits)
  private val aheadBlock = Mux(anyWants, started(chosen)(aesBlockBits - 1, 0), 0.U)
  private val request = io.cipher.request
  private val isAhead = !job.valid
  request.valid := job.valid || anyWants || takes
  request.bits := job.bits
  request.bits.tag := job.bits.tag(kind - 1, 0)
  when(isAhead) {
    request.bits.block := AesInput(AesInput.dataPad, p, ahead.block, ahead.counter, aheadBlock)
    request.bits.slot := ahead.key
    request.bits.tag := Cat(1.U(1.W), Cat(chosen(slotBits - 1, 0), aheadBlock) + 0.U(kind.W))
  }
  job.ready := request.ready
  io.begun := jobs.io.begun
  private val goesAhead = request.valid && request.ready && isAhead

  // From the cipher
  private val answer = io.cipher.answer
  private val comesAhead = answer.valid && answer.bits.tag(kind)
  private val answerBlock = answer.bits.tag(aesBlockBits - 1, 0)
  private val answerSlot = answer.bits.tag(slotBits + aesBlockBits - 1, aesBlockBits)
  private val bits = MemoryOrder.reversed(answer.bits.block)
  when(comesAhead) { pads.write(padAt(answerSlot, answerBlock), bits) }
  jobs.io.cipher.answer.valid := answer.valid && !answer.bits.tag(kind)
  jobs.io.cipher.answer.bits.block := answer.bits.block
  jobs.io.cipher.answer.bits.tag := answer.bits.tag(kind - 1, 0)
  private val made = jobs.io.port.keystream

  // To the reads: answers to jobs, which cannot wait; a pad that a read waits for; pads that are there, also those of a read that asks in this cycle
  private val awaited = comesAhead && live(answerSlot) && confirmed(answerSlot) && handed(answerSlot) === answerBlock
  private val ripe = (0 until n).map(i => live(i) && confirmed(i) && answered(i) > handed(i))
  private val anyRipe = ripe.reduce(_ || _)
  private val atOnce = confirms && !anyRipe && !awaited && answered(at) > asked.bits.first
  private val gives = !made.valid && (awaited || anyRipe || atOnce)
  private val giver = Mux(awaited, answerSlot, Mux(anyRipe, PriorityEncoder(ripe), at))
  private val giverBlock = Mux(atOnce, asked.bits.first, handed(giver))
  private val out = io.port.keystream
  out.valid := made.valid || gives
  out.bits := made.bits
  when(!made.valid) {
    out.bits.entry := Mux(atOnce, asked.bits.entry, entry(giver))
    out.bits.aesBlock := giverBlock
    out.bits.bits := Mux(awaited, bits, pads.read(padAt(giver, giverBlock)))
  }

  for (i <- 0 until n) {
    val startsNow = goesAhead && chosen === i.U
    val answersNow = comesAhead && answerSlot === i.U
    when(startsNow) { started(i) := started(i) + 1.U }
    when(answersNow) { answered(i) := answered(i) + 1.U }
    when(confirms && at === i.U) {
      confirmed(i) := true.B
      entry(i) := asked.bits.entry
      handed(i) := asked.bits.first
      last(i) := asked.bits.last
    }
    when(gives && giver === i.U) {
      handed(i) := giverBlock + 1.U
      // The pads stay: the next read of the block probably has the same counter
      when(giverBlock === Mux(atOnce, asked.bits.last, last(i))) { confirmed(i) := false.B }
    }
    // A read that waits for pads when their key goes is denied, with whatever it is given; nobody gets them afterwards
    when(loses(i)) { stale(i) := true.B }
    when((loses(i) || stale(i)) && !confirmed(i) && !(confirms && at === i.U)) { live(i) := false.B }
    when(takes && turn === i.U) {
      live(i) := true.B
      stale(i) := false.B
      expected(i) := port.bits
      started(i) := startsNow
      answered(i) := 0.U
    }
  }
  private val waits = (0 until n).map(i => wants(i) || confirmed(i) || started(i) =/= answered(i))
  io.busy := jobs.io.busy || waits.reduce(_ || _)
  io.port.buffer <> jobs.io.port.buffer
}
