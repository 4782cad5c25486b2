package hauberk.crypto

import hauberk.testing.Simulation
import javax.crypto.Cipher
import javax.crypto.spec.{IvParameterSpec, SecretKeySpec}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class CmacSpec extends AnyFunSuite with Simulation {
  private def hex(digits: String) = BigInt(digits, 16)

  /** SP 800-38B on the JDK's CBC: the last block with the subkey for whole messages. */
  private def reference(key: BigInt, blocks: Seq[BigInt]): BigInt = {
    val zero = JdkAes.encrypt(key, 128, 0)
    val subkey = ((zero << 1) & ((BigInt(1) << 128) - 1)) ^ (if (zero.testBit(127)) 0x87 else 0)
    val cbc = Cipher.getInstance("AES/CBC/NoPadding")
    cbc.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(JdkAes.bytes(key, 16), "AES"), new IvParameterSpec(new Array(16)))
    val message = blocks.init :+ (blocks.last ^ subkey)
    BigInt(1, cbc.doFinal(message.flatMap(JdkAes.bytes(_, 16)).toArray).takeRight(16))
  }

  private def start(dut: Cmac, key: BigInt): Unit = {
    dut.io.key.poke(key)
    dut.io.start.poke(true)
    step()
    dut.io.start.poke(false)
    dut.io.key.poke(0)
  }

  private def tagOf(dut: Cmac, key: BigInt, blocks: Seq[BigInt]): BigInt = {
    start(dut, key)
    for ((block, i) <- blocks.zipWithIndex) {
      dut.io.block.send(limit = 30) { port =>
        port.block.poke(block)
        port.last.poke(i == blocks.size - 1)
      }
      dut.io.tag.bits.expect(0)
    }
    stepUntil(dut.io.tag.valid, limit = 30)
    val tag = dut.io.tag.bits.peek()
    step()
    dut.io.busy.expect(false)
    dut.io.tag.bits.expect(0)
    tag
  }

  test("a start while busy, in any cycle, changes nothing; the next message has its own key") {
    simulate(new Cmac) { dut =>
      dut.io.start.poke(false)
      dut.io.block.valid.poke(false)
      val random = new Random(38)
      for (at <- 1 to 36) withClue(s"a start in cycle $at: ") {
        val (key, blocks) = (JdkAes.random(random, 128), Seq.fill(2)(JdkAes.random(random, 128)))
        var (sent, cycle) = (0, 0)
        var tag = Option.empty[BigInt]
        dut.io.key.poke(key)
        dut.io.start.poke(true)
        while (tag.isEmpty) {
          step()
          cycle += 1
          assert(cycle < 60)
          dut.io.start.poke(cycle == at && dut.io.busy.peekBoolean())
          dut.io.key.poke(JdkAes.random(random, 128))
          dut.io.block.valid.poke(sent < 2)
          dut.io.block.bits.block.poke(blocks(sent.min(1)))
          dut.io.block.bits.last.poke(sent == 1)
          if (sent < 2 && dut.io.block.ready.peekBoolean()) sent += 1
          if (dut.io.tag.valid.peekBoolean()) tag = Some(dut.io.tag.bits.peek())
        }
        assert(tag.contains(reference(key, blocks)))
        step()
        dut.io.start.poke(false)
        dut.io.block.valid.poke(false)
        dut.io.busy.expect(false)
      }
    }
  }

  test("a block takes eleven cycles, and the subkey as many; a reset in any cycle ends a message") {
    simulate(new Cmac) { dut =>
      val random = new Random(39)
      // Each block as soon as the unit takes it; the tag, if the cycles suffice for it
      def offer(blocks: Seq[BigInt], cycles: Int): Option[BigInt] = {
        var left = blocks
        var tag = Option.empty[BigInt]
        for (cycle <- 1 to cycles) {
          dut.io.block.valid.poke(left.nonEmpty)
          for (block <- left.headOption) dut.io.block.bits.block.poke(block)
          dut.io.block.bits.last.poke(left.size == 1)
          val takes = dut.io.block.ready.peekBoolean()
          val ends = cycle == 11 * (blocks.size + 1)
          dut.io.tag.valid.expect(ends)
          if (ends) tag = Some(dut.io.tag.bits.peek())
          step()
          if (takes) left = left.drop(1)
        }
        dut.io.block.valid.poke(false)
        tag
      }
      for (cycles <- 0 to 32) withClue(s"a reset in cycle $cycles: ") {
        start(dut, JdkAes.random(random, 128))
        offer(Seq.fill(3)(JdkAes.random(random, 128)), cycles)
        resetDesign(dut)
        dut.io.busy.expect(false)
        val (key, blocks) = (JdkAes.random(random, 128), Seq.fill(1 + cycles % 3)(JdkAes.random(random, 128)))
        start(dut, key)
        assert(offer(blocks, 11 * (blocks.size + 1)).contains(reference(key, blocks)))
        dut.io.busy.expect(false)
      }
    }
  }

  // covers: crypto.cmac
  test("RFC 4493, examples 2 and 4; random messages against the JDK") {
    simulate(new Cmac) { dut =>
      dut.io.start.poke(false)
      dut.io.block.valid.poke(false)
      val key = hex("2b7e151628aed2a6abf7158809cf4f3c")
      val message = Seq(
        "6bc1bee22e409f96e93d7e117393172a",
        "ae2d8a571e03ac9c9eb76fac45af8e51",
        "30c81c46a35ce411e5fbc1191a0a52ef",
        "f69f2445df4f9b17ad2b417be66c3710"
      ).map(hex)
      val tags = Seq(1 -> "070a16b46b4d4144f79bdd9dd04a287c", 4 -> "51f0bebf7e3b9d92fc49741779363cfe")
      for ((blocks, tag) <- tags) {
        assert(reference(key, message.take(blocks)) == hex(tag))
        assert(tagOf(dut, key, message.take(blocks)) == hex(tag))
      }
      val random = new Random(4493)
      for (_ <- 0 until 40) {
        val key = JdkAes.random(random, 128)
        val message = Seq.fill(1 + random.nextInt(5))(JdkAes.random(random, 128))
        assert(tagOf(dut, key, message) == reference(key, message))
      }
    }
  }
}
