package hauberk.memory

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.mode.{DirectCbc, OneTimePad}
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import javax.crypto.Cipher
import javax.crypto.spec.{IvParameterSpec, SecretKeySpec}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The model against the JDK's own CTR and CBC modes and the vectors of SP 800-38A, which were made without it; the AES inputs are
  * assembled here once more, from the documented layout.
  */
class ReferenceModelSpec extends AnyFunSuite {
  private val layout = MetadataLayout(65536, 64, 4)
  private val keys = ProtectionKeys(hex("2b7e151628aed2a6abf7158809cf4f3c"), hex("000102030405060708090a0b0c0d0e0f"))
  private val random = new Random(1)

  private def hex(text: String): Array[Byte] = text.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray
  private def bytes(count: Int): Array[Byte] = Array.fill(count)(random.nextInt().toByte)
  private def xor(a: Array[Byte], b: Array[Byte]): Array[Byte] = a.zip(b).map { case (x, y) => (x ^ y).toByte }

  private def jdk(mode: String, key: Array[Byte], vector: Array[Byte], in: Array[Byte]): Array[Byte] = {
    val cipher = Cipher.getInstance(s"AES/$mode/NoPadding")
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(vector))
    cipher.doFinal(in)
  }

  /** AES of one block, as CBC from a vector of zeros. */
  private def aes(key: Array[Byte], in: Array[Byte]): Array[Byte] = jdk("CBC", key, new Array[Byte](16), in)

  /** Domain (1 byte), engine (1), block (5), counter (8), AES block (1). */
  private def input(domain: Int, engine: Int, block: Long, counter: Long): Array[Byte] =
    hex(f"$domain%02x$engine%02x$block%010x$counter%016x00")

  private val places = Seq((0, 0L, 0L), (0, 1L, 1L), (3, 959L, 0L), (255, 511L, 0xffffffffL), (1, 2L, 0x123456789aL))

  test("one-time pad: the JDK's CTR mode, started at the first AES block, gives the same") {
    for ((engine, block, counter) <- places) {
      val plain = bytes(64)
      val key = if (counter == 0) keys.static else keys.dynamic
      val expected = jdk("CTR", key, input(1, engine, block, counter), plain)
      assert(new ReferenceModel(OneTimePad, layout, engine).encrypt(keys, block, counter, plain) sameElements expected)
    }
  }

  test("direct: the JDK's CBC mode from the encrypted vector gives the same") {
    for ((engine, block, counter) <- places) {
      val plain = bytes(64)
      val key = if (counter == 0) keys.static else keys.dynamic
      val expected = jdk("CBC", key, aes(key, input(2, engine, block, counter)), plain)
      assert(new ReferenceModel(DirectCbc(), layout, engine).encrypt(keys, block, counter, plain) sameElements expected)
    }
  }

  test("direct: the blocks of SP 800-38A F.2.1, its vector exchanged for the model's by the first block") {
    val plain = hex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    val stored = hex(
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2" +
        "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
    )
    val published = hex("000102030405060708090a0b0c0d0e0f")
    val exchanged = xor(xor(plain.take(16), published), aes(keys.static, input(2, 5, 7, 0))) ++ plain.drop(16)
    val model = new ReferenceModel(DirectCbc(), layout, 5)
    assert(model.encrypt(keys, 7, 0, exchanged) sameElements stored)
    assert(model.decrypt(keys, 7, 0, stored) sameElements exchanged)
  }

  test("the cipher beneath, by FIPS-197 appendix C.1") {
    val found = aes(hex("000102030405060708090a0b0c0d0e0f"), hex("00112233445566778899aabbccddeeff"))
    assert(found sameElements hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
  }

  for (mode <- Seq(OneTimePad, DirectCbc())) {
    test(s"${mode.name}: decryption undoes encryption, for all sizes of blocks") {
      for {
        blockBytes <- Seq(32, 64, 128)
        (engine, block, counter) <- places
      } {
        val model = new ReferenceModel(mode, MetadataLayout(1 << 20, blockBytes, 8), engine)
        val plain = bytes(blockBytes)
        val stored = model.encrypt(keys, block, counter, plain)
        assert(stored.length == blockBytes && !stored.sameElements(plain))
        assert(model.decrypt(keys, block, counter, stored) sameElements plain)
      }
    }

    test(s"${mode.name}: another engine, block, counter or key gives other bytes in every AES block") {
      val plain = bytes(64)
      val model = new ReferenceModel(mode, layout, 0)
      val stored = model.encrypt(keys, 4, 9, plain)
      val others = Seq(
        new ReferenceModel(mode, layout, 1).encrypt(keys, 4, 9, plain),
        model.encrypt(keys, 5, 9, plain),
        model.encrypt(keys, 4, 10, plain),
        model.encrypt(keys.copy(dynamic = bytes(16)), 4, 9, plain)
      )
      for {
        other <- others
        (a, b) <- stored.grouped(16).toSeq.zip(other.grouped(16).toSeq)
      } assert(!a.sameElements(b))
    }

    test(s"${mode.name}: counter 0 means the static key, every other the dynamic key") {
      val plain = bytes(64)
      val model = new ReferenceModel(mode, layout, 0)
      val swapped = ProtectionKeys(keys.dynamic, keys.static)
      for (counter <- Seq(0, 1)) {
        val same = if (counter == 0) keys.copy(dynamic = bytes(16)) else keys.copy(static = bytes(16))
        assert(model.encrypt(keys, 3, counter, plain) sameElements model.encrypt(same, 3, counter, plain))
        assert(!model.encrypt(keys, 3, counter, plain).sameElements(model.encrypt(swapped, 3, counter, plain)))
      }
    }

    test(s"${mode.name}: blocks of another size are refused") {
      val model = new ReferenceModel(mode, layout, 0)
      for (size <- Seq(0, 16, 63, 65, 128)) {
        val refusal = intercept[IllegalArgumentException](model.encrypt(keys, 0, 1, new Array[Byte](size)))
        assert(refusal.getMessage.contains(s"64 bytes, not $size"))
      }
    }
  }

  test("one-time pad: no two AES blocks of a memory share a pad") {
    val zeros = new Array[Byte](64)
    val pads = for {
      engine <- 0 until 2
      model = new ReferenceModel(OneTimePad, layout, engine)
      block <- 0 until 16
      counter <- 1 to 16
      pad <- model.encrypt(keys, block, counter, zeros).grouped(16)
    } yield pad.toSeq
    assert(pads.distinct.size == 2 * 16 * 16 * 4)
  }

  test("direct: equal AES blocks within a block, and equal blocks, are stored differently") {
    val model = new ReferenceModel(DirectCbc(), layout, 0)
    val stored =
      (0 until 16).flatMap(block => model.encrypt(keys, block, 1, new Array[Byte](64)).grouped(16).map(_.toSeq))
    assert(stored.distinct.size == 64)
  }
}
