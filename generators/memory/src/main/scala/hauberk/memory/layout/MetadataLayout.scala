package hauberk.memory.layout

/** Lines of metadata that a tree stands on. */
sealed trait TreeLeaves

/** The metadata lines that a tree can protect. */
object TreeLeaves {

  /** No tree. */
  case object None extends TreeLeaves

  /** The counter tree of Bonsai schemes stands on the counter lines. */
  case object CounterLines extends TreeLeaves

  /** The hash tree of AEGIS stands on the tag lines. */
  case object TagLines extends TreeLeaves
}

/** Kinds of metadata that a scheme keeps in memory; a line is as long as a block.
  *
  * @param countersPerLine blocks whose counters share a line, 0 for none in memory
  * @param tagsPerLine     blocks whose tags share a line, 0 for none
  * @param versionsPerLine   blocks whose log versions share a line, 0 for none
  * @param leaves          leaves of the tree
  * @param arity           children of a tree node
  * @param rootEntries     children that the root, on chip, may have
  */
case class MetadataShape(
    countersPerLine: Int = 0,
    tagsPerLine: Int = 0,
    versionsPerLine: Int = 0,
    leaves: TreeLeaves = TreeLeaves.None,
    arity: Int = 8,
    rootEntries: Int = 512
) {
  for ((what, n) <- Seq("counters" -> countersPerLine, "tags" -> tagsPerLine, "versions" -> versionsPerLine))
    require(n == 0 || (n > 0 && (n & (n - 1)) == 0), s"$n $what a line cannot be addressed: make it a power of two")
  require(
    arity >= 2 && (arity & (arity - 1)) == 0,
    s"a tree node of $arity children cannot be addressed: use 2, 4, 8..."
  )
  require(rootEntries >= 1, s"a root of $rootEntries entries covers nothing: give it at least 1")
  require(
    leaves != TreeLeaves.CounterLines || countersPerLine > 0,
    "a counter tree has no counters in memory to stand on: choose a counter store that keeps them there"
  )
  require(leaves != TreeLeaves.TagLines || tagsPerLine > 0, "a hash tree has no tags in memory to stand on: keep tags")

  private def lines(things: BigInt, perLine: Int): BigInt = if (perLine == 0) 0 else (things + perLine - 1) / perLine
  def counterLines(blocks: BigInt): BigInt = lines(blocks, countersPerLine)
  def tagLines(blocks: BigInt): BigInt = lines(blocks, tagsPerLine)
  def versionLines(blocks: BigInt): BigInt = lines(blocks, versionsPerLine)
  def leafLines(blocks: BigInt): BigInt = leaves match {
    case TreeLeaves.None => 0
    case TreeLeaves.CounterLines => counterLines(blocks)
    case TreeLeaves.TagLines => tagLines(blocks)
  }

  /** Lines of every level of nodes in memory, from the leaves up; the root covers the last, or the leaves if there is none. */
  def nodeLines(blocks: BigInt): Seq[BigInt] =
    Iterator.iterate(leafLines(blocks))(lines(_, arity)).takeWhile(_ > rootEntries).map(lines(_, arity)).toSeq
  def allLines(blocks: BigInt): BigInt =
    counterLines(blocks) + tagLines(blocks) + versionLines(blocks) + nodeLines(blocks).sum
}

/** A level of tree nodes in memory. */
case class MetadataLevel(base: BigInt, lines: BigInt)

/** Address layout of a bank. The one place with the address arithmetic of metadata: the RTL, the package maker, the DRAM
  * checker and the tests all use it. Addresses are bank-local bytes.
  *
  * The data lie at the bottom; above them the counters, one a block (at `counterBase`, TS_Base of AEGIS section 6.3), then the log
  * versions, the tags, and the levels of the tree, the one next to the leaves first. Each array is of lines as long as a block.
  *
  * @param localBytes size of the bank, data and metadata together
  * @param blockBytes size of a protected block (B_L2)
  * @param shape      kinds of metadata
  */
