package hauberk.crypto

/** Which way an AES core goes. `Both` takes the direction from each request. */
sealed trait AesDirection {
  def encrypts: Boolean = this != AesDirection.Decrypt
  def decrypts: Boolean = this != AesDirection.Encrypt
}

/** The directions a cipher can have in hardware. */
object AesDirection {

  /** The forward cipher only. */
  case object Encrypt extends AesDirection

  /** The inverse cipher only. */
  case object Decrypt extends AesDirection

  /** Both ciphers in one module; each request chooses. */
  case object Both extends AesDirection
}

/** How the rounds of AES are laid out in time. */
sealed trait AesArchitecture

/** The layouts: one round used again, a pipeline of all rounds, or a ring of some. */
object AesArchitecture {

  /** One round of hardware, one round per cycle, one block at a time. */
  case object Iterative extends AesArchitecture

  /** Every round in hardware, a block taken every cycle.
    *
    * @param roundsPerStage rounds between two ranks of registers, 1 to the number of rounds
    */
  case class Pipelined(roundsPerStage: Int = 1) extends AesArchitecture

  /** A part of the rounds in hardware, one between two ranks of registers, around which each block goes several times: a block taken in one of
    * `passes` cycles, with the latency of a pipeline and about one in `passes` of its area.
    *
    * @param passes 2 to the number of rounds
    */
  case class Folded(passes: Int) extends AesArchitecture
}

/** How an S-box is written down. */
sealed trait SBoxStyle

/** The two forms of an S-box: a table or a circuit of gates. */
object SBoxStyle {

  /** A table of 256 bytes: the right form for the look-up tables and ROMs of an FPGA. */
  case object Table extends SBoxStyle

  /** The 113-gate circuit of Boyar and Peralta: the right form for standard cells. */
  case object BoyarPeralta extends SBoxStyle
}

/** Parameters of an AES core (FIPS-197).
  *
  * @param keyBits 128, 192 or 256
  * @param direction Encrypt, Decrypt, or Both (chosen by each request)
  * @param architecture Iterative, Pipelined with a number of rounds per stage, or Folded with a number of passes
  * @param sBox Table or BoyarPeralta
  * @param extraLatency cycles added: the first before the first round, where a register shortens the paths of what makes requests; the others
  *                     behind the last round, to model a slower cipher (the papers assume 40 to 102 in all)
  * @param tagBits width of the requester's tag that comes back with the block, 0 for none
  * @param gated the clock of a cipher's core stops while it is empty ([[GatedAesCore]])
  * @param datapath Rounds in hardware, or a Model of them in C++, which only a simulator can have
  */
case class AesParams(
    keyBits: Int = 128,
    direction: AesDirection = AesDirection.Encrypt,
    architecture: AesArchitecture = AesArchitecture.Pipelined(1),
    sBox: SBoxStyle = SBoxStyle.BoyarPeralta,
    extraLatency: Int = 0,
    tagBits: Int = 0,
    gated: Boolean = false,
    datapath: AesDatapath = AesDatapath.Rounds
) {
  require(
    Set(128, 192, 256).contains(keyBits),
    s"AES has no keys of $keyBits bits: set keyBits to 128, 192 or 256"
  )
  require(
    extraLatency >= 0 && extraLatency <= 1024,
    s"extraLatency is $extraLatency: choose 0 to 1024 cycles to add to the rounds"
  )
  require(tagBits >= 0, s"tagBits is $tagBits: choose 0 (no tag) or more")

  /** Rounds of the cipher: 10, 12 or 14. */
  val rounds: Int = keyBits / 32 + 6

  architecture match {
    case AesArchitecture.Pipelined(roundsPerStage) =>
      require(
        roundsPerStage >= 1 && roundsPerStage <= rounds,
        s"roundsPerStage is $roundsPerStage: AES-$keyBits has $rounds rounds, choose 1 to $rounds for a pipeline stage"
      )
    case AesArchitecture.Folded(passes) =>
      require(
        passes >= 2 && passes <= rounds,
        s"$passes passes cannot be: AES-$keyBits has $rounds rounds, choose 2 to $rounds passes, or a pipeline"
      )
    case AesArchitecture.Iterative =>
  }

  /** Ranks of state registers a block passes, without the extra latency. */
  val stages: Int = architecture match {
    case AesArchitecture.Iterative => rounds
    case AesArchitecture.Pipelined(roundsPerStage) => (rounds + roundsPerStage - 1) / roundsPerStage
    case _: AesArchitecture.Folded => rounds
  }

  /** Ranks of registers in hardware. */
  val ranks: Int = architecture match {
    case AesArchitecture.Iterative => 1
    case _: AesArchitecture.Pipelined => stages
    case AesArchitecture.Folded(passes) => (rounds + passes - 1) / passes
  }

  /** Cycles from the clock edge that takes a block to the edge at which its result can be sampled, without back-pressure. */
  val latency: Int = stages + extraLatency

  /** Blocks taken per cycle when requests and responses never wait. */
  val blocksPerCycle: Double = architecture match {
    case AesArchitecture.Iterative => 1.0 / rounds
    case _: AesArchitecture.Pipelined => 1.0
    // A place comes round when it has passed every rank as often as a block needs
    case _: AesArchitecture.Folded => 1.0 / ((rounds + ranks - 1) / ranks)
  }

  /** These parameters with `extraLatency` such that `latency` is `total`. */
  def withLatency(total: Int): AesParams = {
    require(total >= stages, s"a latency of $total is below the $stages cycles the rounds take: choose $stages or more")
    copy(extraLatency = total - stages)
  }
}
