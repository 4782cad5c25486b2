package hauberk.memory

import hauberk.memory.layout.{BankAddresses, MetadataLayout, MetadataShape, TreeLeaves}
import hauberk.memory.reference._
import java.nio.file.{Files, Paths}
import org.scalatest.funsuite.AnyFunSuite

/** The examples of docs/formats.md, which `tests/formats` recomputes from the page alone, are those of the reference model. */
// covers: memory.reference
class FormatsSpec extends AnyFunSuite {
  private val page = new String(Files.readAllBytes(Paths.get("docs/formats.md")), "UTF-8")
  private val examples = "(?s)```text\n# example: ([^\n]*)\n(.*?)```".r.findAllMatchIn(page).map { found =>
    val rows = found.group(2).trim.split("\n").map(_.split(" {2,}", 2)).map(row => row(0) -> row(1))
    found.group(1) -> new Example(rows.toMap)
  }.toMap

  private class Example(rows: Map[String, String]) {
    def text(name: String): String = rows(name)
    def bytes(name: String): Array[Byte] = rows(name).grouped(2).map(Integer.parseInt(_, 16).toByte).toArray
    def number(name: String): BigInt = Example.number(rows(name))
    def numbers(name: String): Seq[BigInt] = rows(name).split(" ").map(Example.number).toSeq
    def keys: ProtectionKeys = ProtectionKeys(bytes("key"), bytes("key"))
    def key: ReferenceKey = keys.dynamicKey
    def engine: Int = number("engine").toInt
  }
  private object Example {
    def number(text: String): BigInt = if (text.startsWith("0x")) BigInt(text.drop(2), 16) else BigInt(text)
  }

  private def hex(bytes: Array[Byte]): String = bytes.map(byte => f"${byte & 0xff}%02x").mkString
  private def unsigned(value: Long): BigInt = BigInt(value) & ((BigInt(1) << 64) - 1)

  /** Checks an example; the names of those that were checked are compared with the page's in the end. */
  private val checked = collection.mutable.Set.empty[String]
  private def example(name: String)(check: Example => Unit): Unit = {
    checked += name
    test(name) { check(examples(name)) }
  }

  example("aes input") { e =>
    val input = ReferenceKey.input(
      e.number("domain").toInt,
      e.engine,
      e.number("index"),
      e.number("counter"),
      e.number("AES block").toInt
    )
    assert(hex(input) == e.text("input"))
  }

  example("derived keys") { e =>
    assert(
      unsigned(e.key.hashFirst) == e.number("first point") && unsigned(e.key.hashSecond) == e.number("second point")
    )
    assert(hex(e.key(7, 0, 0, 0, 0)) == e.text("tweak key"))
  }

  for ((name, mode) <- Seq("counter mode" -> "one-time pad", "direct cbc" -> "direct CBC", "xts" -> "XTS"))
    example(name) { e =>
      val model = new ReferenceModel(mode, MetadataLayout(1 << 16, 64, MetadataShape()), e.engine)
      val counter = if (mode == "XTS") BigInt(0) else e.number("counter")
      assert(hex(model.encrypt(e.keys, e.number("block"), counter, e.bytes("data"))) == e.text("ciphertext"))
      assert(hex(model.decrypt(e.keys, e.number("block"), counter, e.bytes("ciphertext"))) == e.text("data"))
    }

  example("spilled numbers") { e =>
    val stored = ReferenceCounters.Spill.encode(e.key, e.engine, e.number("line"), e.numbers("numbers"))
    assert(hex(stored) == e.text("stored"))
  }

  example("per-address timestamps") { e =>
    assert(hex(ReferenceCounters.PerAddress.encode(e.numbers("timestamps")).take(56)) == e.text("payload"))
  }

  example("split counters") { e =>
    val counters = e.numbers("minors").map(e.number("major") * 64 + _)
    assert(hex(ReferenceCounters.Split.encode(counters).take(56)) == e.text("payload"))
    assert(counters(63) == e.number("counter of block 63"))
  }

  example("polynomial") { e =>
    val hash = ReferenceHash.polynomial(ReferenceHash.words(e.bytes("data")), e.number("point").toLong)
    assert(unsigned(hash) == e.number("hash"))
  }

  example("tag of a written block") { e =>
    val tag = ReferenceTag.written(e.keys, e.engine, e.number("block"), e.number("counter"), e.bytes("data"))
    assert(unsigned(tag) == e.number("tag"))
  }

  example("tag of an image block") { e =>
    val tag = ReferenceTag.ofImage(e.keys, e.engine, e.number("block"), e.number("image blocks"), e.bytes("data"))
    assert(unsigned(tag) == e.number("tag"))
  }

  for (name <- Seq("mac of a counter line", "mac of a node")) example(name) { e =>
    val level = e.number("level").toInt
    val mac = ReferenceLineMac(e.key, e.engine, level, e.number("line"), e.number("parent"), e.bytes("payload"))
    assert(unsigned(mac) == e.number("mac"))
    if (level > 0) assert(hex(ReferenceTree.node(e.numbers("counters")).take(56)) == e.text("payload"))
  }

  example("hash of a line") { e =>
    val hash = ReferenceHashTree.hash(e.key, e.number("level").toInt, e.number("line"), e.bytes("data"))
    assert(unsigned(hash) == e.number("hash"))
  }

  example("log element") { e =>
    val element = ReferenceLogHash.element(e.key, e.number("block"), e.bytes("data"), e.number("version"))
    assert(element == e.number("element"))
  }

  example("bank address") { e =>
    val bank = BankAddresses(e.number("base"), 8 << 20, e.numbers("select bits").map(_.toInt), e.number("select"))
    assert(bank.toLocal(e.number("address")) == e.number("local"))
    assert(bank.toGlobal(e.number("local")) == e.number("address"))
  }

  example("layout") { e =>
    val shape = MetadataShape(
      countersPerLine = e.number("counters a line").toInt,
      tagsPerLine = e.number("tags a line").toInt,
      leaves = TreeLeaves.CounterLines
    )
    val layout = MetadataLayout(e.number("bank bytes"), 64, shape)
    assert(layout.dataBytes == e.number("data bytes"))
    assert(Seq(layout.counterBase, layout.counterLines) == e.numbers("counters"))
    assert(Seq(layout.tagBase, layout.tagLines) == e.numbers("tags"))
    assert(layout.levels.map(level => Seq(level.base, level.lines)) == Seq(e.numbers("level 1")))
  }

  test("every example of the page is checked") {
    assert(examples.keySet == checked)
  }
}