case class MetadataLayout(localBytes: BigInt, blockBytes: Int, shape: MetadataShape) {
  MetadataLayout.checkBlockBytes(blockBytes)
  require(
    localBytes % (BigInt(blockBytes) * 64) == 0 && localBytes >= BigInt(blockBytes) * 64,
    s"a bank of $localBytes bytes cannot be laid out: make it a multiple of ${blockBytes * 64} bytes"
  )

  /** Bytes of protected data; [0, dataBytes) is all a client may address. As many 64ths of the bank as leave room for what they need, so
    * that few bus address sets describe them.
    */
  val dataBytes: BigInt = {
    val unit = localBytes / 64
    val fits = (0 to 64).reverse.map(_ * unit).find { data =>
      data + shape.allLines(data / blockBytes) * blockBytes <= localBytes
    }
    require(fits.exists(_ > 0), s"metadata leave no room for data in a bank of $localBytes bytes: enlarge the bank")
    fits.get
  }
  val dataBlocks: BigInt = dataBytes / blockBytes

  /** Bytes set aside for metadata, of which `metadataBytes` are used. */
  val reservedBytes: BigInt = localBytes - dataBytes
  val metadataBytes: BigInt = shape.allLines(dataBlocks) * blockBytes

  val countersPerLine: Int = shape.countersPerLine
  val counterLines: BigInt = shape.counterLines(dataBlocks)
  val tagLines: BigInt = shape.tagLines(dataBlocks)
  val versionLines: BigInt = shape.versionLines(dataBlocks)
  val counterBase: BigInt = dataBytes
  val versionBase: BigInt = counterBase + counterLines * blockBytes
  val tagBase: BigInt = versionBase + versionLines * blockBytes

  /** The levels of nodes, the one next to the leaves first. */
  val levels: Seq[MetadataLevel] = {
    val sizes = shape.nodeLines(dataBlocks)
    val bases = sizes.scanLeft(tagBase + tagLines * blockBytes)(_ + _ * blockBytes)
    bases.zip(sizes).map { case (base, lines) => MetadataLevel(base, lines) }
  }

  /** Lines the tree stands on, and entries of the root: the lines of the last level, or the leaves. */
  val leafLines: BigInt = shape.leafLines(dataBlocks)
  val leafBase: BigInt = if (shape.leaves == TreeLeaves.TagLines) tagBase else counterBase
  val rootLines: BigInt = levels.lastOption.map(_.lines).getOrElse(leafLines)

  /** Size of a stored counter, of those that fill their line evenly. */
  def counterBytes: Int = blockBytes / countersPerLine
  def blockOf(address: BigInt): BigInt = address / blockBytes
  def counterAddress(block: BigInt): BigInt = counterBase + block * counterBytes

  /** Number of the metadata line that holds a block's counter, and the counter's place in it. */
  def counterLine(block: BigInt): BigInt = block / countersPerLine
  def counterLineAddress(line: BigInt): BigInt = counterBase + line * blockBytes
  def tagAddress(block: BigInt): BigInt = tagBase + block * (blockBytes / shape.tagsPerLine)
  def isData(address: BigInt): Boolean = address >= 0 && address < dataBytes
}

/** Layouts without integrity metadata, and the check of the block size. */
object MetadataLayout {
  private[memory] def checkBlockBytes(blockBytes: Int): Unit =
    require(blockBytes > 0 && BigInt(blockBytes).bitCount == 1, s"blockBytes is $blockBytes: it must be a power of two")

  /** Of counters of 1, 2, 4 or 8 bytes, and nothing else. */
  def apply(localBytes: BigInt, blockBytes: Int, counterBytes: Int): MetadataLayout = {
    checkBlockBytes(blockBytes)
    require(
      Seq(1, 2, 4, 8).contains(counterBytes),
      s"counterBytes is $counterBytes: a stored counter takes 1, 2, 4 or 8 bytes"
    )
    MetadataLayout(localBytes, blockBytes, MetadataShape(countersPerLine = blockBytes / counterBytes))
  }
}
