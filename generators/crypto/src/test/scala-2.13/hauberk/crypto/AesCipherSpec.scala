package hauberk.crypto

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Keys in slots: unusable until whole, gone when zeroized, never mixed, never seen. */
class AesCipherSpec extends AnyFunSuite with Simulation {
  private val slots = 3

  private class Driver(val dut: AesCipher, seed: Int) {
    val random = new Random(seed)
    val keyBits = dut.params.keyBits
    val words = keyBits / 64

    dut.io.keyWrite.valid.poke(false)
    dut.io.zeroize.valid.poke(false)
    dut.io.request.valid.poke(false)
    dut.io.response.ready.poke(false)

    def write(slot: Int, word: Int, key: BigInt): Unit = {
      dut.io.keyWrite.bits.slot.poke(slot)
      dut.io.keyWrite.bits.word.poke(word)
      dut.io.keyWrite.bits.data.poke((key >> (64 * (words - 1 - word))) & ((BigInt(1) << 64) - 1))
      dut.io.keyWrite.valid.poke(true)
      step()
      dut.io.keyWrite.valid.poke(false)
    }

    def zeroize(slot: Int): Unit = {
      dut.io.zeroize.bits.poke(slot)
      dut.io.zeroize.valid.poke(true)
      step()
      dut.io.zeroize.valid.poke(false)
    }

    def load(slot: Int, key: BigInt): Unit = {
      random.shuffle((0 until words).toList).foreach(write(slot, _, key))
      stepUntil(dut.io.usable(slot), 3 * 16)
    }

    def usable(slot: Int): Boolean = dut.io.usable(slot).peekBoolean()

    def offer(slot: Int, block: BigInt, decrypt: Boolean): Unit = {
      dut.io.request.bits.block.poke(block)
      dut.io.request.bits.slot.poke(slot)
      dut.io.request.bits.decrypt.poke(decrypt)
      dut.io.request.bits.tag.poke(slot)
      dut.io.request.valid.poke(true)
    }

    /** Offers a block to a slot that must refuse it, for longer than any latency. */
    def expectRefused(slot: Int): Unit = {
      offer(slot, JdkAes.random(random, 128), decrypt = false)
      dut.io.response.ready.poke(true)
      for (_ <- 0 until 40) {
        assert(!dut.io.request.ready.peekBoolean(), s"slot $slot took a block")
        assert(!dut.io.response.valid.peekBoolean(), s"slot $slot answered")
        assert(dut.io.response.bits.block.peek() == 0, "a response that is not valid shows something")
        step()
      }
      dut.io.request.valid.poke(false)
      dut.io.response.ready.poke(false)
    }

    def check(slot: Int, key: BigInt): Unit = {
      val block = JdkAes.random(random, 128)
      val asked = random.nextBoolean()
      val decrypt = dut.params.direction match {
        case AesDirection.Both => asked
        case direction => direction == AesDirection.Decrypt
      }
      offer(slot, block, asked)
      stepUntil(dut.io.request.ready, 50)
      step()
      dut.io.request.valid.poke(false)
      val (result, tag) = dut.io.response.receive()(r => (r.block.peek(), r.tag.peek()))
      val expected = if (decrypt) JdkAes.decrypt(key, keyBits, block) else JdkAes.encrypt(key, keyBits, block)
      assert(result == expected && tag == slot)
    }
  }

  private def usableUntilWhole(d: Driver): Unit = {
    val key = JdkAes.random(d.random, d.keyBits)
    for (slot <- 0 until slots) assert(!d.usable(slot))
    d.expectRefused(1)
    d.expectRefused(slots) // a slot that does not exist
    for (word <- 0 until d.words - 1) {
      d.write(1, word, key)
      d.write(1, word, key) // twice the same word does not make it whole
      d.expectRefused(1)
    }
    d.write(1, d.words - 1, key)
    stepUntil(d.dut.io.usable(1), 20)
    assert(!d.usable(0) && !d.usable(2))
    for (_ <- 0 until 5) d.check(1, key)
    d.expectRefused(0)
  }

  private def zeroizeAndRewrite(d: Driver): Unit = {
    val keys = Seq.fill(slots)(JdkAes.random(d.random, d.keyBits))
    for (slot <- 0 until slots) d.load(slot, keys(slot))
    for (slot <- 0 until slots) d.check(slot, keys(slot))
    // A zeroized slot is gone, also for words written before it was zeroized.
    d.zeroize(0)
    assert(!d.usable(0))
    d.write(0, 0, keys(0))
    d.zeroize(0)
    for (word <- 1 until d.words) d.write(0, word, keys(0))
    d.expectRefused(0)
    d.write(0, 0, keys(0))
    stepUntil(d.dut.io.usable(0), 20)
    d.check(0, keys(0))
    // A word written to a whole slot zeroizes it first.
    val next = JdkAes.random(d.random, d.keyBits)
    d.write(2, 1, next)
    assert(!d.usable(2))
    d.expectRefused(2)
    for (word <- 0 until d.words if word != 1) d.write(2, word, next)
    stepUntil(d.dut.io.usable(2), 20)
    d.check(2, next)
    // Zeroization beats a write in the same cycle.
    d.dut.io.zeroize.bits.poke(1)
    d.dut.io.zeroize.valid.poke(true)
    d.write(1, 0, keys(1))
    d.dut.io.zeroize.valid.poke(false)
    for (word <- 1 until d.words) d.write(1, word, keys(1))
    d.expectRefused(1)
  }

  private def zeroizeWhileStarting(d: Driver): Unit = {
    val (old, key) = (JdkAes.random(d.random, d.keyBits), JdkAes.random(d.random, d.keyBits))
    for (delay <- 0 until d.dut.params.rounds + 3) {
      d.zeroize(1)
      for (word <- 0 until d.words) d.write(1, word, old)
      step(delay)
      d.zeroize(1)
      assert(!d.usable(1))
      step(20)
      assert(!d.usable(1))
    }
    d.load(1, key)
    for (_ <- 0 until 4) d.check(1, key)
  }

  for ((direction, keyBits) <- Seq(AesDirection.Encrypt -> 128, AesDirection.Decrypt -> 256, AesDirection.Both -> 192))
    // covers: crypto.cipher-slots, crypto.key-complete, crypto.key-erase
    test(s"slots of a cipher of direction $direction with $keyBits-bit keys") {
      val params = AesParams(keyBits, direction, AesArchitecture.Iterative, tagBits = 2)
      simulate(new AesCipher(params, slots)) { dut =>
        val driver = new Driver(dut, keyBits)
        usableUntilWhole(driver)
        zeroizeAndRewrite(driver)
        zeroizeWhileStarting(driver)
      }
    }
}
