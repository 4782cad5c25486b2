package hauberk.crypto

import hauberk.testing.Simulation
import java.security.MessageDigest
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class Sha256Spec extends AnyFunSuite with Simulation {
  private def reference(message: Array[Byte]): BigInt = BigInt(1, MessageDigest.getInstance("SHA-256").digest(message))

  /** The digest. What is right of the last bytes is noise. */
  private def digestOf(dut: Sha256, message: Array[Byte], random: Random, gaps: Boolean): BigInt = {
    // A message whose last word is full may also end with an empty one
    val whole = message.grouped(8).toSeq
    val words = if (whole.isEmpty || (whole.last.length == 8 && random.nextBoolean())) whole :+ Array[Byte]() else whole
    for ((word, i) <- words.zipWithIndex) {
      if (gaps) step(random.nextInt(3))
      dut.io.word.send(limit = 200) { port =>
        port.data.poke(BigInt(1, word ++ Array.fill(8 - word.length)(random.nextInt().toByte)))
        val last = i == words.size - 1
        port.last.poke(last)
        // More than eight bytes are eight
        val most = if (last && word.length == 8) 8 + random.nextInt(8) else word.length
        port.bytes.poke(if (last) most else random.nextInt(16))
      }
      if (i < words.size - 1) dut.io.digest.bits.expect(0)
    }
    stepUntil(dut.io.digest.valid, limit = 300)
    val digest = dut.io.digest.bits.peek()
    step()
    dut.io.digest.bits.expect(0)
    dut.io.digest.valid.expect(false)
    digest
  }

  private def hex(digits: String) = BigInt(digits, 16)

  // covers: crypto.sha256
  test("FIPS 180-4's examples; messages of all lengths against the JDK") {
    simulate(new Sha256) { dut =>
      dut.io.word.valid.poke(false)
      dut.io.abort.poke(false)
      val random = new Random(180)
      val examples = Seq(
        "" -> "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "abc" -> "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq" ->
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      )
      for ((text, digest) <- examples) {
        val message = text.getBytes("US-ASCII")
        assert(reference(message) == hex(digest))
        assert(digestOf(dut, message, random, gaps = false) == hex(digest))
      }
      for (bytes <- 0 to 200) {
        val message = new Array[Byte](bytes)
        random.nextBytes(message)
        assert(digestOf(dut, message, random, gaps = bytes % 2 == 0) == reference(message), s"of $bytes bytes")
      }
    }
  }

  // covers: crypto.hash-abort
  test("an abort in any cycle ends a message without a digest, and the next is right") {
    simulate(new Sha256) { dut =>
      dut.io.abort.poke(false)
      val random = new Random(7)
      for (cycles <- 0 to 160) {
        // Words come as fast as they are taken; the message ends with the eleventh, so that padding and both blocks are cut somewhere
        dut.io.word.valid.poke(true)
        dut.io.word.bits.bytes.poke(8)
        var taken = 0
        for (_ <- 0 until cycles) {
          dut.io.word.bits.data.poke(BigInt(64, random))
          dut.io.word.bits.last.poke(taken == 10)
          val takes = dut.io.word.ready.peekBoolean()
          step()
          if (takes) taken += 1
          dut.io.word.valid.poke(taken < 11)
        }
        dut.io.abort.poke(true)
        dut.io.digest.valid.expect(false)
        step()
        dut.io.abort.poke(false)
        dut.io.word.valid.poke(false)
        val message = new Array[Byte](random.nextInt(70))
        random.nextBytes(message)
        assert(digestOf(dut, message, random, gaps = false) == reference(message), s"after an abort in cycle $cycles")
      }
    }
  }

  // covers: crypto.sha256
  test("the length of a message has more than 16 bits") {
    simulate(new Sha256) { dut =>
      dut.io.word.valid.poke(false)
      dut.io.abort.poke(false)
      val random = new Random(16)
      val message = new Array[Byte]((1 << 16) + 3)
      random.nextBytes(message)
      assert(digestOf(dut, message, random, gaps = false) == reference(message))
    }
  }

  // covers: crypto.sha256
  test("a long message takes 66 cycles a block") {
    simulate(new Sha256) { dut =>
      dut.io.word.valid.poke(false)
      dut.io.abort.poke(false)
      val random = new Random(4)
      def time(blocks: Int): Int = {
        val message = new Array[Byte](64 * blocks)
        random.nextBytes(message)
        val words = message.grouped(8).toSeq
        var cycles = 0
        for ((word, i) <- words.zipWithIndex) {
          dut.io.word.valid.poke(true)
          dut.io.word.bits.data.poke(BigInt(1, word))
          dut.io.word.bits.last.poke(i == words.size - 1)
          dut.io.word.bits.bytes.poke(8)
          while (dut.io.word.ready.peek() == 0) { step(); cycles += 1 }
          step()
          cycles += 1
        }
        dut.io.word.valid.poke(false)
        while (dut.io.digest.valid.peek() == 0) { step(); cycles += 1 }
        assert(dut.io.digest.bits.peek() == reference(message))
        step()
        cycles
      }
      assert(time(20) - time(10) == 660)
    }
  }
}
