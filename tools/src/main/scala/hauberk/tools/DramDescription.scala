package hauberk.tools

import hauberk.memory.layout.{BankAddresses, MetadataShape, TreeLeaves}
import hauberk.memory.reference.{ReferenceCounters, ReferenceModel}

/** The part of an SoC's description that says how its DRAM is protected. */
private object DramDescription {
  def protection(json: JsonFile, blockBytes: Int): DramProtection = {
    val shape = metadata(json.child("metadata"))
    DramProtection(
      known(json.text("mode"), "mode", ReferenceModel.modes),
      counterFormat(json.text("counterFormat"), shape, blockBytes),
      known(json.text("integrity"), "integrity policy", integrities),
      json.flag("overPlaintext"),
      shape,
      banks(json),
      regions(json)
    )
  }

  private val integrities = Seq("none", "block tags", "counter tree", "hash tree", "log hash")

  private val trees =
    Map("none" -> TreeLeaves.None, "counters" -> TreeLeaves.CounterLines, "tags" -> TreeLeaves.TagLines)

  private def known(name: String, what: String, names: Iterable[String]): String = {
    UserError.unless(names.exists(_ == name))(
      s"there is no reference model of the $what '$name', only of ${names.mkString(", ")}"
    )
    name
  }

  private def metadata(json: JsonFile): MetadataShape = MetadataShape(
    json.int("countersPerLine"),
    json.int("tagsPerLine"),
    json.int("versionsPerLine"),
    trees(known(json.text("tree"), "tree over", trees.keys)),
    json.int("arity"),
    json.int("rootEntries")
  )

  private def counterFormat(name: String, shape: MetadataShape, blockBytes: Int): CounterFormat = {
    import CounterFormat._
    val formats = Map(
      "plain" -> (() => Stored(ReferenceCounters.Plain(blockBytes / shape.countersPerLine))),
      "pairs" -> (() => Stored(ReferenceCounters.Pairs(blockBytes))),
      "per-address" -> (() => Stored(ReferenceCounters.PerAddress)),
      "split" -> (() => Stored(ReferenceCounters.Split)),
      "spilled" -> (() => Spilled),
      "written bits" -> (() => WrittenBits),
      "announced" -> (() => Announced),
      "none" -> (() => Absent)
    )
    val format = formats(known(name, "counter format", formats.keys))()
    val perLine = format match {
      case Stored(lines) => lines.perLine
      case Spilled => ReferenceCounters.lineBytes / 4
      case WrittenBits => 8 * blockBytes
      case Announced | Absent => 0
    }
    val lineBytes = format match {
      case Stored(lines) => lines.size
      case _ => ReferenceCounters.lineBytes
    }
    UserError.unless(perLine == shape.countersPerLine && (perLine == 0 || blockBytes == lineBytes))(
      s"a line of $blockBytes bytes with ${shape.countersPerLine} counters is not of the format '$name': elaborate the configuration again"
    )
    format
  }

  private def regions(json: JsonFile): Seq[DramRegion] =
    (if (json.has("regions")) json.children("regions") else Nil).map { region =>
      val base = region.number("base")
      val context = region.int("context")
      UserError.unless(context == 0 || context == 1)(
        s"a region is of context $context, and there are 0 and 1: elaborate the configuration again"
      )
      DramRegion(Region(base, base + region.number("bytes")), region.flag("plain"), context)
    }

  private def banks(json: JsonFile): Seq[BankAddresses] = {
    val found = json.children("banks").map { bank =>
      BankAddresses(
        bank.number("base"),
        bank.number("bytes"),
        bank.numbers("selectBits").map(_.toInt),
        bank.number("select")
      )
    }
    val whole =
      found.forall(_.base == json.number("dramBase")) && found.map(_.localBytes).sum == json.number("dramBytes") &&
        found.map(_.select).distinct.size == json.int("engines")
    UserError.unless(whole)(
      s"the ${found.size} banks of ${json.text("config")} do not make up its DRAM: packages are for DRAM that is wholly protected"
    )
    found
  }
}
