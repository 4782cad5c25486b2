package hauberk.tools

import hauberk.memory.layout.{BankAddresses, MetadataLayout, TreeLeaves}
import hauberk.memory.reference.ReferenceCounters
import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

class SocDescriptionSpec extends AnyFunSuite {
  private def changed(changes: (String, ujson.Value)*): ujson.Obj = {
    val made = description()
    for ((name, value) <- changes) made(name) = value
    made
  }

  private def changedMetadata(change: (String, ujson.Value)): ujson.Obj = {
    val made = description()
    made("metadata")(change._1) = change._2
    made
  }

  test("modes and banks are read") {
    assert(soc(description(engines = 0)).protection.isEmpty)
    val two = soc(description(Scheme.cbc, 2))
    assert(two.protection.exists(_.mode == "direct CBC"))
    assert(two.protection.exists(_.banks == Seq(0, 64).map(BankAddresses(base, 32768, Seq(6), _))))
    assert(soc(description()).protection.exists(_.mode == "one-time pad"))
  }

  test("formats, integrity and trees of every scheme are read") {
    import CounterFormat._
    def read(scheme: Scheme) = soc(description(scheme)).protection.get
    assert(read(Scheme.otp).counterFormat == Stored(ReferenceCounters.Plain(4)))
    assert(read(Scheme.perAddress).counterFormat == Stored(ReferenceCounters.PerAddress))
    assert(read(Scheme.bonsai).counterFormat == Stored(ReferenceCounters.Split))
    assert(read(Scheme.snc).counterFormat == Spilled && read(Scheme.sncFixed).counterFormat == WrittenBits)
    assert(read(Scheme.xts).counterFormat == Absent && read(Scheme.xts).shape.countersPerLine == 0)
    assert(read(Scheme.bonsai).shape.leaves == TreeLeaves.CounterLines && !read(Scheme.bonsai).overPlaintext)
    assert(read(Scheme.hashTree).shape.leaves == TreeLeaves.TagLines && read(Scheme.hashTree).overPlaintext)
    assert(read(Scheme.logHash).hasTags && !read(Scheme.logHash).tagsWritten && read(Scheme.hashTree).tagsWritten)
    for ((_, scheme) <- Scheme.all) {
      val read = soc(description(scheme))
      assert(read.dataBytes == MetadataLayout(dramBytes, 64, scheme.shape).dataBytes)
      assert(read.protection.get.verifies == (scheme.integrity != "none"))
    }
  }

  test("regions are read, and of overlapping ones the first counts") {
    val regions = Seq(
      DramRegion(Region(base + 0x1000, base + 0x2000), plain = true, context = 0),
      DramRegion(Region(base, base + 0x4000), plain = false, context = 1)
    )
    val read = soc(description(regions = regions)).protection.get
    assert(read.regions == regions && read.contexts == 2)
    assert(read.isPlain(base + 0x1fff) && !read.isPlain(base + 0x2000) && !read.isPlain(base + 0xfff))
    assert(Seq(0xfff, 0x1000, 0x2000, 0x4000).map(offset => read.context(base + offset)) == Seq(1, 0, 1, 0))
    assert(soc(description()).protection.get.contexts == 1)
    refused("context 2", "elaborate the configuration again")(
      soc(description(regions = Seq(regions.head.copy(context = 2))))
    )
  }

  test("numbers may be texts, which keep all bits") {
    assert(soc(changed("dramBase" -> "0x80000000", "dramBytes" -> "65536")) == soc(description()))
  }

  test("descriptions that do not make sense are refused") {
    refused("test.json", "dramBytes should be a number, but is missing") {
      val made = description()
      made.value.remove("dramBytes")
      soc(made)
    }
    refused("dramBytes should be a number, but is true")(soc(changed("dramBytes" -> true)))
    refused("dramBytes should be a number, but is 0.5")(soc(changed("dramBytes" -> 0.5)))
    refused("protected should be true or false")(soc(changed("protected" -> "yes")))
    refused("blocks of 64 bytes")(soc(changed("dramBytes" -> 65535)))
    refused("blocks of 48 bytes")(soc(changed("blockBytes" -> 48)))
    refused("mode 'rot13'", "one-time pad, direct CBC")(soc(changed("mode" -> "rot13")))
    refused("integrity policy 'hope'", "counter tree")(soc(changed("integrity" -> "hope")))
    refused("counter format 'base 60'", "split")(soc(changed("counterFormat" -> "base 60")))
    refused("16 counters is not of the format 'split'")(soc(changed("counterFormat" -> "split")))
    refused("tree over 'leaves'")(soc(changedMetadata("tree" -> "leaves")))
    refused("tree node of 3 children", "elaborate the configuration again")(soc(changedMetadata("arity" -> 3)))
    refused("dataBytes is 65536", "elaborate the configuration again")(soc(changed("dataBytes" -> 65536)))
    refused("3 counters a line", "elaborate the configuration again")(soc(changedMetadata("countersPerLine" -> 3)))
  }

  test("banks must make up the DRAM") {
    val two = description(engines = 2)
    refused("do not make up its DRAM")(soc(changed("banks" -> ujson.Arr())))
    refused("do not make up its DRAM")(soc(changed("banks" -> ujson.Arr(two("banks")(0)))))
    refused("do not make up its DRAM")(soc(changed(
      "engines" -> 2,
      "banks" -> ujson.Arr(two("banks")(0), two("banks")(0))
    )))
    refused("do not make up its DRAM")(soc(changed("dramBase" -> (base + 65536).toDouble)))
  }
}
