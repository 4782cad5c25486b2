package hauberk.memory

import hauberk.memory.layout.MetadataLevel
import hauberk.memory.reference._
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Formats of metadata lines, tags, and the two trees: what is sealed verifies, and whatever memory changes does not. */
class ReferenceMetadataSpec extends AnyFunSuite {
  private val random = new Random(3)
  private def bytes(count: Int): Array[Byte] = Array.fill(count)(random.nextInt().toByte)
  private val keys = ProtectionKeys(bytes(16), bytes(16))
  private val key = keys.dynamicKey
  private def flipped(line: Array[Byte], bit: Int): Array[Byte] =
    line.updated(bit / 8, (line(bit / 8) ^ (1 << (bit % 8))).toByte)
  private def counters(count: Int, bits: Int): Seq[BigInt] = Seq.fill(count)(BigInt(bits, random))

  test("plain counters are whole words of a line") {
    assert(ReferenceCounters.Plain(4).encode(BigInt(1) +: Seq.fill(15)(BigInt(0))).take(5) sameElements
      Array[Byte](1, 0, 0, 0, 0))
    for (size <- Seq(1, 2, 4, 8)) {
      val format = ReferenceCounters.Plain(size)
      val values = counters(format.perLine, 8 * size)
      assert(format.perLine == 64 / size && format.decode(format.encode(values)) == values)
    }
  }

  test("per-address timestamps: 16 of 28 bits, and nothing in the last 8 bytes") {
    val ones = ReferenceCounters.PerAddress.encode(Seq.fill(16)((BigInt(1) << 28) - 1))
    assert(ones.take(56).forall(_ == -1) && ones.drop(56).forall(_ == 0))
    val second = ReferenceCounters.PerAddress.encode(Seq[BigInt](0, 1) ++ Seq.fill(14)(BigInt(0)))
    assert(ReferenceKey.number(second) == BigInt(1) << 28)
    val values = counters(16, 28)
    assert(ReferenceCounters.PerAddress.decode(ReferenceCounters.PerAddress.encode(values)) == values)
    val refusal = intercept[IllegalArgumentException](ReferenceCounters.PerAddress.encode(Seq(BigInt(1) << 28)))
    assert(refusal.getMessage.contains("28 bits"))
  }

  test("split counters: one major counter, 64 minor ones, and nothing in the last 8 bytes") {
    val line = ReferenceCounters.Split.encode(Seq.fill(63)(BigInt(5) << 6) :+ (BigInt(5) << 6 | 63))
    assert(line.take(8) sameElements Array[Byte](5, 0, 0, 0, 0, 0, 0, 0))
    assert(ReferenceKey.number(line.drop(8).take(48)) == BigInt(63) << 378)
    assert(line.drop(56).forall(_ == 0))
    val major = BigInt(58, random)
    val values = counters(64, 6).map(minor => (major << 6) | minor)
    assert(ReferenceCounters.Split.decode(ReferenceCounters.Split.encode(values)) == values)
    // What stands above the 58 bits of the major counter is not part of it.
    assert(ReferenceCounters.Split.decode(flipped(ReferenceCounters.Split.encode(values), 63)) == values)
    assert(intercept[IllegalArgumentException](ReferenceCounters.Split.encode(Seq(1, 64))).getMessage.contains("0, 1"))
  }

  test("spilled sequence numbers: unreadable without the key, bound to their line, and zeros mean zeros") {
    val numbers = counters(16, 32)
    val stored = ReferenceCounters.Spill.encode(key, 2, 7, numbers)
    assert(ReferenceCounters.Spill.decode(key, 2, 7, stored) == numbers)
    assert(ReferenceCounters.Spill.decode(key, 2, 8, stored) != numbers)
    assert(ReferenceCounters.Spill.decode(key, 3, 7, stored) != numbers)
    assert(ReferenceCounters.Plain(4).decode(stored) != numbers)
    assert(ReferenceCounters.Spill.decode(key, 2, 7, new Array[Byte](64)) == Seq.fill(16)(BigInt(0)))
    // The numbers' data units are none of blocks'.
    assert(!stored.sameElements(ReferenceCipher.encryptXts(key, 2, 7, ReferenceCounters.Plain(4).encode(numbers))))
  }

  test("a tag is of its block, place, counter, key and kind") {
    val data = bytes(64)
    val tag = ReferenceTag.written(keys, 1, 5, 9, data)
    val others = Seq(
      ReferenceTag.written(keys, 2, 5, 9, data),
      ReferenceTag.written(keys, 1, 6, 9, data),
      ReferenceTag.written(keys, 1, 5, 10, data),
      ReferenceTag.written(ProtectionKeys(keys.static, bytes(16)), 1, 5, 9, data),
      ReferenceTag.ofImage(keys, 1, 5, 9, data),
      ReferenceTag.ofImage(ProtectionKeys(keys.dynamic, keys.dynamic), 1, 5, 9, data),
      ReferenceTag.ofImage(keys, 1, 5, 10, data)
    ) ++ (0 until 512).map(bit => ReferenceTag.written(keys, 1, 5, 9, flipped(data, bit)))
    assert((tag +: others).distinct.size == others.size + 1)
    assert(ReferenceTag.written(ProtectionKeys(bytes(16), keys.dynamic), 1, 5, 9, data) == tag)
    val packaged = ReferenceTag.ofImage(keys, 1, 5, 9, data)
    assert(ReferenceTag.ofImage(ProtectionKeys(keys.static, bytes(16)), 1, 5, 9, data) == packaged)
  }

