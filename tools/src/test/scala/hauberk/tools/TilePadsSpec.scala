package hauberk.tools

import hauberk.memory.layout.{MetadataLayout, MetadataShape}
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.tools.Fixtures._
import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec
import org.scalatest.funsuite.AnyFunSuite

/** Memory that tiles encrypted, made by hand: the package's blocks and what tiles wrote, under the key that follows from the bus's. */
class TilePadsSpec extends AnyFunSuite {
  private val described = soc(description(Scheme.tilePads))
  private val busKey = Array.tabulate(16)(i => (0x40 + i).toByte)
  private val packageKeys = keys.copy(bus = Some(busKey))
  private val shares = Seq(BigInt("0123456789abcdef", 16), BigInt("fedcba9876543210", 16), BigInt(7))
  private val resultBytes = randomBytes(20)
  private val uart = UartLog(Some(Fnv1a(resultBytes)))

  private def aes(key: Array[Byte], block: Array[Byte]): Array[Byte] = {
    val cipher = Cipher.getInstance("AES/ECB/NoPadding")
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"))
    cipher.doFinal(block)
  }
  private def xor(a: Array[Byte], b: Array[Byte]): Array[Byte] = a.zip(b).map { case (x, y) => (x ^ y).toByte }
  private def block(bytes: (Int, Int)*): Array[Byte] = {
    val made = new Array[Byte](16)
    bytes.foreach { case (place, value) => made(place) = value.toByte }
    made
  }

  /** As docs/senss.md has it: CBC-MAC of group and members, then of each member's share; of that, the key for pads. */
  private val padKey: Array[Byte] = {
    val first = aes(busKey, block(0 -> 0x40, 15 -> 7))
    val session = shares.zipWithIndex.foldLeft(first) { case (sum, (share, pid)) =>
      val said = block(0 -> 0x40, 7 -> pid)
      (0 until 8).foreach(i => said(8 + i) = (share >> (56 - 8 * i)).toByte)
      aes(busKey, xor(sum, said))
    }
    aes(session, block(0 -> 0x49))
  }

  /** The image, and the results written for the third time, by tile 2. */
  private class Run {
    val made: ProgramPackage = ProgramPackage.make(described, program(elf, described), packageKeys)
    val dump = new Dram(base, made.image.content.padTo(dramBytes.toInt, 0.toByte))
    private val resultBlock = BigInt(0x2100 / 64)
    private val model = new ReferenceModel("one-time pad", MetadataLayout(dramBytes, 64, MetadataShape()), 0)
    private val plain = new Array[Byte](8) ++ resultBytes ++ new Array[Byte](36)
    dump.put(base + 0x2100, model.encrypt(ProtectionKeys(keys.static, padKey), resultBlock, 3 * 32 + 2, plain))
    private val announced = Map(resultBlock -> TilePads.counter(3, 2))

    def check(
        counters: Map[BigInt, BigInt] = announced,
        shares: Seq[BigInt] = shares,
        sharedBus: Boolean = true
    ): CheckResult = {
      val record = RunRecord("TestConfig", "test", 3, 0, Nil, Some(0))
      val said = if (sharedBus) Some(SharedBusRecord(shares, counters)) else None
      DramCheck(made, record.copy(sharedBus = said), uart, dump)
    }
  }

  test("what tiles may leave passes") {
    val result = new Run().check()
    assert(result.complaint.isEmpty)
    val checked = result.checked.toMap
    assert(checked("blocks_written") == 1 && checked("largest_counter") == 3 * 32 + 2 && checked("result_bytes") == 20)
  }

  test("another counter, another writer, another share, a flipped bit, or a counter that cannot be are found") {
    val results = BigInt(0x2100 / 64)
    assert(new Run().check(Map(results -> TilePads.counter(2, 2))).verdict.contains("checksum"))
    assert(new Run().check(Map(results -> TilePads.counter(3, 1))).verdict.contains("checksum"))
    assert(new Run().check(Map.empty[BigInt, BigInt]).verdict.contains("checksum"))
    assert(new Run().check(shares = shares.updated(1, BigInt(1))).verdict.contains("checksum"))
    val flipped = new Run
    flipped.dump.content(0x1000) = (flipped.dump.content(0x1000) ^ 1).toByte
    assert(flipped.check().verdict.contains("read-only"))
    val counters = Map(results -> TilePads.counter(3, 2), BigInt(1000) -> TilePads.counter(4, 1))
    assert(new Run().check(counters).verdict.contains("a counter is 4, but only 3 blocks were written"))
  }

  test("a record without what was said, a set-up that never was, and a package without the bus's key are refused") {
    refused("pads", "run it")(new Run().check(sharedBus = false))
    refused("boot ROM")(new Run().check(shares = Nil))
    refused("busKey")(TilePads.keys(keys, SharedBusRecord(shares, Map.empty)))
  }

  test("the package keeps the key of the bus") {
    inFolder { folder =>
      ProgramPackage.write(new Run().made, json(description(Scheme.tilePads)), folder)
      assert(ProgramPackage.read(folder).keys.get.bus.get.sameElements(busKey))
    }
  }
}
