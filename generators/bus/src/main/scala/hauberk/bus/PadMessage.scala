package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.AesDatapath

/** How members keep each other's counters right, when every tile encrypts for memory itself (section 6.1). */
sealed trait PadCoherence

/** The two ways to keep tiles' counters coherent: invalidate or update. */
object PadCoherence {

  /** The encrypting tile announces the block; the others request the counter when they need it. */
  case object WriteInvalidate extends PadCoherence

  /** The encrypting tile broadcasts the counter. */
  case object WriteUpdate extends PadCoherence
}

/** Tiles encrypt for memory themselves, with a counter for every block in every tile: the perfect sequence number cache of section 7.7.
  *
  * @param blocks     blocks of memory that are encrypted, from the first on
  * @param countBits  width of a block's counter, 8 to 48; one that has come to its end is not used again, and its tile stops
  * @param coherence  [[PadCoherence]]
  * @param aesLatency cycles from a counter to its pad
  * @param aesDatapath what computes the blocks of the cipher
  * @param groups     groups of the bus, each with a key for pads of its own
  */
case class PadParams(
    blocks: Int,
    countBits: Int = 32,
    coherence: PadCoherence = PadCoherence.WriteInvalidate,
    aesLatency: Int = 80,
    aesDatapath: AesDatapath = AesDatapath.Rounds,
    groups: Int = 1
) {
  require(
    isPow2(blocks) && blocks >= 4 && blocks <= (1 << 20),
    s"a counter for each of $blocks blocks: choose a power of two of 4 to ${1 << 20}, and as much memory"
  )
  require(countBits >= 8 && countBits <= 48, s"counters of $countBits bits: choose 8 to 48")
  require(aesLatency >= 16, s"an AES latency of $aesLatency cycles: choose 16 or more")
  val blockBits: Int = log2Ceil(blocks)
  val groupBits: Int = log2Ceil(groups).max(1)
}

/** Messages between tiles about counters: the message types of section 7.1, pad invalidate and pad request, and what they entail. */
object PadMessage {

  /** The sender has encrypted this block: the receivers' counters of it are stale. */
  val invalidate = 0

  /** Request for the block's last encrypting tile and counter. */
  val request = 1

  /** I did, with this counter. */
  val reply = 2

  /** I have encrypted this block, with this counter. */
  val update = 3
  val width = 2

  /** Bits of a message. */
  def bits(p: PadParams): Int = width + p.blockBits + p.countBits
}

/** A message about a pad: its kind, the number of the memory block, and the block's counter. */
class PadMessage(val p: PadParams) extends Bundle {
  val kind = UInt(PadMessage.width.W)
  val block = UInt(p.blockBits.W)
  val count = UInt(p.countBits.W)
}
