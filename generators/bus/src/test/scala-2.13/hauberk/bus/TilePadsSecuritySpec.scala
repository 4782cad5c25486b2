package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Counters that come to their end, true ones or forged ones, and tiles that ask each other at once. */
class TilePadsSecuritySpec extends AnyFunSuite with Simulation {
  private val key = BigInt("2b7e151628aed2a6abf7158809cf4f3c", 16)

  private def quiet(ports: TilePadsPorts): Unit = {
    ports.vendorKey.valid.poke(true)
    ports.vendorKey.bits.poke(key)
    ports.expectDecryption.valid.poke(false)
    ports.expectEncryption.valid.poke(false)
    ports.encrypt.valid.poke(false)
    ports.decrypt.valid.poke(false)
    ports.encrypted.ready.poke(true)
    ports.decrypted.ready.poke(true)
  }

  test("a block whose counter is at its end is not encrypted any more, whatever else the tile does") {
    val p = PadParams(8, countBits = 16, PadCoherence.WriteUpdate, aesLatency = 16)
    simulate(new TilePads(p, 2, 256)) { dut =>
      quiet(dut.io.ports)
      dut.io.pid.poke(1)
      dut.io.key.valid.poke(true)
      dut.io.key.bits.poke(key ^ 1)
      dut.io.say.ready.poke(true)
      dut.io.hear.valid.poke(false)
      resetDesign(dut)
      step(20)
      def encrypt(block: Int, data: BigInt): Option[BigInt] = {
        dut.io.ports.encrypt.valid.poke(true)
        dut.io.ports.encrypt.bits.block.poke(block)
        dut.io.ports.encrypt.bits.data.poke(data)
        var cycles = 0
        while (!dut.io.ports.encrypt.ready.peekBoolean() && cycles < 200) { step(); cycles += 1 }
        if (cycles == 200) None
        else {
          step()
          dut.io.ports.encrypt.valid.poke(false)
          assert(dut.io.ports.encrypted.valid.peekBoolean())
          val out = dut.io.ports.encrypted.bits.peek()
          step(3)
          Some(out)
        }
      }
      val pads = (1 to 3).map(i => encrypt(2, i).get ^ i)
      assert(pads.distinct == pads)
      encrypt(3, 5)
      // Its forger is found out at the next MAC, and that is too late for what happens here
      dut.io.hear.valid.poke(true)
      dut.io.source.poke(2)
      dut.io.hear.bits.kind.poke(PadMessage.update)
      dut.io.hear.bits.block.poke(2)
      dut.io.hear.bits.count.poke(0xffff)
      step()
      dut.io.hear.valid.poke(false)
      step(5)
      assert(encrypt(2, 9).isEmpty)
      dut.io.ports.exhausted.expect(true)
      dut.io.ports.decrypt.valid.poke(true)
      dut.io.ports.decrypt.bits.block.poke(3)
      dut.io.ports.decrypt.bits.data.poke(0)
      assert(encrypt(2, 9).isEmpty)
    }
  }

  test(
    "who owes an answer hears all but further questions, so that two who ask each other both get one, and takes back a false one"
  ) {
    val p = PadParams(8, countBits = 16, PadCoherence.WriteInvalidate, aesLatency = 16)
    simulate(new TilePads(p, 2, 256)) { dut =>
      quiet(dut.io.ports)
      dut.io.pid.poke(1)
      dut.io.source.poke(2)
      dut.io.key.valid.poke(true)
      dut.io.say.ready.poke(true)
      dut.io.hear.valid.poke(false)
      resetDesign(dut)
      step(20)

      /** What is said of a block; whether it was taken. */
      def tell(kind: Int, block: Int, count: Int = 0): Boolean = {
        dut.io.hear.valid.poke(true)
        dut.io.hear.bits.kind.poke(kind)
        dut.io.hear.bits.block.poke(block)
        dut.io.hear.bits.count.poke(count)
        val taken = dut.io.hear.ready.peekBoolean()
        step()
        dut.io.hear.valid.poke(false)
        taken
      }
      def answers: Boolean = dut.io.say.valid.peekBoolean() && dut.io.say.bits.kind.peek() == PadMessage.reply
      dut.io.ports.encrypt.valid.poke(true)
      dut.io.ports.encrypt.bits.block.poke(2)
      while (!dut.io.ports.encrypt.ready.peekBoolean()) step()
      step()
      dut.io.ports.encrypt.valid.poke(false)
      step(5)

      // It owns block 2, and nobody takes its answer yet
      dut.io.say.ready.poke(false)
      assert(tell(PadMessage.request, 2))
      step(2)
      assert(answers)
      assert(!tell(PadMessage.request, 2), "it would owe two")
      assert(tell(PadMessage.reply, 5, 1), "another's answer")
      step(2)
      assert(answers)
      assert(tell(PadMessage.invalidate, 2), "what makes its answer false")
      assert(!answers)
      step(2)
      assert(!answers, "the counter is another's by now")
      assert(tell(PadMessage.request, 5))
    }
  }
}
