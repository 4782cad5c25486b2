package hauberk.bus

import org.scalatest.funsuite.AnyFunSuite

/** Counters that come to their end, true ones or forged ones, and tiles that ask each other at once. */
class TilePadsSecuritySpec extends AnyFunSuite with TilePadsBench {
  private val key = BigInt("2b7e151628aed2a6abf7158809cf4f3c", 16)

  /** A tile, number 1, with all its keys, whose messages everybody takes. */
  private def withTile(coherence: PadCoherence, groups: Int = 1)(body: TilePads => Unit): Unit =
    simulate(new TilePads(PadParams(8, countBits = 16, coherence, aesLatency = 16, groups = groups), 2, 256)) { dut =>
      quiet(dut.io.ports, key, takes = true)
      dut.io.pid.poke(1)
      for (port <- dut.io.keys) {
        port.valid.poke(true)
        port.bits.poke(key ^ 1)
      }
      dut.io.transmit.ready.poke(true)
      dut.io.receive.valid.poke(false)
      resetDesign(dut)
      step(20)
      body(dut)
    }

  /** Tile 2 says something of a block; whether it was taken. */
  private def tell(dut: TilePads, kind: Int, block: Int, count: Int = 0): Boolean = {
    dut.io.source.poke(2)
    dut.io.receive.valid.poke(true)
    dut.io.receive.bits.kind.poke(kind)
    dut.io.receive.bits.block.poke(block)
    dut.io.receive.bits.count.poke(count)
    val taken = dut.io.receive.ready.peekBoolean()
    step()
    dut.io.receive.valid.poke(false)
    taken
  }

  /** The kind, block and counter that the tile says next. */
  private def said(dut: TilePads): (Int, Int, Int) = {
    stepUntil(dut.io.transmit.valid, limit = 20)
    val message = dut.io.transmit.bits
    (message.kind.peek().toInt, message.block.peek().toInt, message.count.peek().toInt)
  }

  // covers: bus.tile-pads
  test("nothing is encrypted or decrypted before both the vendor's key and that of the block's group are there") {
    for (groups <- 1 to 2) {
      withTile(PadCoherence.WriteUpdate, groups) { dut =>
        val ports = dut.io.ports
        for {
          encrypts <- Seq(false, true)
          group <- 0 until groups
          (hasVendors, hasGroups) <- Seq((false, false), (false, true), (true, false), (true, true))
        } withClue(s"encrypts $encrypts, group $group, vendor's $hasVendors, group's $hasGroups: ") {
          quiet(ports, key, takes = true)
          resetDesign(dut)
          step(20)
          ports.vendorKey.valid.poke(hasVendors)
          // The key of another group does not help
          for ((port, i) <- dut.io.keys.zipWithIndex) port.valid.poke(i != group || hasGroups)
          val (work, done) =
            if (encrypts) (ports.encrypt, ports.encrypted) else (ports.decrypt, ports.decrypted)
          work.bits.place.block.poke(2)
          if (groups > 1) work.bits.place.group.poke(group)
          work.bits.data.poke(5)
          work.valid.poke(true)
          var answers = 0
          for (_ <- 0 until 100) {
            if (done.valid.peekBoolean()) answers += 1
            step()
          }
          assert((answers > 0) == (hasVendors && hasGroups))
        }
      }
    }
  }

  // covers: bus.pad-end
  test("a block whose counter is at its end is not encrypted any more, whatever else the tile does") {
    withTile(PadCoherence.WriteUpdate) { dut =>
      def encrypt(block: Int, data: BigInt): Option[BigInt] = {
        dut.io.ports.encrypt.valid.poke(true)
        dut.io.ports.encrypt.bits.place.block.poke(block)
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
      assert(tell(dut, PadMessage.update, 2, 0xffff))
      step(5)
      assert(encrypt(2, 9).isEmpty)
      dut.io.ports.exhausted.expect(true)
      dut.io.ports.decrypt.valid.poke(true)
      dut.io.ports.decrypt.bits.place.block.poke(3)
      dut.io.ports.decrypt.bits.data.poke(0)
      assert(encrypt(2, 9).isEmpty)
    }
  }

// covers: bus.pad-messages
  test(
    "who owes an answer receives all but further questions, so that two who ask each other both get one, and takes back a false one"
  ) {
    withTile(PadCoherence.WriteInvalidate) { dut =>
      def answers: Boolean = dut.io.transmit.valid.peekBoolean() && dut.io.transmit.bits.kind.peek() == PadMessage.reply
      dut.io.ports.encrypt.valid.poke(true)
      dut.io.ports.encrypt.bits.place.block.poke(2)
      while (!dut.io.ports.encrypt.ready.peekBoolean()) step()
      step()
      dut.io.ports.encrypt.valid.poke(false)
      assert(said(dut) == ((PadMessage.invalidate, 2, 1)))
      step(5)

      // It owns block 2, and nobody takes its answer yet
      dut.io.transmit.ready.poke(false)
      assert(tell(dut, PadMessage.request, 2))
      step(2)
      assert(answers && said(dut) == ((PadMessage.reply, 2, 1)))
      assert(!tell(dut, PadMessage.request, 2), "it would owe two")
      assert(tell(dut, PadMessage.reply, 5, 1), "another's answer")
      step(2)
      assert(answers)
      assert(tell(dut, PadMessage.invalidate, 2), "what makes its answer false")
      assert(!answers)
      step(2)
      assert(!answers, "the counter is another's by now")
      assert(tell(dut, PadMessage.request, 5))
      step(5)
      dut.io.ports.decrypt.valid.poke(true)
      dut.io.ports.decrypt.bits.place.block.poke(2)
      assert(said(dut) == ((PadMessage.request, 2, 0)), "the counter of another's block")
    }
  }
}
