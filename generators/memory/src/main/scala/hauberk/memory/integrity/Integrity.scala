package hauberk.memory.integrity

import hauberk.memory.layout.{MetadataLayout, MetadataShape, TreeLeaves}
import hauberk.memory.common.MetadataCacheParams

/** A member of the integrity policy: detects that memory does not hold the last written value.
  *
  * States its cost in memory and its claims.
  */
sealed trait Integrity {
  def name: String

  /** Code in the geometry register. */
  def code: Int

  /** Blocks carry a tag of 64 bits in memory. */
  def hasTags: Boolean

  /** Tags cover the plaintext (AEGIS section 5) and not the ciphertext. */
  def overPlaintext: Boolean

  /** Detects that a block, or its tag, was changed or moved. */
  def detectsTampering: Boolean

  /** Detects, too, that a block, with all its metadata, is an old one. */
  def detectsReplay: Boolean

  /** Cache of the nodes of a tree over the counter lines, if there is one. */
  def counterTree: Option[MetadataCacheParams] = None

  /** Counter lines cannot be changed or rolled back: counters may be derived from memory's contents. */
  def guardsCounters: Boolean = counterTree.nonEmpty

  /** The hash passes make the second hash, of 120 bits together, and begin with the block's number. */
  def longHash: Boolean

  /** A write takes the overwritten value out of a log first. */
  def takesOldValues: Boolean = false

  /** Verification can go from one key to the next while all memory is re-encrypted. */
  def followsRekeying: Boolean = false

  /** The same with other caches of per-block metadata; None if it has no such cache. */
  def resizeTags(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] = None

  /** The same with other caches of tree nodes; none if it has no such cache. */
  def resizeNodes(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] = None

  /** Ports of its verifier to the cipher. */
  def cipherPorts(layout: MetadataLayout): Int

  /** Identifiers on the memory side. */
  def memoryIds(p: MetadataLayout): Int

  /** Its metadata in memory. */
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape
}

/** No integrity: confidentiality alone. */
case object NoIntegrity extends Integrity {
  val name = "none"
  val code = 0
  val hasTags, overPlaintext, detectsTampering, detectsReplay, longHash = false
  override val followsRekeying = true
  def memoryIds(p: MetadataLayout): Int = 0
  def cipherPorts(layout: MetadataLayout): Int = 0
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape = of
}

/** A tag of 64 bits a block, over ciphertext, place and counter. An old block with its old tag and counter passes. */
case class BlockMac(tags: MetadataCacheParams = MetadataCacheParams()) extends Integrity {
  val name = "block tags"
  val code = 1
  val hasTags, detectsTampering = true
  val overPlaintext, detectsReplay, longHash = false
  override def resizeTags(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(tags = resize(tags)))
  def cipherPorts(layout: MetadataLayout): Int = 1
  def memoryIds(p: MetadataLayout): Int = tags.ids
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape = of.copy(tagsPerLine = blockBytes / 8)
}

/** Block tags whose counters are fresh by a tree of counters over the counter lines (the Bonsai construction of Rogers et al., MICRO'07,
  * with counters for hashes as in Intel's memory encryption engine): what is fresh needs no tree over data.
  *
  * @param tags        cache of tag lines
  * @param nodes       cache of every level of tree nodes
  * @param rootEntries children of the root, on chip
  */
case class BonsaiTree(
    tags: MetadataCacheParams = MetadataCacheParams(),
    nodes: MetadataCacheParams = MetadataCacheParams(lines = 16),
    rootEntries: Int = 512
) extends Integrity {
  val name = "counter tree"
  val code = 2
  val hasTags, detectsTampering, detectsReplay = true
  val overPlaintext, longHash = false
  override def counterTree: Option[MetadataCacheParams] = Some(nodes)
  override def resizeTags(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(tags = resize(tags)))
  override def resizeNodes(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(nodes = resize(nodes)))
  def cipherPorts(layout: MetadataLayout): Int = 1
  def memoryIds(p: MetadataLayout): Int = tags.ids
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape =
    of.copy(tagsPerLine = blockBytes / 8, leaves = TreeLeaves.CounterLines, rootEntries = rootEntries)
}

