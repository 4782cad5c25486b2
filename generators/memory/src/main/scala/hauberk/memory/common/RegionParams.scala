package hauberk.memory.common

import chisel3.util._

/** Regions of a bank that are not like the rest of it.
  *
  * @param entries      regions that can be told apart from the rest; 0 builds no hardware
  * @param contexts     contexts with a dynamic key of their own, the rest of memory (context 0) included: 1 or 2
  * @param granuleBytes regions begin and end at multiples of this; no metadata line with secrets spans two granules
  */
case class RegionParams(entries: Int = 0, contexts: Int = 1, granuleBytes: Int = 4096) {
  require(entries >= 0 && entries <= 64, s"a region table of $entries entries cannot be built: choose 0 to 64")
  require(
    contexts == 1 || (contexts == 2 && entries > 0),
    s"$contexts contexts in $entries regions: there is context 0, and one more if there is a region for it"
  )
  require(
    isPow2(granuleBytes) && granuleBytes >= 4096,
    s"granuleBytes is $granuleBytes: it must be a power of two of at least 4096, the data under one line of split counters"
  )
  val contextBits: Int = math.max(1, log2Ceil(contexts))
  val indexBits: Int = math.max(1, log2Ceil(math.max(1, entries)))
}
