package hauberk.memory.counter

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.MetadataCacheParams

/** The counter store of Nagarajan et al.: a global counter, and counter registers that the program steers by hints. There is no cache of counters.
  * Beside every block memory keeps a pair of 32 bits: 1 and a 31-bit global counter, or 0, a 7-bit id and the 24-bit value of its register. Pair
  * 0 means "as the package brought it".
  *
  * A pair is never given to a block twice, whatever program and memory do: the global counter and the registers only grow and never come from memory, an id belongs
  * to one register, and a hinted pair is used only if it is known to be new for the block ([[FreshPairs]]). Else the write takes the global
  * counter. A register whose values are used up gives no more pairs. The end of the global counter raises the alarm and halts the engine.
  *
  * @param registers  counter registers, a power of two; 0 for the global counter alone
  * @param ids        counter ids; id i belongs to register i mod `registers`
  * @param loadHints  entries of the table of load hints
  * @param storeHints entries of the table of store hints: about as many as the data cache has lines
  * @param filter     entries for each register of the hashed filter of used pairs
  * @param lastPairs  entries of the table of last pairs, which predicts reads without a hint ([[LastPairs]]): a power of two, or 0 as in the paper
  * @param pairFetches pairs that are being read
  * @param updates    pairs that are being written
  * @param expectedPads blocks whose pads are made ahead
  * @param ahead      pads are made when a load hint comes, and not when its load comes to memory: where there is no data cache, so that no pad is made in vain
  * @param globalBits width of the global counter, at most 31: a smaller one comes to its end sooner
  * @param valueBits  width of a register, at most 24
  */
case class CompilerCounters(
    registers: Int = 8,
    ids: Int = 128,
    loadHints: Int = 8,
    storeHints: Int = 8,
    filter: Int = 32,
    lastPairs: Int = 0,
    pairFetches: Int = 4,
    updates: Int = 4,
    override val expectedPads: Int = 4,
    ahead: Boolean = false,
    globalBits: Int = 31,
    valueBits: Int = CounterHint.valueBits
) extends CounterStoreParams {
  private def isPowerOfTwo(n: Int) = n > 0 && (n & (n - 1)) == 0
  require(
    registers == 0 || (isPowerOfTwo(registers) && registers <= CompilerCounters.maximalRegisters),
    s"$registers counter registers cannot be: use a power of two of at most ${CompilerCounters.maximalRegisters}, or 0 for the global counter alone"
  )
  require(
    ids >= registers && ids <= (1 << CounterHint.idBits),
    s"$ids counter ids cannot be: there are at most ${1 << CounterHint.idBits} in a pair, and every register has one"
  )
  for ((what, entries) <- Seq("load hints" -> loadHints, "store hints" -> storeHints, "filter entries" -> filter))
    require(
      isPowerOfTwo(entries) && entries >= 2,
      s"$entries $what cannot be addressed: use a power of two of at least 2"
    )
  require(
    lastPairs == 0 || (isPowerOfTwo(lastPairs) && lastPairs >= 2),
    s"$lastPairs last pairs cannot be addressed: use a power of two of at least 2, or 0 for none"
  )
  require(
    globalBits >= 2 && globalBits <= 31 && valueBits >= 2 && valueBits <= CounterHint.valueBits,
    s"a global counter of $globalBits bits and registers of $valueBits bits do not fit a pair: use 2 to 31, and 2 to ${CounterHint.valueBits}"
  )
  require(
    pairFetches >= 1 && updates >= 1,
    s"pairs being read ($pairFetches) and written ($updates) must both be at least 1"
  )
  val name = "compiler-steered counters"
  val counterBits: Int = CompilerCounters.pairBits
  override val lineFormat = "pairs"
  override val leastBlockBytes = 8
  override val hasCache = false
  override val takesHints: Boolean = registers > 0
  override val answersWritesAtOnce = true
  def countersPerLine(blockBytes: Int): Int = blockBytes * 8 / CompilerCounters.pairBits
  val trustsMemory, leavesRoomForMac, reencrypts = false
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int = pairFetches + updates
}

/** Widths and bounds. */
object CompilerCounters {

  /** Of a pair in memory. */
  val pairBits = 32
  val maximalRegisters = 16
}
