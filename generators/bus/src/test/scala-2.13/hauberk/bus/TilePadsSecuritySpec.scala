package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

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

  test("two tiles that ask each other at once, on a medium of a beat a cycle, get their answers") {
    val p = BusParams(
      3,
      60,
      32,
      MediumParams(1, 128),
      Some(BusSecurityParams(masks = 16, aesLatency = 20, interval = 10, heartbeat = 64, patience = 128)),
      Some(PadParams(8, countBits = 16, PadCoherence.WriteInvalidate, aesLatency = 16))
    )
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, new Random(3))
      val pads = dut.io.pads.get
      pads.foreach(quiet)
      bench.reset()
      bench.setUp(interval = 10)
      bench.checking = false
      bench.ticks(20)

      /** Until both have done something with the blocks. */
      def both(ports: Seq[chisel3.util.DecoupledIO[PadWork]], blocks: Seq[Int]): Unit = {
        for ((port, block) <- ports.zip(blocks)) {
          port.valid.poke(true)
          port.bits.block.poke(block)
          port.bits.data.poke(0)
        }
        var busy = ports
        var cycles = 0
        while (busy.nonEmpty) {
          val done = busy.filter(_.ready.peekBoolean())
          bench.tick()
          done.foreach(_.valid.poke(false))
          busy = busy.filterNot(done.contains)
          cycles += 1
          assert(cycles < 500, "a tile waits for ever")
        }
      }
      both(pads.map(_.encrypt), Seq(1, 2))
      both(pads.map(_.decrypt), Seq(2, 1))
      bench.ask(bench.message(1, 0, BusChannel.c, 1))
      bench.drain()
      assert(bench.arrived == 1 && bench.alarms.forall(_ == BusAlarm.none))
    }
  }
}
