package hauberk.memory

import hauberk.memory.layout.{MetadataLayout, MetadataShape, TreeLeaves}
import org.scalatest.funsuite.AnyFunSuite

/** Where a bank keeps what: known sizes, the edges of the layout, and sizes that cannot be laid out. */
class MetadataLayoutSpec extends AnyFunSuite {
  private val points = for {
    localBytes <- Seq[BigInt](4096, 65536, 3 * 65536, 16 << 20, 48 << 20, BigInt(1) << 40)
    blockBytes <- Seq(32, 64)
    counterBytes <- Seq(1, 2, 4, 8)
  } yield MetadataLayout(localBytes, blockBytes, counterBytes)

  /** First and last blocks, and those around the end of the first metadata line. */
  private def edges(layout: MetadataLayout): Seq[BigInt] =
    Seq[BigInt](
      0,
      1,
      layout.countersPerLine - 1,
      layout.countersPerLine,
      layout.dataBlocks - 1
    ).filter(_ < layout.dataBlocks)

  test("16 MiB with blocks of 64 bytes and counters of 4: one MiB is set aside") {
    val layout = MetadataLayout(16 << 20, 64, 4)
    assert(layout.reservedBytes == (1 << 20))
    assert(layout.dataBytes == (15 << 20))
    assert(layout.counterBase == (15 << 20))
    assert(layout.countersPerLine == 16)
    assert(layout.dataBlocks == 245760)
    assert(layout.counterLines == 15360)
  }

  test("the counter of a block stands at TS_Base + Addr / B_L2 * B_TS (AEGIS section 6.3)") {
    val layout = MetadataLayout(65536, 64, 8)
    assert(layout.counterAddress(layout.blockOf(0)) == layout.counterBase)
    assert(layout.counterAddress(layout.blockOf(63)) == layout.counterBase)
    assert(layout.counterAddress(layout.blockOf(64)) == layout.counterBase + 8)
    assert(layout.counterAddress(layout.blockOf(0x1fc0)) == layout.counterBase + 0x1fc0 / 64 * 8)
  }

  test("every counter lies behind the data, within the bank, and on its metadata line") {
    for {
      layout <- points
      block <- edges(layout)
    } {
      val address = layout.counterAddress(block)
      val line = layout.counterLine(block)
      assert(address >= layout.dataBytes && address + layout.counterBytes <= layout.localBytes, layout)
      assert(line < layout.counterLines, layout)
      assert(address / layout.blockBytes * layout.blockBytes == layout.counterLineAddress(line), layout)
      assert(!layout.isData(address), layout)
    }
  }

  test("metadata lines are aligned blocks, and there are no more of them than the counters need") {
    for (layout <- points) {
      assert(layout.counterBase % layout.blockBytes == 0, layout)
      val counters = layout.counterLines * layout.countersPerLine
      assert(counters >= layout.dataBlocks && counters - layout.dataBlocks < layout.countersPerLine, layout)
      assert(layout.counterLineAddress(layout.counterLines) <= layout.localBytes, layout)
    }
  }

  test("what is set aside is a 64th of the bank some times over, and one less would not do") {
    for (layout <- points) {
      val unit = layout.localBytes / 64
      assert(layout.reservedBytes % unit == 0, layout)
      assert(layout.reservedBytes + layout.dataBytes == layout.localBytes, layout)
      assert(layout.metadataBytes <= layout.reservedBytes, layout)
      val more = layout.dataBytes + unit
      assert(more + layout.shape.allLines(more / layout.blockBytes) * layout.blockBytes > layout.localBytes, layout)
    }
  }

  private val whole =
    MetadataShape(countersPerLine = 64, tagsPerLine = 8, versionsPerLine = 16, leaves = TreeLeaves.CounterLines)

  test("split counters, tags and a tree over 16 MiB fit an eighth of it") {
    val layout = MetadataLayout(16 << 20, 64, whole.copy(versionsPerLine = 0))
    assert(layout.dataBytes == (14 << 20))
    assert(layout.counterLines == 3584 && layout.tagLines == 28672)
    assert(layout.levels.map(_.lines) == Seq(448) && layout.rootLines == 448)
    assert(layout.metadataBytes * 100 <= layout.dataBytes * 15)
  }

  test("arrays and levels follow each other without a gap or an overlap, and every tree ends in its root") {
    for {
      leaves <- Seq(TreeLeaves.None, TreeLeaves.CounterLines, TreeLeaves.TagLines)
      localBytes <- Seq[BigInt](65536, 3 << 20, BigInt(1) << 32)
      root <- Seq(1, 8, 512)
    } {
      val layout = MetadataLayout(localBytes, 64, whole.copy(leaves = leaves, rootEntries = root))
      val arrays = Seq(
        layout.counterBase -> layout.counterLines,
        layout.versionBase -> layout.versionLines,
        layout.tagBase -> layout.tagLines
      ) ++ layout.levels.map(level => level.base -> level.lines)
      val end = arrays.foldLeft(layout.dataBytes) { case (at, (base, lines)) =>
        assert(base == at, layout)
        base + lines * 64
      }
      assert(end <= localBytes && end - layout.dataBytes == layout.metadataBytes, layout)
      assert(layout.rootLines <= root, layout)
      val below = layout.leafLines +: layout.levels.map(_.lines)
      for ((children, parents) <- below.zip(below.tail)) assert(parents == (children + 7) / 8, layout)
    }
  }

  test("a tree with nothing to stand on is refused") {
    val noCounters = intercept[IllegalArgumentException](MetadataShape(leaves = TreeLeaves.CounterLines))
    assert(noCounters.getMessage.contains("choose a counter store"))
    val noTags = intercept[IllegalArgumentException](MetadataShape(countersPerLine = 16, leaves = TreeLeaves.TagLines))
    assert(noTags.getMessage.contains("keep tags"))
  }

  test("addresses outside the data are not data") {
    val layout = MetadataLayout(65536, 64, 4)
    assert(layout.isData(0) && layout.isData(layout.dataBytes - 1))
    assert(!layout.isData(-1) && !layout.isData(layout.dataBytes) && !layout.isData(layout.localBytes))
  }

  test("the smallest bank has 64 blocks") {
    assert(MetadataLayout(4096, 64, 4).dataBlocks == 60)
    refused(2048, 64, 4)("2048", "multiple of 4096")
  }

  test("sizes that cannot be laid out are refused with the size and what to change") {
    refused(65536, 48, 4)("blockBytes is 48", "power of two")
    refused(65536, 0, 4)("blockBytes is 0", "power of two")
    refused(65536, -64, 4)("blockBytes is -64", "power of two")
    refused(65536, 64, 3)("counterBytes is 3", "1, 2, 4 or 8")
    refused(65536, 64, 16)("counterBytes is 16", "1, 2, 4 or 8")
    refused(65536, 64, 0)("counterBytes is 0", "1, 2, 4 or 8")
    refused(0, 64, 4)("0 bytes", "multiple of 4096")
    refused(-4096, 64, 4)("-4096 bytes", "multiple of 4096")
    refused(65536 + 64, 64, 4)("65600 bytes", "multiple of 4096")
  }

  private def refused(localBytes: BigInt, blockBytes: Int, counterBytes: Int)(parts: String*): Unit = {
    val refusal = intercept[IllegalArgumentException](MetadataLayout(localBytes, blockBytes, counterBytes))
    for (part <- parts) assert(refusal.getMessage.contains(part))
  }
}
