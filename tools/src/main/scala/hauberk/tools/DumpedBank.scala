package hauberk.tools

import hauberk.memory.layout.{MetadataLevel, TreeLeaves}
import hauberk.memory.reference._

/** The part of a [[DumpedDram]] that one engine guards; parameters as those of it. */
private[tools] class DumpedBank(
    engine: DramEngine,
    blockBytes: Int,
    protection: DramProtection,
    dumpKeys: DumpKeys,
    imageBlocks: BigInt,
    dump: Dram,
    writeBacks: BigInt,
    writes: BigInt,
    known: Seq[KnownContents],
    announced: Map[BigInt, BigInt]
) {
  import BlockState._
  private val layout = engine.layout
  // Metadata are under the first context's key, whatever block they are for; and there are tags only where there are no regions
  private val keys = dumpKeys.first
  private val key = keys.dynamicKey
  private def memory(local: BigInt): Array[Byte] = dump.bytes(engine.bank.toGlobal(local), blockBytes)
  private def leaves(base: BigInt, lines: BigInt) = MetadataLevel(base, lines) +: layout.levels
  private def numbers(count: BigInt): Iterator[BigInt] = Iterator.iterate(BigInt(0))(_ + 1).takeWhile(_ < count)

  private lazy val counterTree = {
    val levels = leaves(layout.counterBase, layout.counterLines)
    val top = levels.size - 1
    def root(line: BigInt) =
      TreeRoots.counter(key, engine.number, top, line, memory(levels(top).base + line * blockBytes), writeBacks.toLong)
    new ReferenceTree(levels, engine.number, key, root, memory)
  }

  private val previous = dumpKeys.before.headOption

  private lazy val hashTree = {
    val levels = leaves(layout.tagBase, layout.tagLines)
    val top = levels.size - 1
    val tagsBelow = BigInt(layout.shape.tagsPerLine) * BigInt(layout.shape.arity).pow(top)
    // A line of the last level was written back if any block below it was written: its tag was
    def isWritten(line: BigInt) =
      (line * tagsBelow until ((line + 1) * tagsBelow).min(layout.dataBlocks)).exists(state(_) != Counted(0))
    def root(line: BigInt) =
      if (isWritten(line)) ReferenceHashTree.hash(key, top, line, memory(levels(top).base + line * blockBytes)) else 0L
    new ReferenceHashTree(levels, key +: previous.map(_.dynamicKey).toSeq, imageBlocks, root, memory)
  }

  private def counterLine(line: BigInt): Either[TreeFault, Array[Byte]] =
    if (layout.shape.leaves == TreeLeaves.CounterLines) counterTree.line(0, line)
    else Right(memory(layout.counterLineAddress(line)))

  private val lines = collection.mutable.Map.empty[BigInt, Seq[BlockState]]

  /** The states of the blocks of one line of counters; of a line that does not verify, those of zeros. */
  private def line(number: BigInt): Seq[BlockState] = lines.getOrElseUpdate(
    number, {
      val stored = counterLine(number).getOrElse(new Array[Byte](blockBytes))
      protection.counterFormat match {
        case CounterFormat.Stored(format) => format.decode(stored).map(Counted(_))
        case CounterFormat.Spilled =>
          ReferenceCounters.Spill.decode(key, engine.number, number, stored).map(Counted(_))
        case CounterFormat.WrittenBits =>
          val bits = ReferenceKey.number(stored)
          (0 until 8 * blockBytes).map(i => if (bits.testBit(i)) Direct else Unknown)
        case CounterFormat.Announced | CounterFormat.Absent => Nil
      }
    }
  )

  private val hasRegions = protection.regions.nonEmpty

  def state(block: BigInt): BlockState =
    if (hasRegions && protection.isPlain(engine.address(block))) Plain else metadata(block)

  /** What the metadata say of a block. */
  private def metadata(block: BigInt): BlockState =
    if (protection.counterFormat == CounterFormat.Absent) Counted(0)
    else if (protection.counterFormat == CounterFormat.Announced) Counted(announced.getOrElse(block, 0))
    else line(layout.counterLine(block))((block % layout.countersPerLine).toInt)

  def states: Iterator[BlockState] = numbers(layout.dataBlocks).map(state)

  /** The counter that memory has for a block; 0 if it has none. */
  private def counterOf(block: BigInt): BigInt = state(block) match {
    case Counted(counter) => counter
    case _ => 0
  }
  private def isWritten(block: BigInt): Boolean = counterOf(block) != 0

  /** How far re-encryption had come: what tags say, and what blocks with known contents do. Beside it the plaintext of blocks that were being
    * written under the current key when the machine stopped.
    */
  private lazy val (sweep: Sweep, halfway: Map[BigInt, Array[Byte]]) = {
    val all = Sweep(if (previous.isEmpty) layout.dataBlocks else 0, layout.dataBlocks)
    val nothing = Map.empty[BigInt, Array[Byte]]
    previous.fold((all, nothing)) { old =>
      val tagged =
        if (protection.tagsWritten) numbers(layout.dataBlocks).filter(isWritten).toVector else Vector.empty
      val (current, others) = tagged.partition(verifiesUnder(keys, _))
      val (older, neither) = others.partition(verifiesUnder(old, _))
      val seen = all.narrowed(current, older)
      val found = for {
        block <- neither.filter(block => seen.least <= block && block < seen.most).take(halfwayAtMost)
        plain <- halfwayByTag(old, block)
      } yield block -> plain
      known.foldLeft((seen, found.toMap)) { case ((sweep, halfway), contents) =>
        val blocks = contents.addresses.filter(engine.bank.contains).map(engine.block)
        val written = blocks.filter(block => isWritten(block) && !halfway.contains(block))
        def isRight(sweep: Sweep, halfway: Map[BigInt, Array[Byte]]) = contents.isRight { address =>
          val block = engine.block(address)
          halfway.getOrElse(block, decrypt(block, keysAt(sweep, block)))
        }
        // The block at the pointer is the first that is not behind it
        def withHalfway = for {
          sweep <- sweep.possible(written) if !protection.tagsWritten
          block <- written.filter(_ >= sweep.most).reduceOption(_ min _).iterator
          plain <- readings(old, block, Iterator(counterOf(block), BigInt(1))).map(_._2)
          more = halfway + (block -> plain) if isRight(sweep, more)
        } yield (sweep, more)
        val whole = sweep.possible(written).filter(isRight(_, halfway)).map((_, halfway))
        (whole ++ withHalfway).take(1).toSeq.headOption.getOrElse((sweep, halfway))
      }
    }
  }

  /** What a block may hold that is being re-encrypted, and so gets counter 1 under the current key: so many beats are new, the others old, under
    * a counter that memory need not have any more.
    */
  private def readings(
      old: ProtectionKeys,
      block: BigInt,
      counters: Iterator[BigInt]
  ): Iterator[(BigInt, Array[Byte])] = {
    val stored = memory(block * blockBytes)
    val fresh = engine.model.decrypt(keys, block, 1, stored)
    // Where AES blocks are chained, a part of a block cannot be read
    val cuts = if (protection.mode == "one-time pad") blockBytes to 0 by -8 else Seq(blockBytes, 0)
    for {
      counter <- counters
      former = engine.model.decrypt(old, block, counter, stored)
      cut <- cuts.iterator
    } yield (counter, fresh.take(cut) ++ former.drop(cut))
  }

  // The one at the pointer, and those that went before it since their metadata were flushed
  private val halfwayAtMost = 16
  private val countersTried = BigInt(1) << 16

  private def halfwayByTag(old: ProtectionKeys, block: BigInt): Option[Array[Byte]] = {
    val counters = Iterator(counterOf(block)) ++ numbers(writes.min(countersTried) + 1).drop(1)
    readings(old, block, counters).collectFirst {
      case (counter, plain)
          if tag(block) == Right(tagOf(old, block, counter, plain)) ||
            tag(block) == Right(tagOf(keys, block, 1, plain)) => plain
    }
  }

  private def keysAt(sweep: Sweep, block: BigInt): ProtectionKeys =
    if (sweep.isCurrent(block)) keys else previous.getOrElse(keys)

  private def keysOf(block: BigInt): ProtectionKeys =
    if (hasRegions) dumpKeys.of(protection.context(engine.address(block)), engine.number)
    else if (previous.isEmpty) keys
    else keysAt(sweep, block)

  def keyUse: KeyUse = {
    val written = numbers(layout.dataBlocks).filter(block => isWritten(block) && !halfway.contains(block)).toVector
    val (current, others) = written.partition(_ < sweep.least)
    val (older, either) = others.partition(_ >= sweep.most)
    KeyUse(current.size, older.size, either.size, halfway.size)
  }

  def decrypt(block: BigInt): Array[Byte] = halfway.getOrElse(block, decrypt(block, keysOf(block)))

  private def decrypt(block: BigInt, keys: ProtectionKeys): Array[Byte] = {
    val stored = memory(block * blockBytes)
    state(block) match {
      case Counted(counter) if counter == 0 && protection.verifies && block >= imageBlocks =>
        new Array[Byte](blockBytes)
      case Counted(counter) => engine.model.decrypt(keys, block, counter, stored)
      case Direct => engine.model.decryptDirect(keys, block, stored)
      case Unknown => engine.model.decrypt(keys, block, 0, stored)
      case Plain => stored
    }
  }

  private def tag(block: BigInt): Either[TreeFault, Long] = {
    val number = block / layout.shape.tagsPerLine
    val line =
      if (layout.shape.leaves == TreeLeaves.TagLines) hashTree.line(0, number)
      else Right(memory(layout.tagBase + number * blockBytes))
    line.map(ReferenceHash.words(_)((block % layout.shape.tagsPerLine).toInt))
  }

  /** The tag of a block with this plaintext, under these keys. */
  private def tagOf(keys: ProtectionKeys, block: BigInt, counter: BigInt, plain: Array[Byte]): Long = {
    val data = if (protection.overPlaintext) plain else engine.model.encrypt(keys, block, counter, plain)
    ReferenceTag.written(keys, engine.number, block, counter, data)
  }

  /** The tag of a block that was written, under these keys. */
  private def writtenTag(keys: ProtectionKeys, block: BigInt, counter: BigInt): Long = {
    val data = if (protection.overPlaintext) decrypt(block, keys) else memory(block * blockBytes)
    ReferenceTag.written(keys, engine.number, block, counter, data)
  }

  private def verifiesUnder(keys: ProtectionKeys, block: BigInt): Boolean = state(block) match {
    case Counted(counter) if counter != 0 => tag(block) == Right(writtenTag(keys, block, counter))
    case _ => false
  }

  /** The tag a block should have; none if any will do. */
  private def expectedTag(block: BigInt): Option[Long] = {
    val stored = memory(block * blockBytes)
    state(block) match {
      case _ if halfway.contains(block) => None
      case Counted(counter) if counter != 0 && protection.tagsWritten =>
        Some(writtenTag(keysOf(block), block, counter))
      case Counted(counter) if counter == 0 && block < imageBlocks =>
        Some(engine.imageTag(keys, block, imageBlocks, decrypt(block), stored))
      case Counted(counter) if counter == 0 && layout.shape.leaves == TreeLeaves.TagLines => Some(0)
      case _ => None
    }
  }

  /** Blocks in plaintext of which the metadata say something, though nobody should have asked them. */
  private def plainFaults: Seq[String] = {
    val wrong =
      if (!hasRegions) Vector.empty
      else numbers(layout.dataBlocks).filter(block =>
        state(block) == Plain && !Seq(Counted(0), Unknown).contains(metadata(block))
      ).toVector
    wrong.headOption.map(first =>
      s"${wrong.size} blocks left in plaintext have counters, the first at ${Hex(engine.address(first))}"
    ).toSeq
  }

  def verification: (Seq[String], Int) = {
    val lineFaults =
      if (layout.shape.leaves == TreeLeaves.CounterLines)
        numbers(layout.counterLines).flatMap(counterLine(_).left.toOption)
      else Iterator.empty
    val expected =
      if (protection.hasTags) numbers(layout.dataBlocks).flatMap(block => expectedTag(block).map(block -> _)).toVector
      else Vector.empty
    val tagFaults = expected.map { case (block, wanted) => block -> tag(block).map(_ == wanted) }
    val lines = (lineFaults ++ tagFaults.iterator.flatMap(_._2.left.toOption)).toVector.distinct
    val blocks = tagFaults.collect { case (block, Right(false)) => block }
    val late = blocks.filter(block => dumpKeys.before.exists(verifiesUnder(_, block)))
    val phrases = Seq(
      lines.headOption.map(first => s"${lines.size} lines of metadata do not verify, the first being $first"),
      blocks.headOption.map(first =>
        s"the tags of ${blocks.size} blocks do not verify, the first at ${Hex(engine.address(first))}"
      ),
      late.headOption.map(first =>
        s"${late.size} of them are under a key that had been replaced, the first at ${Hex(engine.address(first))}"
      )
    ).flatten ++ plainFaults
    (phrases.map(phrase => s"engine ${engine.number}: $phrase"), expected.size)
  }
}
