package hauberk.memory

import hauberk.memory.reference.{ReferenceCipher, ReferenceHash, ReferenceKey, ReferenceXts}
import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** XTS against the vectors of IEEE 1619, and the polynomial hash against published multiples and another way to multiply. */
class ReferencePrimitivesSpec extends AnyFunSuite {
  private val random = new Random(2)
  private def hex(text: String): Array[Byte] = text.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray
  private def bytes(count: Int): Array[Byte] = Array.fill(count)(random.nextInt().toByte)

  /** A vector of IEEE 1619-2007, annex B. */
  private case class Vector(data: String, tweak: String, unit: BigInt, plain: String, stored: String)

  private val counting = (0 until 64).map(i => f"$i%02x").mkString
  private val vectors = Seq(
    Vector(
      "00" * 16,
      "00" * 16,
      0,
      "00" * 32,
      "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"
    ),
    Vector(
      "11" * 16,
      "22" * 16,
      BigInt("3333333333", 16),
      "44" * 32,
      "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"
    ),
    Vector(
      "27182818284590452353602874713526",
      "31415926535897932384626433832795",
      0,
      counting,
      "27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89c" +
        "c78cf7f5e543445f8333d8fa7f56000005279fa5d8b5e4ad40e736ddb4d35412"
    )
  )

  for ((vector, number) <- vectors.zipWithIndex) test(s"XTS-AES-128, published vector ${number + 1}, there and back") {
    val (data, tweak) = (new ReferenceKey(hex(vector.data)), new ReferenceKey(hex(vector.tweak)))
    assert(ReferenceXts.encrypt(data, tweak, vector.unit, hex(vector.plain)) sameElements hex(vector.stored))
    assert(ReferenceXts.decrypt(data, tweak, vector.unit, hex(vector.stored)) sameElements hex(vector.plain))
  }

  test("XTS of a block: its place is in the tweak, and the tweak key is not the data key") {
    val key = new ReferenceKey(bytes(16))
    val plain = bytes(64)
    val stored = ReferenceCipher.encryptXts(key, 3, 5, plain)
    assert(ReferenceCipher.decryptXts(key, 3, 5, stored) sameElements plain)
    val (inner, outer) = (BigInt(3) << 40 | 5, BigInt(3) << 40 | 6)
    assert(stored sameElements ReferenceXts.encrypt(key, key.tweakKey, inner, plain))
    assert(!stored.sameElements(ReferenceXts.encrypt(key, key, inner, plain)))
    assert(!stored.sameElements(ReferenceXts.encrypt(key, key.tweakKey, outer, plain)))
    assert(intercept[IllegalArgumentException](ReferenceXts.encrypt(key, key, 0, bytes(20))).getMessage.contains("20"))
  }

  /** Carry-less product, then division by the modulus, on integers of any size. */
  private def product(a: Long, b: Long): Long = {
    val wide = (0 until 64).filter(i => ((b >>> i) & 1) == 1)
      .foldLeft(BigInt(0))((sum, i) => sum ^ (BigInt(java.lang.Long.toUnsignedString(a)) << i))
    val modulus = (BigInt(1) << 64) | 0x1b
    (126 to 64 by -1).foldLeft(wide)((rest, i) => if (rest.testBit(i)) rest ^ (modulus << (i - 64)) else rest).toLong
  }

  test("GF(2^64): the doublings of SP 800-38B, whose subkeys for 64-bit ciphers are in this field") {
    val triple = Cipher.getInstance("DESede/ECB/NoPadding")
    val keys = "8aa83bf8cbda1062" + "0bc1bf19fbb6cd58" + "bc313d4a371ca8b5"
    triple.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(hex(keys), "DESede"))
    val zero = ReferenceKey.high64(triple.doFinal(new Array[Byte](8)))
    assert(zero == 0xc8cc74e98a7329a2L)
    assert(ReferenceHash.multiply(zero, 2) == 0x9198e9d314e6535fL)
    assert(ReferenceHash.multiply(2, ReferenceHash.multiply(zero, 2)) == 0x2331d3a629cca6a5L)
  }

  test("GF(2^64): products agree with carry-less multiplication and division") {
    val edges = Seq(0L, 1L, 2L, -1L, Long.MinValue, 0x1bL)
    val pairs =
      (for {
        a <- edges
        b <- edges
      } yield (a, b)) ++ Seq.fill(500)((random.nextLong(), random.nextLong()))
    for ((a, b) <- pairs) {
      assert(ReferenceHash.multiply(a, b) == product(a, b), (a, b))
      assert(ReferenceHash.multiply(a, b) == ReferenceHash.multiply(b, a), (a, b))
    }
  }

  test("GF(2^64): every element is its own 2^64th power, so the modulus is irreducible or at least square-free") {
    for (a <- Seq(2L, 3L, -1L, random.nextLong()))
      assert((0 until 64).foldLeft(a)((power, _) => ReferenceHash.multiply(power, power)) == a)
  }

  test("the hash is the polynomial of its words without a constant term, the first word the highest") {
    val h = random.nextLong()
    val words = Seq.fill(9)(random.nextLong())
    val powers = Iterator.iterate(h)(product(_, h)).take(9).toVector.reverse
    assert(ReferenceHash.polynomial(words, h) == words.zip(powers).map { case (w, p) => product(w, p) }.reduce(_ ^ _))
    assert(ReferenceHash.polynomial(Nil, h) == 0)
  }

  test("words are little-endian, and the wide hash holds all of one hash and 56 bits of the other") {
    assert(ReferenceHash.words(hex("0102030405060708ff00000000000000")) == Seq(0x0807060504030201L, 0xffL))
    val key = new ReferenceKey(bytes(16))
    val words = Seq.fill(8)(random.nextLong())
    val wide = ReferenceHash.wide(words, key)
    assert(wide.length == 15)
    assert(ReferenceKey.high64(wide) == ReferenceHash.polynomial(words, key.hashFirst))
    val second = ReferenceHash.polynomial(words, key.hashSecond)
    assert((ReferenceKey.high64(wide.drop(7)) & ((1L << 56) - 1)) == (second & ((1L << 56) - 1)))
  }

  test("hash keys and tweak key come from domains of their own") {
    val raw = bytes(16)
    val key = new ReferenceKey(raw)
    val six = key.encrypt(hex("06" + "00" * 15))
    assert(key.hashFirst == ReferenceKey.high64(six.take(8)) && key.hashSecond == ReferenceKey.high64(six.drop(8)))
    val tweak = new ReferenceKey(key.encrypt(hex("07" + "00" * 15)))
    assert(tweak.encrypt(raw) sameElements key.tweakKey.encrypt(raw))
  }

  test("an AES input has its fields in their places") {
    val input = ReferenceKey.input(5, 255, BigInt("1234567890", 16), BigInt("0123456789abcdef", 16), 9)
    assert(input sameElements hex("05ff12345678900123456789abcdef09"))
  }
}
