package hauberk.memory

import chisel3._
import chisel3.util._

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
  val trustsMemory, leavesRoomForMac, refreshes = true
  def memoryIds(layout: MetadataLayout, integrity: Integrity): Int =
    cache.ids + CounterGuard.memoryIds(layout, integrity)
  override def cipherPorts(layout: MetadataLayout, integrity: Integrity): Int =
    CounterGuard.cipherPorts(layout, integrity)
  override def fetches: Int = cache.misses
  def build(p: Protection): CounterStore = new SplitCounterStore(p, this)
}

/** What a look-up carries through the counter cache. */
class SplitLookup(val entryBits: Int) extends Bundle {
  val write = Bool()
  val word = UInt(SplitLine.wordBits.W)
  val entry = UInt(entryBits.W)
}
