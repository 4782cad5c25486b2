package hauberk.tools

import hauberk.memory.layout.{BankAddresses, MetadataLayout}
import hauberk.memory.reference.{ProtectionKeys, ReferenceKey, ReferenceModel, ReferenceTag}

/** One engine's part of DRAM, with the reference model of it. */
class DramEngine(blockBytes: Int, protection: DramProtection, val number: Int) {
  val bank: BankAddresses = protection.banks(number)
  val layout: MetadataLayout = MetadataLayout(bank.localBytes, blockBytes, protection.shape)
  val model: ReferenceModel = new ReferenceModel(protection.mode, layout, number)

  def block(address: BigInt): BigInt = layout.blockOf(bank.toLocal(address))

  /** Bus address of a block. */
  def address(block: BigInt): BigInt = bank.toGlobal(block * blockBytes)

  /** The tag of a block as a package brings it. */
  def imageTag(
      keys: ProtectionKeys,
      block: BigInt,
      imageBlocks: BigInt,
      plain: Array[Byte],
      stored: Array[Byte]
  ): Long =
    ReferenceTag.ofImage(keys, number, block, imageBlocks, if (protection.overPlaintext) plain else stored)
}

/** The reference model seen from the bus: bus addresses in, whatever bank, engine and block number they mean.
  *
  * @param soc        whose DRAM it is
  * @param protection how it is protected
  */
class ProtectedDram(soc: SocDescription, protection: DramProtection) {
  val engines: Seq[DramEngine] = protection.banks.indices.map(new DramEngine(soc.blockBytes, protection, _))

  /** The engine that guards a block, and its number for it. */
  def locate(address: BigInt): (DramEngine, BigInt) = {
    require(address % soc.blockBytes == 0, s"${Hex(address)} is not the start of a block of ${soc.blockBytes} bytes")
    val engine = engines.find(_.bank.contains(address)).getOrElse(
      throw new IllegalArgumentException(s"no engine guards ${Hex(address)}")
    )
    (engine, engine.block(address))
  }

  /** Blocks that the engine with most of them has before `end`. */
  def imageBlocks(end: BigInt): BigInt =
    (soc.dramBase until end by soc.blockBytes).map(address => locate(address)._2 + 1).max

  /** The first end of an image, not before `end`, with which every engine has the same blocks of its own in the image. */
  def evenEnd(end: BigInt): BigInt = {
    val even = engines.map(_.address(imageBlocks(end) - 1) + soc.blockBytes).max
    if (even <= end) end else evenEnd(even)
  }

  /** What is shipped of an image: its blocks as nobody has written them yet, and the lines of DRAM that hold their tags. */
  def shipped(plaintext: Dram, keys: ProtectionKeys): (Dram, Option[Dram]) = {
    val blocks = imageBlocks(plaintext.end)
    val image = new Dram(plaintext.base, new Array[Byte](plaintext.content.length))
    val tags = if (protection.hasTags) Some(tagLines(blocks)) else None
    (plaintext.base until plaintext.end by soc.blockBytes).foreach { address =>
      val (engine, block) = locate(address)
      val plain = plaintext.bytes(address, soc.blockBytes)
      val stored = if (protection.isPlain(address)) plain else engine.model.encrypt(keys, block, 0, plain)
      image.put(address, stored)
      tags.foreach { lines =>
        val tag = engine.imageTag(keys, block, blocks, plain, stored)
        lines.put(engine.bank.toGlobal(engine.layout.tagAddress(block)), ReferenceKey.littleEndian(BigInt(tag), 8))
      }
    }
    (image, tags)
  }

  /** Room for the tags of so many blocks of every engine; what lies between is nobody's, or is zero anyway. */
  private def tagLines(blocks: BigInt): Dram = {
    val lines = for {
      engine <- engines
      local <- engine.layout.tagBase to engine.layout.tagAddress(blocks - 1) by soc.blockBytes
    } yield engine.bank.toGlobal(local)
    new Dram(lines.min, new Array[Byte]((lines.max + soc.blockBytes - lines.min).toInt))
  }
}
