package hauberk.memory.counter

import chisel3._
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.tree.CounterGuard

/** Split counters (Yan, Englender, Prvulovic, Rogers, Solihin, *Improving Cost, Performance, and Security of Memory Encryption and
  * Authentication*, ISCA'06): a minor counter of 6 bits for each block and a major one of 58 bits for each page of 64 blocks, in one line
  * ([[SplitLine]]). A write takes the next minor counter. When there is none, the page takes the next major one, and its blocks are read
  * and written back in the background ([[PageReencryption]]). The last major counter is never left: the write that would need another one
  * is denied and halts the engine.
  *
  * What follows is derived from what memory held, so the lines must be guarded by a counter tree ([[BonsaiTree]]).
  *
  * @param cache geometry of the counter cache
  */
case class SplitCounters(cache: MetadataCacheParams = MetadataCacheParams()) extends CounterStoreParams {
  val name = "split counters"
  val counterBits: Int = SplitLine.counterBits
  override val lineFormat = "split"
  def countersPerLine(blockBytes: Int): Int = {
    require(blockBytes == 64, s"blockBytes is $blockBytes: a line of split counters fills 64 bytes, use blocks of 64")
    SplitLine.blocks
  }
  val trustsMemory, leavesRoomForMac, reencrypts = true

  /** Fewer than a minor counter has values: all may be of one block, ahead of its re-encryption, and that must never find its page full. */
  override def maximalWrites: Int = (1 << SplitLine.minorBits) - 1
  override def resize(bytes: Int, ways: Int): Option[CounterStoreParams] =
    Some(copy(cache = cache.resize(bytes, ways)))
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    cache.ids + CounterGuard.memoryIds(layout, tree)
  override def cipherPorts(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    CounterGuard.cipherPorts(layout, tree)
  override def fetches: Int = cache.mshrs
}

/** Payload that a look-up carries through the counter cache. */
class SplitLookup(val entryBits: Int) extends Bundle {
  val write = Bool()
  val word = UInt(SplitLine.wordBits.W)
  val entry = UInt(entryBits.W)
}
