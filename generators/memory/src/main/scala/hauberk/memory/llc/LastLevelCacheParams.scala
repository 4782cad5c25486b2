package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.common.Refusal
import hauberk.memory.port.MemoryPortParams

/** Shape of a last-level cache, or of one bank of it.
  *
  * @param bytes size of the data
  * @param ways  associativity
  * @param mshrs misses in flight that fetch a line
  */
case class LastLevelCacheParams(bytes: BigInt, ways: Int = 8, mshrs: Int = 4) {

  /** The share of one of several banks. */
  def perBank(banks: Int): LastLevelCacheParams = copy(bytes = bytes / banks)

  /** What is wrong with it for lines of this size. */
  def violations(lineBytes: Int): Seq[String] = {
    val set = BigInt(ways) * lineBytes
    Refusal.broken(
      (ways >= 1 && isPow2(ways)) -> s"a last-level cache of $ways ways cannot be: use a power of two",
      (mshrs >= 1 && mshrs <= LastLevelCacheParams.maximalMshrs) ->
        s"a last-level cache with $mshrs misses in flight cannot be: use 1 to ${LastLevelCacheParams.maximalMshrs}",
      (ways < 1 || (bytes >= 2 * set && isPow2(bytes))) ->
        (s"a bank of a last-level cache has $bytes bytes, which must be a power of two of at least two sets of $ways lines of " +
          s"$lineBytes bytes: change its size, its ways or the number of banks")
    )
  }
}

/** Limits of last-level caches. */
object LastLevelCacheParams {
  val maximalMshrs = 16

  /** Lines on their way back to memory. */
  val writebacks = 2
}

/** Widths of one bank of a last-level cache.
  *
  * @param client port above
  */
class LastLevelGeometry(val client: MemoryPortParams, val shape: LastLevelCacheParams) {
  Refusal.unless(
    shape.violations(client.blockBytes).map(false -> _) :+
      ((shape.bytes <= (BigInt(1) << client.addressBits)) ->
        s"a bank of a last-level cache of ${shape.bytes} bytes is larger than its memory: make it smaller"): _*
  )
  val ways: Int = shape.ways
  val mshrs: Int = shape.mshrs
  val sets: Int = (shape.bytes / (BigInt(ways) * client.blockBytes)).toInt
  val setBits: Int = log2Ceil(sets)
  val wayBits: Int = math.max(1, log2Ceil(ways))

  /** A tag has a bit at least, also where the cache is as large as memory. */
  val tagBits: Int = math.max(1, client.blockIndexBits - setBits)
  val beats: Int = client.blockBeats
  val rowBits: Int = client.blockBytes * 8

  /** Identifiers on the memory side: fetches, one an MSHR, then write-backs. */
  val memoryIds: Int = mshrs + LastLevelCacheParams.writebacks
  val memory: MemoryPortParams = client.copy(idBits = log2Ceil(memoryIds))

  def setOf(block: UInt): UInt = block(setBits - 1, 0)
  def tagOf(block: UInt): UInt = block >> setBits
  def blockOf(tag: UInt, set: UInt): UInt = Cat(tag, set)(client.blockIndexBits - 1, 0)
  def slotOf(set: UInt, way: UInt): UInt = if (ways == 1) set else Cat(set, way)
}
