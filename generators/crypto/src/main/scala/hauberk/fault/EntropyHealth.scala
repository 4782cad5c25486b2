package hauberk.fault

import chisel3._
import chisel3.util._

/** Limits of the health tests of NIST SP 800-90B section 4.4, of a source whose samples are bits. A source as good as claimed passes a limit with a probability of
  * 2^-falsePositive for a sample (repetition count) or a window (adaptive proportion).
  *
  * @param bitEntropy    claimed min-entropy of a bit
  * @param falsePositive 20 to 40 are recommended
  */
case class EntropyLimits(bitEntropy: Double = 0.75, falsePositive: Int = 40) {
  require(
    bitEntropy <= 1 && bitEntropy * EntropyHealth.wordBits > falsePositive,
    s"with $bitEntropy bits of entropy in a bit, equal words of ${EntropyHealth.wordBits} bits are no failure: claim more than " +
      s"${falsePositive.toDouble / EntropyHealth.wordBits}, and at most 1"
  )

  /** Equal bits in a row that fail (section 4.4.1). */
  val repetitions: Int = 1 + math.ceil(falsePositive / bitEntropy).toInt

  /** Bits of a window, equal to its first, that fail (section 4.4.2): 1 + CRITBINOM(window, 2^-bitEntropy, 1 - 2^-falsePositive). */
  val proportion: Int = {
    val window = EntropyHealth.window
    val p = math.pow(2, -bitEntropy)
    val logFactorial = (1 to window).scanLeft(0.0)((sum, i) => sum + math.log(i))
    def probability(ones: Int): Double = math.exp(
      logFactorial(window) - logFactorial(ones) - logFactorial(window - ones) + ones * math.log(p) +
        (window - ones) * math.log1p(-p)
    )
    val tails =
      (window to 0 by -1).scanLeft(0.0)((tail, ones) => tail + probability(ones)) // of more than `window - index`
    1 + window - (tails.indexWhere(_ > math.pow(2, -falsePositive)) - 1)
  }
}

/** Passes words of a noise source on while the source is healthy, after a start-up test of a whole window (SP 800-90B section 4.3). Takes 64 cycles a
  * word. After a failure no word passes until reset.
  *
  * Beside the repetition count and the adaptive proportion of bits, it fails on a word that equals the one before or the first of its window: so a source that
  * repeats words, whose bits look well, fails. The first word of a window is kept for that, and not passed on; any other is
  * overwritten by the next one of the source.
  */
class EntropyHealth(limits: EntropyLimits) extends Module {
  import EntropyHealth.{window, wordBits}
  val io = IO(new Bundle {
    val source = Flipped(Decoupled(UInt(wordBits.W)))
    val tested = Decoupled(UInt(wordBits.W))
    val failed = Output(Bool())
  })
  private val failed, started, full, drops = RegInit(false.B)
  private val word, first = Reg(UInt(wordBits.W))
  private val any = RegInit(false.B)
  private val left = RegInit(0.U(log2Ceil(wordBits + 1).W))
  private val place = RegInit(0.U(log2Ceil(window).W))
  private val testing = left =/= 0.U

  // A word comes
  io.source.ready := !full && !failed
  when(io.source.valid && io.source.ready) {
    full := true.B
    any := true.B
    word := io.source.bits
    left := wordBits.U
    drops := place === 0.U || !started
    when(place === 0.U) { first := io.source.bits }.elsewhen(io.source.bits === first) { failed := true.B }
    when(any && io.source.bits === word) { failed := true.B }
  }

  // Its bits, the most significant first
  private val bit = word(wordBits - 1)
  private val last, sample = Reg(Bool())
  private val run = RegInit(0.U(log2Ceil(limits.repetitions + 1).W))
  private val count = RegInit(0.U(log2Ceil(window + 1).W))
  private val nextRun = Mux(run =/= 0.U && bit === last, run + 1.U, 1.U)
  private val nextCount = Mux(place === 0.U, 1.U, count + (bit === sample).asUInt)
  when(testing) {
    word := Cat(word(wordBits - 2, 0), bit)
    left := left - 1.U
    last := bit
    run := nextRun
    count := nextCount
    place := place + 1.U
    when(place === 0.U) { sample := bit }
    when(place === (window - 1).U) { started := true.B }
    when(nextRun >= limits.repetitions.U || nextCount >= limits.proportion.U) { failed := true.B }
  }

  // And goes
  private val done = full && !testing
  io.tested.valid := done && !drops && !failed
  io.tested.bits := word
  when(done && (drops || io.tested.ready)) { full := false.B }
  io.failed := failed
}

/** Sizes of the tests. */
object EntropyHealth {
  val wordBits = 64

  /** Bits of a window of the adaptive proportion test, for binary samples. */
  val window = 1024
}
