package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What the unit of one member sends, and with which urgency. */
class SecurityHardwareUnitSendSpec extends AnyFunSuite with Simulation {
  private def bench(body: UnitBench => Unit): Unit = simulate(new SecurityHardwareUnit(UnitBench.params)) { dut =>
    val bench = new UnitBench(this, dut, new Random(82))
    bench.reset()
    body(bench)
  }
  private val random = new Random(81)

  /** It leaves, under the mask of its turn, when it is granted. */
  private def leaves(bench: UnitBench, what: Frame): Unit = {
    import bench._
    val beat = ReferenceBeat(1, 2, what.channel, what.command, what.last, Some(what.data).filter(_ => what.hasData))
    val hidden = models(what.group).encrypt(beat)
    stepUntil(bus.request, 100)
    bus.urgency.expect(what.channel + 1)
    assert(seen == what.copy(data = 0), "data before they are taken")
    io.send.ready.expect(false)
    bus.granted.poke(true)
    io.send.ready.expect(false)
    bus.granted.poke(false)
    assert(grant { io.send.ready.expect(true) } == what.copy(data = hidden))
    models(what.group).pass(beat)
    io.send.valid.poke(false)
  }

  // covers: bus.messages, bus.ciphertext
  test("each channel has its urgency, data are out only when they are taken, and no group is another's") {
    bench { bench =>
      import bench._
      bench.setUp(0)
      for (group <- Seq(1, 2, 3)) {
        offer(group, channel = 4, None, last = true)
        step(2)
        bus.request.expect(false)
        assert(seen == Frame(0, 0, 0, 0, 0, 0, false, false, 0))
      }
      io.send.valid.poke(false)
      bench.setUp(1)
      allocate(2, 5)
      for (group <- Seq(2, 3)) {
        offer(group, channel = 4, None, last = true)
        step(2)
        bus.request.expect(false)
      }
      for {
        group <- 0 to 1
        channel <- 0 until BusChannel.count
        data <- Seq(None, Some(BigInt(128, random)))
      } {
        leaves(bench, offer(group, channel, data, last = true))
        tick()
      }
      control.statistics.sent.expect(20)
      control.statistics.dataSent.expect(10)
      control.statistics.shown.expect(2)
      control.statistics.authenticated.expect(4)
    }
  }

  // covers: bus.messages
  test("a MAC goes before messages and what is said of counters, but not within a message") {
    bench { bench =>
      import bench._
      bench.setUp(0, interval = 1)
      bench.setUp(1)
      val pads = io.pads.get.transmit
      // Of the two beats, the first makes a MAC due, which is member 2's
      leaves(bench, offer(0, 2, Some(BigInt(128, random)), last = true))
      val first = models(0).takeTag()
      step(60)
      showMac(0, 2, first)
      // Then one that is member 0's, and at last this member's
      leaves(bench, offer(0, 2, Some(BigInt(128, random)), last = true))
      val second = models(0).takeTag()
      step(60)
      showMac(0, 0, second)
      leaves(bench, offer(0, 2, Some(BigInt(128, random)), last = false))
      val third = models(0).takeTag()
      step(60)
      pads.valid.poke(true)
      pads.bits.kind.poke(PadMessage.reply)
      tick()
      val rest = offer(0, 2, Some(BigInt(128, random)), last = true)
      leaves(bench, rest)
      val fourth = models(0).takeTag()
      offer(1, 2, None, last = true)
      assert(speaks(FrameKind.authentication, 0, 8) == third)
      io.send.ready.expect(false)
      pads.ready.expect(false)
      // Counters: a reply, then the rest, then the message
      for ((kind, urgency) <- Seq(2 -> 7, 0 -> 6, 1 -> 6, 3 -> 6)) {
        pads.bits.kind.poke(kind)
        pads.bits.block.poke(3)
        pads.bits.count.poke(0x5a)
        stepUntil(bus.request, 300)
        bus.urgency.expect(urgency)
        val command = (BigInt(kind) << 10) | (3 << 8) | 0x5a
        val beat = grant {
          pads.ready.expect(true)
          io.send.ready.expect(false)
        }
        assert(beat == Frame(FrameKind.pad, 0, 1, 0, 0, command, hasData = false, last = true, 0))
        models(0).pass(ReferenceBeat(1, 0, 0, command, last = true, None, isPad = true))
        models(0).takeTag()
        tick()
      }
      pads.valid.poke(false)
      stepUntil(bus.request, 10)
      bus.urgency.expect(3)
      val statistics = control.statistics
      statistics.sent.expect(8)
      statistics.dataSent.expect(4)
      statistics.shown.expect(3)
      io.send.valid.poke(false)
      step(60)
      showMac(0, 2, fourth)
    }
  }
}
