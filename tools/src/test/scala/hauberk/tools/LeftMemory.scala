package hauberk.tools

import hauberk.memory.layout.{MetadataLayout, MetadataLevel}
import hauberk.memory.reference._
import hauberk.tools.Fixtures._

/** The DRAM that an SoC would leave: a package loaded over noise, blocks written, and everything flushed at the end; by the reference model,
  * without the tools' own code.
  *
  * @param under the dynamic key of a block, for memory that was being re-encrypted
  */
class LeftMemory(
    made: ProgramPackage,
    scheme: Scheme,
    engines: Int,
    under: BigInt => Array[Byte] = _ => dynamicKey
) {
  private val keyPair = ProtectionKeys(keys.static, dynamicKey)
  private def regionOf(offset: Int) =
    made.soc.protection.get.regions.find(_.region.contains(base + offset, base + offset + 1))
  val dump: Dram = new Dram(base, randomBytes(dramBytes.toInt))
  private val layout = MetadataLayout(dramBytes / engines, 64, scheme.shape)
  private val models = (0 until engines).map(new ReferenceModel(scheme.mode, layout, _))
  private val counters = Array.fill(engines)(collection.mutable.Map.empty[BigInt, BigInt].withDefaultValue(BigInt(0)))
  private val direct = collection.mutable.Set.empty[(Int, BigInt)]
  var writes = 0

  dump.put(base, made.image.content)
  for (tags <- made.tags) dump.put(tags.base, tags.content)
  private val counterLines = layout.counterLines.toInt
  private val guarded = scheme.tree == "counters"
  if (!guarded) for {
    engine <- 0 until engines
    line <- 0 until counterLines
  } putCounters(engine, line)

  /** Where DRAM has a bank-local address: engines take turns block by block. */
  def global(engine: Int, local: BigInt): BigInt = base + local / 64 * 64 * engines + engine * 64 + local % 64
  private def memory(engine: Int)(local: BigInt): Array[Byte] = dump.bytes(global(engine, local), 64)

  def counter(offset: Int): BigInt = counters(offset / 64 % engines)(offset / 64 / engines)
  def setCounter(offset: Int, value: BigInt): Unit = {
    counters(offset / 64 % engines)(offset / 64 / engines) = value
    if (!guarded) putCounters(offset / 64 % engines, offset / 64 / engines / layout.countersPerLine)
  }

  /** A block that the program writes.
    *
    * @param numbered without replacement, the block has found a place for its number, on the chip
    */
  def write(offset: Int, plain: Array[Byte], numbered: Boolean = false): Unit = {
    val (engine, block) = (offset / 64 % engines, BigInt(offset / 64 / engines))
    val model = models(engine)
    val keyPair =
      ProtectionKeys(keys.static, if (regionOf(offset).exists(_.context == 1)) secondKeys(engine) else under(block))
    writes += 1
    def encrypted = scheme.counterFormat match {
      case "none" => model.encrypt(keyPair, block, 0, plain)
      case "written bits" if numbered => model.encrypt(keyPair, block, writes, plain)
      case "written bits" =>
        direct += ((engine, block))
        putCounters(engine, (block / layout.countersPerLine).toInt)
        model.encryptDirect(keyPair, block, plain)
      case "split" | "per-address" =>
        setCounter(offset, counter(offset) + 1)
        model.encrypt(keyPair, block, counter(offset), plain)
      case _ =>
        setCounter(offset, writes)
        model.encrypt(keyPair, block, writes, plain)
    }
    if (regionOf(offset).exists(_.plain)) dump.put(base + offset, plain)
    else dump.put(base + offset, encrypted)
    if (scheme.integrity != "none" && scheme.integrity != "log hash") {
      val data = if (scheme.overPlaintext) plain else dump.bytes(base + offset, 64)
      val tag = ReferenceTag.written(keyPair, engine, block, counter(offset), data)
      dump.put(global(engine, layout.tagAddress(block)), ReferenceKey.littleEndian(BigInt(tag), 8))
    }
  }

  private def putCounters(engine: Int, line: Int): Unit = {
    val blocks = (line * layout.countersPerLine until (line + 1) * layout.countersPerLine).map(BigInt(_))
    val values = blocks.map(counters(engine)(_))
    val stored = scheme.counterFormat match {
      case "plain" => ReferenceCounters.Plain(4).encode(values)
      case "spilled" if values.exists(_ != 0) =>
        ReferenceCounters.Spill.encode(keyPair.dynamicKey, engine, line, values)
      case "spilled" => new Array[Byte](64)
      case "written bits" =>
        val bits = blocks.zipWithIndex.collect { case (block, i) if direct((engine, block)) => BigInt(1) << i }
        ReferenceKey.littleEndian(bits.sum, 64)
      case "split" => ReferenceCounters.Split.encode(values)
      case "per-address" => ReferenceCounters.PerAddress.encode(values)
    }
    dump.put(global(engine, layout.counterLineAddress(line)), stored)
  }

  /** Write back everything that guards something: lines of a tree are those below which something was written. */
  def flush(): LeftMemory = {
    for (engine <- 0 until engines) {
      val leafOf = (block: BigInt) => (block / (if (guarded) layout.countersPerLine else 8)).toInt
      val leaves = counters(engine).collect { case (block, value) if value != 0 => leafOf(block) }.toSet
      scheme.tree match {
        case "counters" =>
          leaves.foreach(putCounters(engine, _))
          sealCounters(engine, leaves)
        case "tags" =>
          emptyTags(engine, leaves)
          sealTags(engine, leaves)
        case _ =>
      }
    }
    this
  }

  /** Lines of a level as counters or nodes without MAC; their parents' counters are their numbers plus 2. */
  private def sealCounters(engine: Int, leaves: Set[Int]): Unit = {
    val levels = MetadataLevel(layout.counterBase, layout.counterLines) +: layout.levels
    levels.zipWithIndex.foldLeft(leaves) { case (lines, (level, height)) =>
      for (line <- lines) {
        val address = global(engine, level.base + line * 64)
        val content = dump.bytes(address, 64)
        dump.put(address, ReferenceLineMac.seal(keyPair.dynamicKey, engine, height, line, line + 2, content))
      }
      val parents = lines.map(_ / 8)
      if (height + 1 < levels.size) for (parent <- parents) {
        val below = (parent * 8 until parent * 8 + 8).map(line => BigInt(if (lines(line)) line + 2 else 0))
        dump.put(global(engine, levels(height + 1).base + parent * 64), ReferenceTree.node(below))
      }
      parents
    }
  }

  /** In tag lines that were written, blocks that neither package nor program brought have tag 0. */
  private def emptyTags(engine: Int, leaves: Set[Int]): Unit =
    for {
      line <- leaves
      block <- line * 8 until line * 8 + 8
    }
      if (counters(engine)(block) == 0 && block >= made.imageBlocks)
        dump.put(global(engine, layout.tagAddress(block)), new Array[Byte](8))

  private def sealTags(engine: Int, leaves: Set[Int]): Unit = {
    val levels = MetadataLevel(layout.tagBase, layout.tagLines) +: layout.levels
    // While memory is re-encrypted, a line has its hash under the key it was last written back with
    def key(height: Int, line: Int) = new ReferenceKey(under(line * BigInt(8).pow(height + 1)))
    levels.zipWithIndex.init.foldLeft(leaves) { case (lines, (level, height)) =>
      val parents = lines.map(_ / 8)
      for (parent <- parents) {
        val hashes = (parent * 8 until parent * 8 + 8).map { line =>
          if (!lines(line)) 0L
          else ReferenceHashTree.hash(key(height, line), height, line, memory(engine)(level.base + line * 64))
        }
        val node = hashes.flatMap(hash => ReferenceKey.littleEndian(BigInt(hash), 8)).toArray
        dump.put(global(engine, levels(height + 1).base + parent * 64), node)
      }
      parents
    }
  }
}
