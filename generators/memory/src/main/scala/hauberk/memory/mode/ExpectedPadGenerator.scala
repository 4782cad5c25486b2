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
  private val tagBits = math.max(p.entryBits, slotBits)
  require(
    tagBits + aesBlockBits + 1 <= p.cipherTagBits,
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
  private val jobs = Module(new Queue(new KeystreamJob(p), 2, pipe = false, flow = true))
  jobs.io.enq.valid := asked.valid && !fits
  jobs.io.enq.bits := asked.bits
  asked.ready := fits || jobs.io.enq.ready
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
  private val job = jobs.io.deq
  private val offset = RegInit(0.U(aesBlockBits.W))
  private val jobBlock = job.bits.first + offset
  private val jobEnds = jobBlock === job.bits.last
  private val chosen = Mux(anyWants, next, turn)
  private val ahead = Mux(anyWants, expected(chosen), port.bits)
  private val aheadBlock = Mux(anyWants, started(chosen)(aesBlockBits - 1, 0), 0.U)
  private val request = io.cipher.request
  private val fires = request.valid && request.ready
  request.valid := job.valid || anyWants || takes
  request.bits.block := AesInput(
    AesInput.dataPad,
    p,
    Mux(job.valid, job.bits.block, ahead.block),
    Mux(job.valid, job.bits.counter, ahead.counter),
    Mux(job.valid, jobBlock, aheadBlock)
  )
  request.bits.slot := Mux(job.valid, job.bits.key, ahead.key)
  request.bits.tweak := false.B
  request.bits.decrypt := false.B
  private def tag(isAhead: Bool, number: UInt, aesBlock: UInt) = Cat(isAhead, number + 0.U(tagBits.W), aesBlock)
  request.bits.tag := Mux(job.valid, tag(false.B, job.bits.entry, jobBlock), tag(true.B, chosen, aheadBlock))
  job.ready := request.ready && jobEnds
  io.begun := offset =/= 0.U
  when(fires && job.valid) { offset := Mux(jobEnds, 0.U, offset + 1.U) }
  private val goesAhead = fires && !job.valid

  // From the cipher
  private val answer = io.cipher.answer
  private val answerBlock = answer.bits.tag(aesBlockBits - 1, 0)
  private val answerNumber = answer.bits.tag(tagBits + aesBlockBits - 1, aesBlockBits)
  private val isAhead = answer.bits.tag(tagBits + aesBlockBits)
  private val answerSlot = answerNumber(slotBits - 1, 0)
  private val bits = MemoryOrder.reversed(answer.bits.block)
  private val comesAhead = answer.valid && isAhead
  private val comesNow = answer.valid && !isAhead
  when(comesAhead) { pads.write(padAt(answerSlot, answerBlock), bits) }

  // To the reads: answers to jobs, which cannot wait; a pad that a read waits for; pads that are there, also those of a read that asks in this cycle
  private val awaited = comesAhead && live(answerSlot) && confirmed(answerSlot) && handed(answerSlot) === answerBlock
  private val ripe = (0 until n).map(i => live(i) && confirmed(i) && answered(i) > handed(i))
  private val anyRipe = ripe.reduce(_ || _)
  private val atOnce = confirms && !anyRipe && !awaited && answered(at) > asked.bits.first
  private val gives = !comesNow && (awaited || anyRipe || atOnce)
  private val giver = Mux(awaited, answerSlot, Mux(anyRipe, PriorityEncoder(ripe), at))
  private val giverBlock = Mux(atOnce, asked.bits.first, handed(giver))
  private val out = io.port.keystream
  out.valid := comesNow || gives
  out.bits.entry := Mux(comesNow, answerNumber, Mux(atOnce, asked.bits.entry, entry(giver)))
  out.bits.aesBlock := Mux(comesNow, answerBlock, giverBlock)
  out.bits.bits := Mux(comesNow || awaited, bits, pads.read(padAt(giver, giverBlock)))

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
  io.busy := job.valid || waits.reduce(_ || _)
  for (port <- io.port.buffer) {
    port.entry := 0.U
    port.aesBlock := 0.U
  }
}
