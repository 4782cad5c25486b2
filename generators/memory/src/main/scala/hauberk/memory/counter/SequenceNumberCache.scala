package hauberk.memory.counter

import chisel3._
import chisel3.util.isPow2
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.{Geometry, MetadataCacheParams}

/** The counter store of Yang et al. (MICRO 2003): a large on-chip cache of sequence numbers, the SNC, one number a block.
  *
  * A number is the value of one counter, TIMER, which is on the chip and is incremented at every write that takes a number. The paper adds
  * the system's time to the block's number before (equation 4); here the number before has no part in it, so that pads stay unique even if
  * memory gives back an old number. Number 0 is never given to a write: the pad of such a block is made of its address alone, under the
  * static key (section 3.4.1: instructions, and other unwritten blocks).
  *
  * Numbers are held and replaced in lines of as many as fit a block, neighbours together, where the paper replaces single numbers.
  *
  * @param bytes        size of the cache; the paper measures 32, 64 and 128 KB
  * @param ways         associativity; as many as lines for a fully associative cache
  * @param replaces     with replacement (tree pseudo-LRU): victims are encrypted directly and spilled to memory. Without: numbers stay where
  *                     they are, and blocks that find no room are encrypted directly, which needs a mode that can, [[PadOrDirect]]
  * @param mshrs       line fetches that may be outstanding
  * @param numberBits   width of TIMER; at its largest value the next write raises the alarm and halts the engine
  * @param writtenLines without replacement: lines of the cache of the "was written" bits, each for 8 * blockBytes blocks
  */
case class SequenceNumberCache(
    bytes: Int = 64 * 1024,
    ways: Int = 32,
    replaces: Boolean = true,
    mshrs: Int = 4,
    numberBits: Int = 32,
    writtenLines: Int = 8
) extends CounterStoreParams {
  require(
    numberBits >= 2 && numberBits <= SequenceNumberCache.storedBits,
    s"numberBits is $numberBits: a sequence number has 2 to ${SequenceNumberCache.storedBits} bits"
  )
  require(ways > 0, s"a sequence number cache of $ways ways holds nothing: choose 1 or more")

  val name: String = if (replaces) "a sequence number cache" else "a sequence number cache without replacement"
  val counterBits: Int = numberBits
  override val lineFormat: String = if (replaces) "spilled" else "written bits"
  def countersPerLine(blockBytes: Int): Int = if (replaces) numbersPerLine(blockBytes) else blockBytes * 8
  def numbersPerLine(blockBytes: Int): Int = blockBytes * 8 / SequenceNumberCache.storedBits
  val reencrypts, trustsMemory, leavesRoomForMac = false
  override def resize(bytes: Int, ways: Int): Option[CounterStoreParams] =
    Some(copy(bytes = bytes, ways = if (ways == 0) bytes / MetadataCacheParams.lineBytes else ways))

  /** Without replacement some blocks never get a number. */
  override def isFresh: Boolean = replaces
  override def usesTweakKeys: Boolean = replaces
  override def decrypts: Boolean = replaces
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    mshrs + MetadataCacheParams.writebacks
  override def cipherPorts(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int = if (replaces) 1 else 0

  /** Sets of a cache of this size, with lines of `blockBytes`. */
  def sets(blockBytes: Int): Int = {
    require(
      bytes % (blockBytes * ways) == 0 && isPow2(bytes / (blockBytes * ways)),
      s"a sequence number cache of $bytes bytes in $ways ways has no power-of-two number of sets of $blockBytes-byte lines: change ways"
    )
    bytes / (blockBytes * ways)
  }
}

/** The stored width, and the paper's fully associative form. */
object SequenceNumberCache {

  /** Bits of a number in the cache and in memory. */
  val storedBits = 32

  /** A number of one set, as in most of the paper's measurements. */
  def fullyAssociative(bytes: Int, replaces: Boolean = true, blockBytes: Int = 64): SequenceNumberCache =
    SequenceNumberCache(bytes, bytes / blockBytes, replaces)
}

/** Purpose of a look-up of a number. */
class NumberLookup(val p: Geometry, val wordBits: Int) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val word = UInt(wordBits.W)
  val write = Bool()
}

/** TIMER: the number of the last write; a fresh one is `next`, unless `exhausted`. Hardware is added to the module that makes it. */
private[memory] class WriteTimer(bits: Int) {
  private val count = RegInit(0.U(bits.W))
  val exhausted: Bool = count.andR
  val next: UInt = count + 1.U

  /** `next` was given away in this cycle. */
  def advance(): Unit = count := next
}
