package hauberk.crypto

import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The parts of the tests and generators that are plain Scala, against the standards. */
class ReferenceSpec extends AnyFunSuite {
  test("the JDK reference gives the published blocks both ways") {
    KnownBlock.all.foreach { b =>
      assert(JdkAes.encrypt(b.key, b.keyBits, b.plain) == b.cipher)
      assert(JdkAes.decrypt(b.key, b.keyBits, b.cipher) == b.plain)
    }
  }

  test("the field's S-box is a permutation with the corners of FIPS-197, figure 7") {
    assert(AesField.sBox.toSet.size == 256)
    assert(Seq(0x00, 0x01, 0x0f, 0x53, 0xf0, 0xff).map(AesField.sBox) == Seq(0x63, 0x7c, 0x76, 0xed, 0x8c, 0x16))
    assert((0 until 256).forall(a => AesField.inverseSBox(AesField.sBox(a)) == a))
  }

  test("the key schedule in software ends as FIPS-197, appendix A, does") {
    val key128 = BigInt("2b7e151628aed2a6abf7158809cf4f3c", 16)
    assert(KeySchedule.decryptionStart(key128, 128) == BigInt("d014f9a8c9ee2589e13f0cc8b6630ca6", 16))
    val key192 = BigInt("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", 16)
    assert((KeySchedule.decryptionStart(key192, 192) >> 64) == BigInt("e98ba06f448c773c8ecc720401002202", 16))
    val key256 = BigInt("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", 16)
    assert((KeySchedule.decryptionStart(key256, 256) >> 128) == BigInt("fe4890d1e6188d0b046df344706c631e", 16))
  }

  test("impossible parameters are refused with a sentence that says what to change") {
    def refused(params: => AesParams): String = intercept[IllegalArgumentException](params).getMessage
    assert(refused(AesParams(keyBits = 64)).contains("set keyBits to 128, 192 or 256"))
    assert(refused(AesParams(extraLatency = -1)).contains("choose 0 to 1024 cycles"))
    assert(refused(AesParams(tagBits = -1)).contains("choose 0 (no tag) or more"))
    assert(refused(AesParams(architecture = AesArchitecture.Pipelined(0))).contains("choose 1 to 10"))
    assert(refused(AesParams(keyBits = 256, architecture = AesArchitecture.Pipelined(15))).contains("choose 1 to 14"))
    assert(refused(AesParams().withLatency(9)).contains("choose 10 or more"))
  }

  test("latency and rate follow from the parameters, and the papers' latencies are reachable") {
    assert(AesParams().latency == 10 && AesParams().blocksPerCycle == 1.0)
    assert(AesParams(keyBits = 192, architecture = AesArchitecture.Pipelined(5)).latency == 3)
    val iterative = AesParams(keyBits = 256, architecture = AesArchitecture.Iterative)
    assert(iterative.latency == 14 && iterative.blocksPerCycle == 1.0 / 14)
    for {
      total <- Seq(40, 50, 80, 102)
      params <- Seq(AesParams(), iterative)
    } {
      assert(params.withLatency(total).latency == total)
    }
  }
}
