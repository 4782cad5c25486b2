package hauberk.crypto

import chisel3._
import chisel3.util._

/** Eight bytes of a message for [[Sha256]], the first one most significant. The last word of a message has 0 to 8 of them, on its left; what is right
  * of these does not matter.
  */
class Sha256Word extends Bundle {
  val data = UInt(64.W)
  val last = Bool()

  /** Bytes of the last word, of which more than eight are eight; all others have eight. */
  val bytes = UInt(4.W)
}

/** SHA-256 (FIPS 180-4) of one message after the other, of whole bytes, with the padding that the standard wants.
  *
  * A round a cycle, and two cycles more for each block of 64 bytes: 66 cycles a block. The words of the next block are taken meanwhile. `digest` is valid
  * for one cycle, with the message's first byte of digest most significant, and zero in all others; nothing of the message stays inside then, nor after `abort`, which
  * ends a message without a digest, and drops a word that comes with it: the next is the first of another.
  */
class Sha256 extends Module {
  val io = IO(new Bundle {
    val word = Flipped(Decoupled(new Sha256Word))
    val abort = Input(Bool())
    val digest = Valid(UInt(256.W))
  })

  // Words of a block, with the padding behind the message
  private val message :: marking :: filling :: Nil = Enum(3)
  private val phase = RegInit(message)
  private val length = RegInit(0.U(61.W)) // bytes, for FIPS's 64 bits of bits
  private val block = RegInit(0.U(512.W))
  private val filled = RegInit(0.U(4.W))
  private val isFinal = RegInit(false.B)
  private val full = filled === 8.U
  private val atEnd = filled === 7.U
  private val endsInside = io.word.bits.last && io.word.bits.bytes < 8.U
  private val mark = BigInt(1) << 63

  io.word.ready := phase === message && !full
  private val takes = io.word.valid && io.word.ready
  private val fills = takes || (phase =/= message && !full)
  private val right = io.word.bits.bytes(2, 0) ## 0.U(3.W) // where the message ends in its last word
  private val kept = ~(~0.U(64.W) >> right)
  private val taken = Mux(endsInside, (io.word.bits.data & kept) | (mark.U(64.W) >> right), io.word.bits.data)
  private val padding = Mux(phase === marking, mark.U(64.W), Mux(atEnd, length ## 0.U(3.W), 0.U))
  when(fills) {
    block := block(447, 0) ## Mux(phase === message, taken, padding)
    filled := filled + 1.U
    isFinal := phase === filling && atEnd
  }
  when(takes) {
    length := length + Mux(endsInside, io.word.bits.bytes, 8.U)
    when(io.word.bits.last) { phase := Mux(endsInside, filling, marking) }
  }
  when(fills && phase === marking) { phase := filling }
  when(fills && phase === filling && atEnd) {
    phase := message
    length := 0.U
  }

  // Rounds
  private val hash = RegInit(VecInit(Sha256.initial.map(_.U(32.W))))
  private val state = RegInit(VecInit(Seq.fill(8)(0.U(32.W))))
  private val schedule = RegInit(VecInit(Seq.fill(16)(0.U(32.W))))
  private val round = RegInit(0.U(6.W))
  private val idle :: running :: adding :: Nil = Enum(3)
  private val work = RegInit(idle)
  private val endsMessage = RegInit(false.B)
  private val begins = work === idle && full

  when(begins) {
    work := running
    round := 0.U
    state := hash
    schedule := VecInit((0 until 16).map(i => block(511 - 32 * i, 480 - 32 * i)))
    endsMessage := isFinal
    filled := 0.U
    block := 0.U
  }
  when(work === running) {
    state := Sha256.round(state, VecInit(Sha256.constants.map(_.U(32.W)))(round), schedule(0))
    schedule := VecInit(schedule.tail :+ Sha256.next(schedule))
    round := round + 1.U
    when(round === 63.U) { work := adding }
  }
  private val sum = VecInit(hash.zip(state).map { case (old, now) => old + now })
  private val done = work === adding && endsMessage && !io.abort
  when(work === adding) {
    work := idle
    hash := Mux(endsMessage, VecInit(Sha256.initial.map(_.U(32.W))), sum)
    Seq(state, schedule).foreach(_.foreach(_ := 0.U))
  }
  when(io.abort) {
    phase := message
    Seq(length, block, filled).foreach(_ := 0.U)
    isFinal := false.B
    work := idle
    hash := VecInit(Sha256.initial.map(_.U(32.W)))
    Seq(state, schedule).foreach(_.foreach(_ := 0.U))
  }
  io.digest.valid := done
  io.digest.bits := Mux(done, Cat(sum), 0.U)
}

/** The functions and constants of FIPS 180-4. */
private object Sha256 {

  /** The first 32 bits of the fractional part of a root of a prime, as the standard defines its constants. */
  private def fraction(prime: Int, root: Int): BigInt = {
    val scaled = BigInt(prime) << 32 * root
    // The largest number whose power is not above
    val bits = (0 to 40).reverse.foldLeft(BigInt(0)) { (found, bit) =>
      val more = found.setBit(bit)
      if (more.pow(root) <= scaled) more else found
    }
    bits & 0xffffffffL
  }
  private val primes = Iterator.from(2).filter(n => (2 until n).forall(n % _ != 0)).take(64).toList
  val initial: Seq[BigInt] = primes.take(8).map(fraction(_, 2))
  val constants: Seq[BigInt] = primes.map(fraction(_, 3))

  private def rotated(word: UInt, places: Int*): UInt =
    places.map(n => word(n - 1, 0) ## word(31, n)).reduce(_ ^ _)

  /** One round of the compression function. */
  def round(state: Seq[UInt], constant: UInt, word: UInt): Vec[UInt] = {
    val Seq(a, b, c, d, e, f, g, h) = state
    val choice = (e & f) ^ (~e & g)
    val majority = (a & b) ^ (a & c) ^ (b & c)
    val first = h + rotated(e, 6, 11, 25) + choice + constant + word
    val second = rotated(a, 2, 13, 22) + majority
    VecInit(Seq(first + second, a, b, c, d + first, e, f, g))
  }

  /** The word that comes sixteen places behind the first of these. */
  def next(words: Seq[UInt]): UInt = {
    def small(word: UInt, one: Int, other: Int, shift: Int) = rotated(word, one, other) ^ (word >> shift)
    small(words(14), 17, 19, 10) + words(9) + small(words(1), 7, 18, 3) + words(0)
  }
}
