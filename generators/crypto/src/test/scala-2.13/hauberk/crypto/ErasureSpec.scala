package hauberk.crypto

import chisel3.UInt
import chisel3.util.Valid
import hauberk.testing.{Remains, Simulation}
import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** No register holds a part of a key, a block or a round key when the unit has no more use for it. */
class ErasureSpec extends AnyFunSuite with Simulation {
  private val random = new Random(197)
  private val Seq(key, kek, block, other) = Seq.fill(4)(JdkAes.random(random, 128))

  /** Cycles in which zeros have gone through a cipher without requests. */
  private val flushed = 15

  private def write(port: Valid[KeyWrite], slot: Int, key: BigInt): Unit = KeyPorts.write(this, port, slot, key)
  private def zeroize(port: Valid[UInt], slot: Int): Unit = KeyPorts.zeroize(this, port, slot)

  test("a key table holds nothing of a key that was zeroized, in whichever cycle, written over, or there at a reset") {
    for (direction <- Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both)) {
      val states = looks(new KeyTable(3, 128, 1, direction)) { dut =>
        for (wait <- 0 to (if (direction.decrypts) 13 else 0)) {
          write(dut.io.write, slot = 1, key)
          step(wait)
          look(dut)
          zeroize(dut.io.zeroize, slot = 1)
          look(dut)
        }
        write(dut.io.write, slot = 2, key)
        look(dut)
        write(dut.io.write, slot = 2, other)
        step(12)
        look(dut)
        for (wait <- 0 to 12 by 6) {
          write(dut.io.write, slot = 0, key)
          step(wait)
          look(dut)
          resetDesign(dut)
          look(dut)
        }
      }
      Remains.erased(states, KeySecrets.of(key))
    }
  }

  test("an unwrapper holds nothing of either key at its end, good or bad, nor after a reset in any cycle") {
    val cipher = Cipher.getInstance("AESWrap")
    cipher.init(Cipher.WRAP_MODE, new SecretKeySpec(JdkAes.bytes(kek, 16), "AES"))
    val wrapped = BigInt(1, cipher.wrap(new SecretKeySpec(JdkAes.bytes(key, 16), "AES")))
    val states = looks(new KeyUnwrap) { dut =>
      def start(wrong: Int): Unit = {
        dut.io.kek.poke(kek)
        dut.io.kekValid.poke(true)
        for ((port, i) <- dut.io.wrapped.zipWithIndex)
          port.poke(((wrapped ^ wrong) >> (64 * (2 - i))) & ((BigInt(1) << 64) - 1))
        dut.io.start.poke(true)
        step()
        dut.io.start.poke(false)
      }
      for (wrong <- Seq(0, 1)) {
        start(wrong)
        look(dut)
        var cycles = 0
        while (dut.io.busy.peekBoolean()) {
          step()
          cycles += 1
          assert(cycles < 300)
        }
        dut.io.failed.expect(wrong == 1)
        step(2)
        look(dut)
      }
      for (cycles <- (0 to 4) ++ (5 to 140 by 9)) {
        start(0)
        step(cycles)
        look(dut)
        resetDesign(dut)
        step(flushed)
        look(dut)
      }
    }
    Remains.erased(states, KeySecrets.of(key) ++ KeySecrets.of(kek))
  }

  test("a CMAC unit holds nothing of key, subkeys, message or tag at its end, nor after a reset in any cycle") {
    val zero = JdkAes.encrypt(key, 128, 0)
    val subkey = ((zero << 1) & ((BigInt(1) << 128) - 1)) ^ (if (zero.testBit(127)) 0x87 else 0)
    val tag = JdkAes.encrypt(key, 128, block ^ subkey)
    val chains = Seq.iterate(JdkAes.encrypt(key, 128, block), 2)(chain => JdkAes.encrypt(key, 128, chain ^ block))
    val states = looks(new Cmac) { dut =>
      def start(): Unit = {
        dut.io.key.poke(key)
        dut.io.start.poke(true)
        step()
        dut.io.start.poke(false)
        dut.io.key.poke(0)
      }
      def send(last: Boolean): Unit = dut.io.block.send(limit = 30) { port =>
        port.block.poke(block)
        port.last.poke(last)
      }
      start()
      send(last = true)
      look(dut)
      stepUntil(dut.io.tag.valid, limit = 30)
      dut.io.tag.bits.expect(tag)
      step(3)
      look(dut)
      for {
        blocks <- 0 to 2
        cycles <- 0 to 20 by 4
      } {
        start()
        for (_ <- 0 until blocks) send(last = false)
        step(cycles)
        look(dut)
        resetDesign(dut)
        dut.io.block.bits.block.poke(0)
        step(flushed)
        look(dut)
      }
    }
    Remains.erased(
      states,
      KeySecrets.of(key) ++ (Seq(zero, subkey, block, block ^ subkey, tag) ++ chains).map(_ -> 128)
    )
  }

  test("a hasher holds nothing of a message at its end, nor after an abort in any cycle") {
    val registers = "(hash|state|schedule)_\\d+|block|length|filled".r
    val states = looks(new Sha256) { dut =>
      look(dut) // after reset
      // Eleven words, so that padding and both blocks are cut somewhere
      for (end <- 10 to 150 by 7) {
        var (sent, cycle) = (0, 0)
        while (cycle < end && !dut.io.digest.valid.peekBoolean()) {
          dut.io.word.valid.poke(sent < 11)
          dut.io.word.bits.data.poke(BigInt(64, random).setBit(40))
          dut.io.word.bits.last.poke(sent == 10)
          dut.io.word.bits.bytes.poke(8)
          if (sent < 11 && dut.io.word.ready.peekBoolean()) sent += 1
          step()
          cycle += 1
        }
        dut.io.word.valid.poke(false)
        look(dut)
        dut.io.abort.poke(!dut.io.digest.valid.peekBoolean())
        step()
        dut.io.abort.poke(false)
        look(dut)
      }
    }.map(_.collect { case (name @ registers(_), value) => name -> value })
    val empty = states.head
    assert(empty.size == 8 + 8 + 16 + 3)
    for (Seq(inside, after) <- states.tail.grouped(2)) {
      assert(inside != empty, "there is nothing to erase")
      for ((name, value) <- after) assert(value == empty(name), s"left in $name")
    }
  }

  for {
    (name, params) <- Seq(
      "iterative" -> AesParams(architecture = AesArchitecture.Iterative, extraLatency = 3),
      "pipelined" -> AesParams(architecture = AesArchitecture.Pipelined(2), gated = true),
      "folded" -> AesParams(architecture = AesArchitecture.Folded(5), gated = true, extraLatency = 2)
    )
  } test(
    s"a cipher holds nothing of a key that was zeroized, or there at a reset, nor of a block, once it is empty: $name"
  ) {
    val answer = JdkAes.encrypt(key, 128, block)
    val states = looks(new AesCipher(params.copy(sBox = SBoxStyle.Table), slots = 2)) { dut =>
      def ask(): Unit = {
        write(dut.io.keyWrite, slot = 1, key)
        dut.io.response.ready.poke(false)
        dut.io.request.send(limit = 30) { port =>
          port.slot.poke(1)
          port.block.poke(block)
        }
      }
      def empty(): Unit = step(params.latency + params.ranks + 2)
      def finish(): Unit = {
        dut.io.request.bits.block.poke(0)
        stepUntil(dut.io.response.valid, limit = 30)
        dut.io.response.bits.block.expect(answer)
        dut.io.response.ready.poke(true)
        empty()
      }
      ask()
      look(dut)
      zeroize(dut.io.zeroize, slot = 1)
      finish()
      look(dut)
      // And when the clock of an empty cipher has stopped
      for (resets <- Seq(false, true)) {
        ask()
        finish()
        empty()
        look(dut)
        if (resets) resetDesign(dut) else zeroize(dut.io.zeroize, slot = 1)
        empty()
        look(dut)
      }
    }
    Remains.erased(states, KeySecrets.of(key) ++ Seq(block, answer).map(_ -> 128))
  }
}
