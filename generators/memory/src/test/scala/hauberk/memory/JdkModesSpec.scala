package hauberk.memory

import org.scalatest.funsuite.AnyFunSuite

/** The reference of the tests against the published vectors of IEEE 1619, annex B. */
class JdkModesSpec extends AnyFunSuite {
  private def hex(digits: String): Array[Byte] = digits.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray

  /** Number, key 1, key 2, data unit, plaintext, ciphertext; of vector 4, whose unit has 512 bytes, the first 64. */
  private val vectors = Seq(
    (
      1,
      "00" * 16,
      "00" * 16,
      BigInt(0),
      "00" * 32,
      "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"
    ),
    (
      2,
      "11" * 16,
      "22" * 16,
      BigInt("3333333333", 16),
      "44" * 32,
      "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"
    ),
    (
      3,
      "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0",
      "22" * 16,
      BigInt("3333333333", 16),
      "44" * 32,
      "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"
    ),
    (
      4,
      "27182818284590452353602874713526",
      "31415926535897932384626433832795",
      BigInt(0),
      (0 until 64).map(i => f"$i%02x").mkString,
      "27a7479befa1d476489f308cd4cfa6e2a96e4bbe3208ff25287dd3819616e89c" +
        "c78cf7f5e543445f8333d8fa7f56000005279fa5d8b5e4ad40e736ddb4d35412"
    )
  )
  for ((number, key1, key2, unit, plain, stored) <- vectors) test(s"XTS-AES-128, vector $number") {
    assert(JdkModes.encryptXts(hex(key1), hex(key2), unit, hex(plain)).toSeq == hex(stored).toSeq)
    assert(JdkModes.decryptXts(hex(key1), hex(key2), unit, hex(stored)).toSeq == hex(plain).toSeq)
  }
}
