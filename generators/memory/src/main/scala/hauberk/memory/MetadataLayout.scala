package hauberk.memory

/** Where a stripe keeps what. The one place with the address arithmetic of metadata: the RTL, the package maker, the DRAM
  * checker and the tests all use it. Addresses are stripe-local bytes.
  *
  * The data lie at the bottom; above them, at `counterBase` (TS_Base of AEGIS section 6.3), one counter a block:
  * counter address = counterBase + address / blockBytes * counterBytes.
  *
  * @param localBytes   size of the stripe, data and metadata together
  * @param blockBytes   size of a protected block (B_L2)
  * @param counterBytes size of a stored counter (B_TS)
  */
case class MetadataLayout(localBytes: BigInt, blockBytes: Int, counterBytes: Int) {
  private def isPow2(n: BigInt) = n > 0 && n.bitCount == 1
  require(isPow2(blockBytes), s"blockBytes is $blockBytes: it must be a power of two")
  require(
    isPow2(counterBytes) && counterBytes <= 8,
    s"counterBytes is $counterBytes: a stored counter takes 1, 2, 4 or 8 bytes"
  )
  require(
    localBytes % (BigInt(blockBytes) * 64) == 0 && localBytes >= BigInt(blockBytes) * 64,
    s"a stripe of $localBytes bytes cannot be laid out: make it a multiple of ${blockBytes * 64} bytes"
  )

  /** Counters that share one block-sized metadata line: the neighbours fetched together. */
  val countersPerLine: Int = blockBytes / counterBytes

  /** Bytes set aside at the top: the smallest power of two that holds a counter for every block below it. */
  val reservedBytes: BigInt = {
    val needed = localBytes * counterBytes / (blockBytes + counterBytes)
    Iterator.iterate(BigInt(blockBytes))(_ * 2).find(_ >= needed).get
  }

  /** Bytes of protected data; [0, dataBytes) is all a client may address. */
  val dataBytes: BigInt = localBytes - reservedBytes
  require(
    dataBytes > 0 && dataBytes / blockBytes * counterBytes <= reservedBytes,
    s"metadata does not fit: $reservedBytes bytes for the counters of $dataBytes bytes of data; enlarge the stripe"
  )

  val counterBase: BigInt = dataBytes
  val dataBlocks: BigInt = dataBytes / blockBytes

  /** Metadata lines in use, rounded up. */
  val counterLines: BigInt = (dataBlocks + countersPerLine - 1) / countersPerLine

  def blockOf(address: BigInt): BigInt = address / blockBytes
  def counterAddress(block: BigInt): BigInt = counterBase + block * counterBytes

  /** Number of the metadata line that holds a block's counter, and the counter's place in it. */
  def counterLine(block: BigInt): BigInt = block / countersPerLine
  def counterLineAddress(line: BigInt): BigInt = counterBase + line * blockBytes
  def isData(address: BigInt): Boolean = address >= 0 && address < dataBytes
}
