package hauberk.tools

import hauberk.memory.reference.{ProtectionKeys, ReferenceCounters}

/** What a dump says of how a block is encrypted. */
sealed trait BlockState

/** The states in which a block can be when the dump is made. */
object BlockState {

  /** Under this counter; 0 as the package brought it. */
  case class Counted(counter: BigInt) extends BlockState

  /** Without a counter, because there was no room for one. */
  case object Direct extends BlockState

  /** As the package brought it, or under a counter that is on the chip and nowhere else. */
  case object Unknown extends BlockState

  /** Not encrypted: in a region that is left in plaintext. */
  case object Plain extends BlockState
}

/** The keys of a run.
  *
  * @param first   static and dynamic key of context 0
  * @param seconds the dynamic key of context 1, engine by engine; none without it
  * @param before  the pairs that the first one replaced when memory was re-encrypted, the latest of them first; of one engine
  */
case class DumpKeys(
    first: ProtectionKeys,
    seconds: Seq[Array[Byte]] = Nil,
    before: Seq[ProtectionKeys] = Nil
) {
  def of(context: Int, engine: Int): ProtectionKeys =
    if (context == 0) first else ProtectionKeys(first.static, seconds(engine))
}

/** DRAM as a run left it, read with the keys of that run.
  *
  * @param keys       the keys of the run
  * @param imageBlocks     blocks of the package in each engine's bank
  * @param writeBacks how many lines of metadata were written to DRAM, at most
  * @param writes     how many blocks of data were
  * @param known      what shows which block is under which key, if memory was re-encrypted
  * @param announced  counters that tiles told each other, by block; of all others it is 0
  */
class DumpedDram(
    soc: SocDescription,
    protection: DramProtection,
    keys: DumpKeys,
    imageBlocks: BigInt,
    dump: Dram,
    writeBacks: BigInt,
    writes: BigInt,
    known: Seq[KnownContents] = Nil,
    announced: Map[BigInt, BigInt] = Map.empty
) {
  import BlockState._
  private val dram = new ProtectedDram(soc, protection)
  private val engines =
    dram.engines.map(engine =>
      new DumpedBank(
        engine,
        soc.blockBytes,
        protection,
        keys,
        imageBlocks,
        dump,
        writeBacks,
        writes,
        known,
        announced
      )
    )

  def state(address: BigInt): BlockState = {
    val (engine, block) = dram.locate(address)
    engines(engine.number).state(block)
  }

  /** What the core would read of a block; of one whose counter is on the chip, what it would read if that were 0. */
  def decrypt(address: BigInt): Array[Byte] = {
    val (engine, block) = dram.locate(address)
    engines(engine.number).decrypt(block)
  }

  /** The counters of all blocks of data, engine by engine, as far as memory has them. */
  def counters: Iterator[BigInt] = engines.iterator.flatMap(_.states).collect { case Counted(counter) => counter }

  /** What is under which key; none if there never was but one. */
  lazy val keyUse: Option[KeyUse] =
    if (keys.before.isEmpty) None
    else {
      val uses = engines.map(_.keyUse)
      Some(KeyUse(
        uses.map(_.current).sum,
        uses.map(_.previous).sum,
        uses.map(_.either).sum,
        uses.map(_.halfway).sum
      ))
    }

  /** Memory knows which blocks were never written. */
  def hasCounters: Boolean = protection.counterFormat != CounterFormat.Absent

  /** How many writes a block must have seen at least to have this counter. A split counter whose minor part is used up has seen 63. */
  def writesFor(counter: BigInt): BigInt =
    protection.counterFormat match {
      case CounterFormat.Stored(ReferenceCounters.Split) => (counter >> 6) * 63 + (counter & 63)
      case CounterFormat.Stored(pairs: ReferenceCounters.Pairs) => pairs.writesFor(counter)
      case CounterFormat.Announced => TilePads.count(counter)
      case _ => counter
    }

  /** What does not verify, a phrase each; and how many tags and lines of trees were looked at. */
  lazy val verification: (Seq[String], Int) = {
    val found = engines.map(_.verification)
    (found.flatMap(_._1), found.map(_._2).sum)
  }
}