/** The cached hash tree of AEGIS section 5 (Gassend et al., HPCA'03), over plaintext: its leaves are the blocks' tags.
  *
  * @param tags        cache of tag lines
  * @param nodes       cache of every level of tree nodes
  * @param rootEntries children of the root, on chip
  */
case class HashTree(
    tags: MetadataCacheParams = MetadataCacheParams(),
    nodes: MetadataCacheParams = MetadataCacheParams(lines = 16),
    rootEntries: Int = 512
) extends Integrity {
  val name = "hash tree"
  val code = 3
  val hasTags, overPlaintext, detectsTampering, detectsReplay = true
  val longHash = false
  override val followsRekeying = true
  override def resizeTags(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(tags = resize(tags)))
  override def resizeNodes(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(nodes = resize(nodes)))
  def cipherPorts(layout: MetadataLayout): Int = 2
  def memoryIds(p: MetadataLayout): Int = tags.ids + p.levels.size * nodes.ids
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape =
    of.copy(tagsPerLine = blockBytes / 8, leaves = TreeLeaves.TagLines, rootEntries = rootEntries)
}

/** The log hash of AEGIS section 5 (Clarke et al.; Suh et al., MICRO'03), over plaintext: tampering of any kind is detected at the next
  * check. The tags are those of the package, which a block is checked by until it is first taken into the log.
  *
  * @param versions    cache of version lines
  * @param tags      cache of the package's tag lines
  * @param versionBits width of a version that is used; few make checks frequent
  */
case class LogHash(
    versions: MetadataCacheParams = MetadataCacheParams(),
    tags: MetadataCacheParams = MetadataCacheParams(lines = 4),
    versionBits: Int = 32
) extends Integrity {
  require(
    versionBits >= 4 && versionBits <= 32,
    s"versionBits is $versionBits: a version takes a bit of parity and a count, choose 4 to 32 bits"
  )
  val name = "log hash"
  val code = 4
  val hasTags, overPlaintext, detectsTampering, detectsReplay, longHash = true
  override val takesOldValues, followsRekeying = true
  override def resizeTags(resize: MetadataCacheParams => MetadataCacheParams): Option[Integrity] =
    Some(copy(versions = resize(versions)))
  def cipherPorts(layout: MetadataLayout): Int = 2
  def memoryIds(p: MetadataLayout): Int = versions.ids + tags.ids
  def shape(of: MetadataShape, blockBytes: Int): MetadataShape =
    of.copy(tagsPerLine = blockBytes / 8, versionsPerLine = blockBytes / 4)
}

/** A member of the verification policy: when read data may be used. */
sealed trait Verification {
  def name: String

  /** Nothing leaves the engine before it is verified. */
  def blocks: Boolean

  /** The engine asks which pages have an owner. */
  def asksOwners: Boolean = false
}

/** When data may leave: after they are verified, or before. */
object Verification {

  /** No beat leaves unverified: a block that fails is denied. */
  case object Blocking extends Verification {
    val name = "blocking"
    val blocks = true
  }

  /** Beats leave at once and are verified in the background (AEGIS section 5): a failure raises the alarm and halts the engine, and
    * exports wait for `unverified` to fall.
    */
  case object Speculative extends Verification {
    val name = "speculative"
    val blocks = false
  }

  /** Blocking for blocks of pages that have an owner, and speculative for all others: a secure context uses nothing of its own that is not verified, and an
    * operating system outside pays nothing for it. Something outside the engine knows the owners ([[hauberk.memory.engine.OwnerPort]]).
    */
  case object ByOwner extends Verification {
    val name = "by owner"
    val blocks = false
    override val asksOwners = true
  }
}
