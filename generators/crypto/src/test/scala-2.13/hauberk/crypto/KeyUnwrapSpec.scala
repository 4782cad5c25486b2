package hauberk.crypto

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class KeyUnwrapSpec extends AnyFunSuite with Simulation {

  private def start(dut: KeyUnwrap, kek: BigInt, wrapped: Seq[BigInt], kekValid: Boolean): Unit = {
    dut.io.kek.poke(kek)
    dut.io.kekValid.poke(kekValid)
    dut.io.wrapped.zip(wrapped).foreach { case (port, word) => port.poke(word) }
    dut.io.start.poke(true)
    step()
  }

  /** Unwraps; the key, if one came out, and whether the unit says it failed. */
  private def unwrap(dut: KeyUnwrap, kek: BigInt, wrapped: Seq[BigInt], kekValid: Boolean = true) = {
    start(dut, kek, wrapped, kekValid)
    // Everything is taken with the start: changing it afterwards has no effect, and neither has another start.
    dut.io.kek.poke(1)
    dut.io.wrapped.foreach(_.poke(2))
    step()
    dut.io.start.poke(false)
    dut.io.kekValid.poke(false)
    var words = Seq.empty[BigInt]
    var cycles = 0
    while (dut.io.busy.peekBoolean()) {
      assert(cycles < 200, "unwrapping takes about 150 cycles")
      if (dut.io.key.valid.peekBoolean()) {
        assert(dut.io.key.bits.word.peek() == words.size, "words come in their order")
        words :+= dut.io.key.bits.data.peek()
      } else assert(dut.io.key.bits.data.peek() == 0, "the key shows before it is checked")
      step()
      cycles += 1
    }
    assert(!kekValid || cycles == (if (words.isEmpty) 145 else 147))
    assert((words.isEmpty || words.size == 2) && !dut.io.key.valid.peekBoolean() && dut.io.key.bits.data.peek() == 0)
    (words.reduceOption((high, low) => (high << 64) | low), dut.io.failed.peekBoolean())
  }

  // covers: crypto.key-unwrap, crypto.unwrap-no-key
  test("RFC 3394, section 4.1; random keys against the JDK; every wrong bit fails and gives no key") {
    simulate(new KeyUnwrap) { dut =>
      val random = new Random(3394)
      dut.io.start.poke(false)
      val kek = BigInt("000102030405060708090A0B0C0D0E0F", 16)
      val key = BigInt("00112233445566778899AABBCCDDEEFF", 16)
      val wrapped = Seq("1FA68B0A8112B447", "AEF34BD8FB5A7B82", "9D3E862371D2CFE5").map(BigInt(_, 16))
      assert(JdkAes.wrap(kek, key) == wrapped)
      assert(unwrap(dut, kek, wrapped) == ((Some(key), false)))

      assert(unwrap(dut, kek, wrapped, kekValid = false) == ((None, true)))
      step(50)
      assert(dut.io.failed.peekBoolean(), "failed stays until the next start")

      for (_ <- 0 until 60) {
        val (kek, key) = (JdkAes.random(random, 128), JdkAes.random(random, 128))
        val wrapped = JdkAes.wrap(kek, key)
        assert(unwrap(dut, kek, wrapped) == ((Some(key), false)))
        val bit = random.nextInt(192)
        val bad = wrapped.updated(bit / 64, wrapped(bit / 64) ^ (BigInt(1) << (bit % 64)))
        assert(unwrap(dut, kek, bad) == ((None, true)))
        assert(unwrap(dut, kek ^ (BigInt(1) << random.nextInt(128)), wrapped) == ((None, true)))
      }
    }
  }

  test("after a reset in any cycle the next key is right") {
    simulate(new KeyUnwrap) { dut =>
      val random = new Random(3396)
      for (cycles <- (0 to 20) ++ (21 to 150 by 7)) withClue(s"a reset in cycle $cycles: ") {
        val Seq(kek, key, other) = Seq.fill(3)(JdkAes.random(random, 128))
        start(dut, other, JdkAes.wrap(other, key), kekValid = true)
        dut.io.start.poke(false)
        step(cycles)
        resetDesign(dut)
        dut.io.failed.expect(false)
        dut.io.busy.expect(false)
        assert(unwrap(dut, kek, JdkAes.wrap(kek, key)) == ((Some(key), false)))
      }
    }
  }

  // covers: crypto.unwrap-check
  test("an initial value that differs in one bit fails, whichever it is") {
    simulate(new KeyUnwrap) { dut =>
      val random = new Random(3395)
      dut.io.start.poke(false)
      val (kek, key) = (JdkAes.random(random, 128), JdkAes.random(random, 128))
      val initial = BigInt("A6A6A6A6A6A6A6A6", 16)
      assert(JdkAes.wrapUnder(initial, kek, key) == JdkAes.wrap(kek, key))
      for (bit <- 0 until 64)
        assert(unwrap(dut, kek, JdkAes.wrapUnder(initial.flipBit(bit), kek, key)) == ((None, true)), s"bit $bit")
      assert(unwrap(dut, kek, JdkAes.wrap(kek, key)) == ((Some(key), false)))
    }
  }
}
