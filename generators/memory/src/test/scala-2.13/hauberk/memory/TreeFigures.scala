package hauberk.memory

import EngineTiming._
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter.SplitCounters
import hauberk.memory.integrity.BonsaiTree
import hauberk.testing.Figure

/** What a counter tree with block tags costs: [[EngineFigures]]. Two levels of nodes lie below the root on chip, as they do for 64 MiB.
  * Whatever is read was written before, so that nothing is zero by definition, and all of it is verified.
  */
private object TreeFigures {
  import EngineFigures.{engine, mostAdded, reads, writes}
  import Figure.{atMost, reported}

  private val tree = BonsaiTree(rootEntries = 2)
  private val one = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)

  def all: Seq[Figure] =
    Seq("BonsaiTree" -> ProtectionParams.bonsaiTree, "BonsaiTreeBlocking" -> ProtectionParams.bonsaiTreeBlocking)
      .flatMap { case (name, params) => onChip(name, params) ++ missing(name, params) }

  private def delayOf(bench: EngineBench, block: Int): Seq[Int] = delays(bench.run(read(block)))

  /** Counters and nodes on chip. The streams are over so many lines that their tags are, too, or are not. */
  private def onChip(name: String, params: ProtectionParams): Seq[Figure] =
    engine(params.copy(integrity = tree), 20, 100) { (_, bench, latency) =>
      val streams = Seq("tags cached" -> 128, "tags not cached" -> 1024).flatMap { case (tags, lines) =>
        bench.runAll(writes(0 until lines))
        val readStream = cyclesPerLine(bench.runAll(reads((0 until 1024).map(_ % lines))))
        val writeStream = cyclesPerLine(bench.runAll(writes((0 until 1024).map(_ % lines))))
        val at = s"counters and nodes cached, $tags, memory latency $latency: cycles per line"
        Seq(atMost(s"$name, read stream, $at", readStream, 10), atMost(s"$name, write stream, $at", writeStream, 12))
      }
      bench.run(read(1))
      val found = delayOf(bench, 2)
      val added = found.head - latency
      val at = s"$name, metadata cached, memory latency $latency"
      val first = s"$at: cycles added to the first beat"
      val later = reported(s"$at: most cycles added to a later beat", mostAdded(found, latency))
      streams ++ (if (params.verification.blocks)
                    Seq(
                      atMost(s"$at: cycles from the arrival of the last beat to the first beat answered", added - 7, 2),
                      reported(first, added),
                      later
                    )
                  else Seq(atMost(first, added, 0), later))
    }

  /** Room for one line of counters and one of each level, so that a read elsewhere drives them out, and, it may be, for one of tags. */
  private def missing(name: String, params: ProtectionParams): Seq[Figure] =
    for {
      (what, tags) <- Seq("counter and every node" -> MetadataCacheParams(), "counter, tag and every node" -> one)
      tiny = params.copy(counters = SplitCounters(cache = one), integrity = tree.copy(tags = tags, nodes = one))
      figure <- engine(tiny, 20, 100) { (p, bench, latency) =>
        val blocks = p.layout.dataBlocks.toInt
        // The two stand under different nodes of every level
        val places = Seq(70, blocks - 3)
        bench.runAll(writes(places ++ (0 until 8).map(_ * blocks / 8 + 5)))
        bench.flush()
        val added = (0 until 6).map(i => delayOf(bench, places(i % 2)).head).drop(2).max - latency
        val lines = p.layout.levels.size + what.count(_ == ',') + 2
        val note = s"$lines lines of 8 beats come over the bus, the block's among them"
        val at = s"$name, $what missing, memory latency $latency: cycles added to the first beat"
        // With the tag, the lines alone take more than two of the shorter latencies
        // The request for the counter takes a cycle
        Seq(if (params.verification.blocks && tags != one) atMost(at, added, 2.0 * latency + 1, note)
        else reported(at, added, note))
      }
    } yield figure
}