  test("a tag is hash plus pad, and never 0") {
    val data = bytes(64)
    val pad = key.encrypt(ReferenceKey.input(3, 1, 5, 9, 0))
    val hash = ReferenceHash.polynomial(ReferenceHash.words(data), key.hashFirst)
    assert(ReferenceTag.written(keys, 1, 5, 9, data) == (hash ^ ReferenceKey.high64(pad)))
    assert(ReferenceTag.notZero(0) == 1 && ReferenceTag.notZero(1) == 1 && ReferenceTag.notZero(-1) == -1)
  }

  // 20 lines below, 3 nodes above them, then 1, guarded by the root table.
  private val levels = Seq(MetadataLevel(4096, 20), MetadataLevel(8192, 3), MetadataLevel(12288, 1))
  private def at(level: Int, line: Int): BigInt = levels(level).base + 64 * line

  /** A memory in which lines 0 to 18 were written back and line 19 was not, over noise. */
  private class CounterTree {
    val memory = collection.mutable.Map.empty[BigInt, Array[Byte]].withDefault(_ => bytes(64))
    val parents: Seq[Seq[BigInt]] = Seq(
      (1 to 19).map(BigInt(_)) :+ BigInt(0),
      Seq[BigInt](3, (BigInt(1) << 56) - 1, 2),
      Seq[BigInt](77)
    )
    val below: Array[Array[Byte]] = Array.fill(20)(ReferenceCounters.PerAddress.encode(counters(16, 28)))
    for (line <- 0 until 19) put(0, line, below(line))
    for {
      level <- 1 to 2
      (eight, line) <- parents(level - 1).grouped(8).zipWithIndex
    }
      put(level, line, ReferenceTree.node(eight.padTo(8, BigInt(0))))

    def put(level: Int, line: Int, content: Array[Byte]): Unit =
      memory(at(level, line)) =
        ReferenceLineMac.seal(key, 4, level, line, parents(level)(line), content)
    def tree(root: BigInt = 77, engine: Int = 4): ReferenceTree =
      new ReferenceTree(levels, engine, key, _ => root, memory)
    def flip(level: Int, line: Int, bit: Int): Unit = {
      val address = at(level, line)
      memory(address) = flipped(memory(address), bit)
    }
  }

  test("counter tree: what was sealed verifies, and a line never written back is zero whatever memory holds") {
    val made = new CounterTree
    val tree = made.tree()
    for (line <- 0 until 19) assert(tree.line(0, line).toOption.get.take(56) sameElements made.below(line).take(56))
    assert(tree.line(0, 19).toOption.get.forall(_ == 0))
    assert(made.tree(root = 0).line(0, 0).toOption.get.forall(_ == 0))
  }

  test("counter tree: a changed bit of any line is found, in it and in all it guards") {
    for {
      (level, line) <- Seq((0, 0), (0, 18), (1, 0), (1, 2), (2, 0))
      bit <- Seq(0, 200, 447, 448, 511)
    } {
      val made = new CounterTree
      made.flip(level, line, bit)
      val guarded = (0 until 19).filter(_ >> (3 * level) == line)
      for (below <- 0 until 19) {
        val expected = if (guarded.contains(below)) Some(TreeFault(level, line)) else None
        assert(made.tree().line(0, below).left.toOption == expected)
      }
    }
  }

  test("counter tree: an old line, a moved line, another engine's line and an old root are found") {
    val made = new CounterTree
    val address = at(0, 3)
    made.memory(address) = ReferenceLineMac.seal(key, 4, 0, 3, 3, made.below(3))
    assert(made.tree().line(0, 3) == Left(TreeFault(0, 3)))
    made.memory(address) = made.memory(at(0, 4))
    assert(made.tree().line(0, 3) == Left(TreeFault(0, 3)))
    assert(made.tree(root = 76).line(0, 0) == Left(TreeFault(2, 0)))
    assert(made.tree(engine = 5).line(0, 0) == Left(TreeFault(2, 0)))
  }

  test("counter tree: a line's MAC is hash plus pad, over all but the MAC") {
    val line = bytes(64)
    val pad = key.encrypt(ReferenceKey.input(5, 4, 11, 13, 2))
    val hash = ReferenceHash.polynomial(ReferenceHash.words(line).take(7), key.hashFirst)
    assert(ReferenceLineMac(key, 4, 2, 11, 13, line) == (hash ^ ReferenceKey.high64(pad)))
    val sealedLine = ReferenceLineMac.seal(key, 4, 2, 11, 13, line)
    assert(ReferenceHash.words(sealedLine) == ReferenceHash.words(line).take(7) :+ (hash ^ ReferenceKey.high64(pad)))
    assert(ReferenceTree.counters(ReferenceTree.node((1 to 8).map(BigInt(_)))) == (1 to 8).map(BigInt(_)))
  }

