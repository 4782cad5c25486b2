package hauberk.tools

import hauberk.memory.layout.{MetadataShape, TreeLeaves}

/** A scheme as an SoC's description states it. */
case class Scheme(
    mode: String = "one-time pad",
    counterFormat: String = "plain",
    countersPerLine: Int = 16,
    integrity: String = "none",
    overPlaintext: Boolean = false,
    versionsPerLine: Int = 0,
    tree: String = "none"
) {
  private val leaves =
    Map("none" -> TreeLeaves.None, "counters" -> TreeLeaves.CounterLines, "tags" -> TreeLeaves.TagLines)(tree)

  // So few root entries that even a small DRAM has levels of nodes
  val shape: MetadataShape =
    MetadataShape(countersPerLine, if (integrity == "none") 0 else 8, versionsPerLine, leaves, 8, rootEntries = 4)

  def toJson: Seq[(String, ujson.Value)] = Seq(
    "mode" -> mode,
    "counterFormat" -> counterFormat,
    "integrity" -> integrity,
    "overPlaintext" -> overPlaintext,
    "metadata" -> ujson.Obj(
      "countersPerLine" -> shape.countersPerLine,
      "tagsPerLine" -> shape.tagsPerLine,
      "versionsPerLine" -> shape.versionsPerLine,
      "tree" -> tree,
      "arity" -> shape.arity,
      "rootEntries" -> shape.rootEntries
    )
  )
}

object Scheme {
  val otp: Scheme = Scheme()
  val cbc: Scheme = Scheme(mode = "direct CBC")
  val xts: Scheme = Scheme(mode = "XTS", counterFormat = "none", countersPerLine = 0)
  val snc: Scheme = Scheme(counterFormat = "spilled")
  val sncFixed: Scheme = Scheme("one-time pad or XTS", "written bits", 512)
  val blockTags: Scheme = Scheme(integrity = "block tags")
  val hashTree: Scheme = Scheme(integrity = "hash tree", overPlaintext = true, tree = "tags")
  val logHash: Scheme = Scheme(integrity = "log hash", overPlaintext = true, versionsPerLine = 16)
  val bonsai: Scheme =
    Scheme(counterFormat = "split", countersPerLine = 64, integrity = "counter tree", tree = "counters")
  val perAddress: Scheme = Scheme(counterFormat = "per-address", integrity = "counter tree", tree = "counters")

  val tilePads: Scheme = Scheme(counterFormat = "announced", countersPerLine = 0)

  /** Schemes whose DRAM tells the counters of all blocks. */
  val withCounters: Seq[(String, Scheme)] = Seq(
    "one-time pad" -> otp,
    "direct CBC" -> cbc,
    "SNC" -> snc,
    "block tags" -> blockTags,
    "hash tree" -> hashTree,
    "log hash" -> logHash,
    "counter tree over split counters" -> bonsai,
    "counter tree over per-address timestamps" -> perAddress
  )
  val all: Seq[(String, Scheme)] =
    withCounters ++ Seq("XTS" -> xts, "SNC without replacement" -> sncFixed)
}
