package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.crypto.MemoryOrder
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.cipher.{CipherPort, XtsTweak}
import hauberk.memory.cache.{LeavingLine, LineGuard, LineGuardIO}

/** Ports of a [[SpillGuard]]. */
class SpillGuardIO(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuardIO(p, mshrs, lineBits) {
  val cipher = new CipherPort(p)
}

/** Hides the lines of a [[LineCache]] in memory: sequence numbers are encrypted directly when they are spilled (Yang section 4.1), by
  * XTS-AES under the dynamic key with the line as its data unit, and decrypted when they are fetched (algorithm 1, line 3). It authenticates nothing: whatever
  * memory answers is released, and settled at once. 512 zero bits in memory stand for a line of zeros, so that memory can be prepared
  * without a key.
  *
  * The tweak of a fetch is made while memory works. A line that comes back is released `p.cipher.latency` cycles and one an AES block
  * later, if the cipher is free and memory slower than it. Lines are kept here meanwhile, and memory is never held up. A line that leaves
  * takes twice the latency and one cycle an AES block, when the cipher has nothing else to do.
  */
class SpillGuard(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuard(p) {
  val io = IO(new SpillGuardIO(p, mshrs, lineBits))
  private val aesBlockBits = log2Ceil(p.aesBlocks)
  private val missBits = math.max(1, log2Ceil(mshrs))
  private val dataBits = p.bank.blockBytes * 8
  require(
    p.cipherTagBits >= 2 + missBits + aesBlockBits,
    s"tags of ${p.cipherTagBits} bits do not tell $mshrs MSHRs of ${p.aesBlocks} AES blocks apart: make mshrs smaller"
  )
  private def aesBlockOf(line: UInt, aesBlock: UInt): UInt =
    VecInit((0 until p.aesBlocks).map(i => line(128 * i + 127, 128 * i)))(aesBlock)
  private val places = math.max(2, mshrs)
  private def flags = RegInit(VecInit(Seq.fill(places)(false.B)))

  // Fetches
  private val opened = io.cache.opened
  private val fetched = io.cache.fetched
  private val wantsTweak, hasTweak, hasData, isZero = flags
  private val lines = Reg(Vec(places, UInt(lineBits.W)))
  private val tweaks = Reg(Vec(places, UInt(128.W)))
  private val data = Reg(Vec(places, UInt(dataBits.W)))
  when(opened.valid) {
    wantsTweak(opened.bits.miss) := true.B
    hasTweak(opened.bits.miss) := false.B
    hasData(opened.bits.miss) := false.B
    lines(opened.bits.miss) := opened.bits.line
  }
  fetched.ready := true.B
  when(fetched.valid) {
    hasData(fetched.bits.miss) := true.B
    isZero(fetched.bits.miss) := !fetched.bits.data.orR
    data(fetched.bits.miss) := fetched.bits.data
  }
  private val tweakFor = PriorityEncoder(wantsTweak)
  private val whole = VecInit((0 until places).map(i => hasData(i) && hasTweak(i)))
  private val ripe = VecInit((0 until places).map(i => whole(i) && !isZero(i)))
  private val zeros = VecInit((0 until places).map(i => whole(i) && isZero(i)))
  private val opens = ripe.asUInt.orR
  // A line, once begun, is finished
  private val openAesBlock = RegInit(0.U(aesBlockBits.W))
  private val begun = Reg(UInt(missBits.W))
  private val current = Mux(openAesBlock === 0.U, PriorityEncoder(ripe), begun)

  // Spills, one at a time
  private val idle :: askTweak :: waitTweak :: encrypt :: collect :: Nil = Enum(5)
  private val spill = RegInit(idle)
  private val spilled = Reg(new LeavingLine(lineBits, dataBits))
  private val spillTweak = Reg(UInt(128.W))
  private val spillAesBlock = RegInit(0.U(aesBlockBits.W))
  io.cache.seal.ready := spill === idle
  when(spill === idle && io.cache.seal.valid) {
    spill := askTweak
    spilled := io.cache.seal.bits
  }

  // The cipher: fetches before spills, tweaks before their users
  private val makesTweak = wantsTweak.asUInt.orR
  private val opensNow = !makesTweak && opens
  private val spillsTweak = !makesTweak && !opens && spill === askTweak
  private val spillsAesBlock = !makesTweak && !opens && spill === encrypt
  private val request = io.cipher.request
  private val tweakLine = Mux(makesTweak, lines(tweakFor), spilled.line)
  private val openInput =
    aesBlockOf(data(current), openAesBlock) ^ XtsTweak.powers(tweaks(current), p.aesBlocks)(openAesBlock)
  private val spillInput =
    aesBlockOf(spilled.data, spillAesBlock) ^ XtsTweak.powers(spillTweak, p.aesBlocks)(spillAesBlock)
  private val isTweak = makesTweak || spillsTweak
  request.valid := makesTweak || opens || spillsTweak || spillsAesBlock
  request.bits.block := MemoryOrder.reversed(
    Mux(isTweak, XtsTweak.line(p, tweakLine), Mux(opensNow, openInput, spillInput))
  )
  request.bits.slot := KeySlot.dynamic.U
  request.bits.tweak := isTweak
  request.bits.decrypt := opensNow
  request.bits.tag := Cat(
    Mux(makesTweak, tweakFor, current) + 0.U(missBits.W),
    Mux(opensNow, openAesBlock, spillAesBlock),
    makesTweak || opensNow,
    isTweak
  )
  private val lastAesBlock = (p.aesBlocks - 1).U
  when(request.ready) {
    when(makesTweak) { wantsTweak(tweakFor) := false.B }
    when(opensNow) {
      openAesBlock := openAesBlock + 1.U
      begun := current
      when(openAesBlock === lastAesBlock) { hasData(current) := false.B }
    }
    when(spillsTweak) { spill := waitTweak }
    when(spillsAesBlock) {
      spillAesBlock := spillAesBlock + 1.U
      when(spillAesBlock === lastAesBlock) { spill := collect }
    }
  }

  // Answers, in the order of requests: AES blocks of two lines fetched never mix
  private val answer = io.cipher.answer
  private val answersTweak = answer.bits.tag(0)
  private val answersFetch = answer.bits.tag(1)
  private val aesBlock = answer.bits.tag(aesBlockBits + 1, 2)
  private val miss = answer.bits.tag(aesBlockBits + 1 + missBits, aesBlockBits + 2)
  private val bits = MemoryOrder.reversed(answer.bits.block)
  private val clear = bits ^ XtsTweak.powers(Mux(answersFetch, tweaks(miss), spillTweak), p.aesBlocks)(aesBlock)
  private val plain = Reg(Vec(p.aesBlocks - 1, UInt(128.W)))
  private val sealedAesBlocks = Reg(Vec(p.aesBlocks - 1, UInt(128.W)))
  private val spillDone = answer.valid && !answersTweak && !answersFetch && aesBlock === lastAesBlock
  private val openDone = answer.valid && !answersTweak && answersFetch && aesBlock === lastAesBlock
  when(answer.valid) {
    when(answersTweak && answersFetch) {
      tweaks(miss) := bits
      hasTweak(miss) := true.B
    }
    when(answersTweak && !answersFetch) {
      spillTweak := bits
      spill := encrypt
    }
    when(!answersTweak && aesBlock =/= lastAesBlock) {
      when(answersFetch) { plain(aesBlock) := clear }.otherwise { sealedAesBlocks(aesBlock) := clear }
    }
    when(spillDone) { spill := idle }
  }
  io.busy := spill =/= idle || (wantsTweak.asUInt | hasData.asUInt).orR || openAesBlock =/= 0.U
  io.cache.sealedLine.valid := spillDone
  io.cache.sealedLine.bits := Cat(clear, sealedAesBlocks.asUInt)

  private val zero = PriorityEncoder(zeros)
  private val releases = openDone || zeros.asUInt.orR
  io.cache.released.valid := releases
  io.cache.released.bits.miss := Mux(openDone, miss, zero)
  io.cache.released.bits.data := Mux(openDone, Cat(clear, plain.asUInt), 0.U)
  io.cache.settled.valid := releases
  io.cache.settled.bits.miss := io.cache.released.bits.miss
  io.cache.settled.bits.ok := true.B
  when(releases && !openDone) { hasData(zero) := false.B }
}