  /** Tag lines 0 to 18 were written back, line 19 was not. */
  private class TagTree {
    val memory = collection.mutable.Map.empty[BigInt, Array[Byte]].withDefault(_ => bytes(64))
    for (line <- 0 until 20) memory(at(0, line)) = bytes(64)
    private val lowest = (0 until 19).map(hash(0, _)) :+ 0L
    write(1, lowest)
    write(2, (0 until 3).map(hash(1, _)))
    val root: Long = hash(2, 0)

    private def hash(level: Int, line: Int) =
      ReferenceHashTree.hash(key, level, line, memory(at(level, line)))
    private def write(level: Int, hashes: Seq[Long]): Unit =
      for ((eight, line) <- hashes.grouped(8).zipWithIndex) {
        memory(at(level, line)) =
          eight.padTo(8, 0L).flatMap(h => ReferenceKey.littleEndian(BigInt(h), 8)).toArray
      }
    def tree(root: Long = root, imageBlocks: BigInt = 0): ReferenceHashTree =
      new ReferenceHashTree(levels, Seq(key), imageBlocks, _ => root, memory)
  }

  test("hash tree: what is hashed verifies, and a changed bit of any line is found in all it guards") {
    val sound = new TagTree
    for (line <- 0 until 19)
      assert(sound.tree().line(0, line).toOption.get sameElements sound.memory(at(0, line)))
    for {
      (level, line) <- Seq((0, 0), (0, 18), (1, 1), (2, 0))
      bit <- Seq(0, 300, 511)
    } {
      val made = new TagTree
      val address = at(level, line)
      made.memory(address) = flipped(made.memory(address), bit)
      for (below <- 0 until 19) {
        val expected = if (below >> (3 * level) == line) Some(TreeFault(level, line)) else None
        assert(made.tree().line(0, below).left.toOption == expected)
      }
    }
    assert(sound.tree(root = sound.root ^ 1).line(0, 0) == Left(TreeFault(2, 0)))
  }

  test("hash tree: of lines never written back, only tags of the package are taken from memory") {
    val made = new TagTree
    val stored = made.memory(at(0, 19))
    assert(made.tree().line(0, 19).toOption.get.forall(_ == 0))
    val kept = made.tree(imageBlocks = 19 * 8 + 3).line(0, 19).toOption.get
    assert(kept.take(24).sameElements(stored.take(24)) && kept.drop(24).forall(_ == 0))
    assert(made.tree(imageBlocks = 1000).line(0, 19).toOption.get sameElements stored)
    // A node never written back is zero even then: below it, nothing was.
    assert(made.tree(root = 0, imageBlocks = 1000).line(1, 0).toOption.get.forall(_ == 0))
    assert(made.tree(root = 0, imageBlocks = 1000).line(0, 0).toOption.get sameElements made.memory(at(0, 0)))
  }

  test("hash tree: a line's hash names its level and place") {
    val line = bytes(64)
    assert(Seq((0, 0), (0, 1), (1, 0), (1, 1)).map { case (level, number) =>
      ReferenceHashTree.hash(key, level, number, line)
    }.distinct.size == 4)
    val message = ((2L << 56) | 5) +: ReferenceHash.words(line)
    val expected = key.encrypt(8.toByte +: ReferenceHash.wide(message, key))
    assert(ReferenceHashTree.hash(key, 2, 5, line) == ReferenceKey.high64(expected))
  }

  test("log hash: the sums of what was written and what is read agree in any order, and only then") {
    case class Transfer(block: Int, data: Array[Byte], version: Int)
    def sum(transfers: Seq[Transfer]) = transfers.foldLeft(BigInt(0)) { (sum, t) =>
      ReferenceLogHash.add(sum, ReferenceLogHash.element(key, t.block, t.data, t.version))
    }
    val written = (1 to 20).map(version => Transfer(version % 7, bytes(64), version))
    val total = sum(written)
    assert(sum(random.shuffle(written)) == total && total.bitLength <= 128)
    assert(sum(written.tail) != total)
    assert(sum(written.updated(3, written(3).copy(version = 3))) != total)
    assert(sum(written.updated(3, written(3).copy(block = 6))) != total)
    assert(sum(written.updated(3, written(3).copy(data = flipped(written(3).data, 77)))) != total)
    val message = 6L +: ReferenceHash.words(written.head.data) :+ 9L
    assert(ReferenceLogHash.element(key, 6, written.head.data, 9) ==
      BigInt(1, key.encrypt(9.toByte +: ReferenceHash.wide(message, key))))
    assert(ReferenceLogHash.add((BigInt(1) << 128) - 1, 1) == 0)
  }
}
