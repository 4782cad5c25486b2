package hauberk.instruction

import hauberk.crypto.JdkAes
import java.nio.file.Files
import org.scalatest.funsuite.AnyFunSuite
import scala.sys.process._
import scala.util.Random

/** The reference model against OpenSSL's SP 800-108 (KBKDF) and AES. */
class ReferenceSealSpec extends AnyFunSuite {
  private def hex(value: BigInt, bytes: Int): String = JdkAes.bytes(value, bytes).map("%02x".format(_)).mkString
  private def hex(bytes: Array[Byte]): String = bytes.map("%02x".format(_)).mkString

  private def kbkdf(secret: BigInt, label: String, context: String): BigInt = {
    val options = Seq(
      "mac:CMAC",
      "cipher:AES-128-CBC",
      "mode:COUNTER",
      s"hexkey:${hex(secret, 16)}",
      s"hexsalt:${hex(label.getBytes("US-ASCII").padTo(11, 0.toByte))}",
      s"hexinfo:${context.padTo(88, '0')}"
    ).flatMap(Seq("-kdfopt", _))
    BigInt((Seq("openssl", "kdf", "-keylen", "16") ++ options :+ "KBKDF").!!.trim.replace(":", ""), 16)
  }

  /** Through files: Scala's pipe to a stream may be read before its last bytes are there. */
  private def openssl(key: BigInt, options: Seq[String], in: Array[Byte]): Array[Byte] = {
    val Seq(from, to) = Seq("in", "out").map(Files.createTempFile("hauberk-openssl", _))
    try {
      Files.write(from, in)
      val files = Seq("-in", from.toString, "-out", to.toString)
      assert((Seq("openssl", "enc", "-nopad", "-K", hex(key, 16)) ++ options ++ files).! == 0)
      Files.readAllBytes(to)
    } finally Seq(from, to).foreach(Files.delete)
  }

  test("keys and check values are those of OpenSSL's KBKDF") {
    val random = new Random(38)
    for (_ <- 0 until 5) {
      val Seq(processor, application, token) = Seq.fill(3)(JdkAes.random(random, 128))
      val keyId = JdkAes.random(random, 64)
      val (a, t, id) = (hex(application, 16), hex(token, 16), hex(keyId, 8))
      assert(ReferenceSeal.tokenCheck(processor, token) == kbkdf(processor, "user token", t))
      val check = ReferenceSeal.applicationCheck(processor, application, token, keyId)
      assert(check == kbkdf(processor, "application", a + t + id))
      assert(ReferenceSeal.pageKey(processor, application, token, keyId) == kbkdf(processor, "page key", a + t + id))
    }
  }

  test("pages are those of OpenSSL's AES in counter mode and block by block") {
    val random = new Random(39)
    val page = new Array[Byte](4096)
    random.nextBytes(page)
    val (key, ancillary) = (JdkAes.random(random, 128), JdkAes.random(random, 128))
    val counter = Seq("-aes-128-ctr", "-iv", hex((ancillary >> 8) << 8, 16))
    assert(ReferenceSeal.counterMode(key, ancillary, page).sameElements(openssl(key, counter, page)))
    assert(ReferenceSeal.direct(key, page).sameElements(openssl(key, Seq("-aes-128-ecb"), page)))
  }
}
