package hauberk.memory.engine

import chisel3._
import hauberk.abi.Counter

/** Event counters since reset, 64 bits each; [[EngineStatistics.counters]] describes them. Traffic is counted in transfers on the memory
  * side, without the zero writes that initialise counter lines. A write that finds no fresh counter counts as a look-up like any other.
  */
class EngineStatistics extends Bundle {
  val hits, misses, pads = UInt(64.W)
  val dataReads, dataWrites, metadataReads, metadataWrites = UInt(64.W)
  val stallCycles, partialWrites = UInt(64.W)
  val tagHits, tagMisses, nodeHits, nodeMisses = UInt(64.W)
  val verified, reencrypted = UInt(64.W)
  val rightPads, wrongPads, steeredWrites, ignoredHints, joinedWrites, forwardedReads = UInt(64.W)
}

/** The table of an engine's counters. */
object EngineStatistics {
  private def inCache(key: String) = Some(("counter_cache", key))
  private def inProtector(key: String) = Some(("protector", key))

  /** In the order of run records. */
  val counters: Seq[Counter] = Seq(
    Counter("hits", 0, "hits", inCache("hits"), "counter look-ups that hit in the counter cache"),
    Counter("misses", 1, "misses", inCache("misses"), "counter look-ups that missed, once per block access"),
    Counter("pads", 2, "aes_blocks", inProtector("pads"), "AES blocks started"),
    Counter("dataReads", 3, "data_reads", None, "data transfers read from memory"),
    Counter("dataWrites", 4, "data_writes", None, "data transfers written to memory"),
    Counter("metadataReads", 5, "metadata_reads", None, "metadata transfers read from memory"),
    Counter("metadataWrites", 6, "metadata_writes", None, "metadata transfers written to memory"),
    Counter(
      "partialWrites",
      8,
      "partial_writes",
      inProtector("partial_writes"),
      "partial writes, each a read-modify-write"
    ),
    Counter("stallCycles", 7, "stall_cycles", inProtector("stall_cycles"), "cycles in which a client request waited"),
    Counter("tagHits", 9, "tag_hits", inProtector("tag_hits"), "tag or log-version lookups that hit"),
    Counter("tagMisses", 10, "tag_misses", inProtector("tag_misses"), "tag or log-version lookups that missed"),
    Counter("nodeHits", 11, "node_hits", inProtector("node_hits"), "tree-node look-ups that hit"),
    Counter("nodeMisses", 12, "node_misses", inProtector("node_misses"), "tree-node look-ups that missed"),
    Counter("verified", 13, "verified", inProtector("verified"), "blocks verified"),
    Counter("reencrypted", 14, "refreshed", inProtector("refreshed"), "blocks re-encrypted in the background"),
    Counter("rightPads", 15, "right_pads", inProtector("right_pads"), "reads whose counter was the expected one"),
    Counter("wrongPads", 16, "wrong_pads", inProtector("wrong_pads"), "reads whose counter was another than expected"),
    Counter("steeredWrites", 17, "steered_writes", inProtector("steered_writes"), "writes under a hinted counter"),
    Counter(
      "ignoredHints",
      18,
      "ignored_hints",
      inProtector("ignored_hints"),
      "hints of ids or registers that do not exist"
    ),
    Counter(
      "joinedWrites",
      19,
      "joined_writes",
      inProtector("joined_writes"),
      "writes that joined a write of their block before it left"
    ),
    Counter(
      "forwardedReads",
      20,
      "forwarded_reads",
      inProtector("forwarded_reads"),
      "reads that got their bytes from a write in flight"
    )
  )

  /** The sums over several engines. */
  def sum(engines: Seq[EngineStatistics]): EngineStatistics = {
    val total = Wire(new EngineStatistics)
    for (counter <- counters) { counter.of(total) := engines.map(engine => counter.of(engine)).reduce(_ + _) }
    total
  }
}
