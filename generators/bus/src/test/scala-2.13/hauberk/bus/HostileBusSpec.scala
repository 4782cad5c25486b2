package hauberk.bus

import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Attacks that a review of the units found to succeed, each of them carried out; none does any more. */
class HostileBusSpec extends AnyFunSuite with BusAttacks {
  private val random = new Random(99)
  private val interval = 6

  private def fromHome(data: BigInt): Frame = Frame(FrameKind.transfer, 0, 0, 1, BusChannel.d, 7, true, true, data)

  private def begin(bench: BusBench): Unit = {
    bench.reset()
    bench.setUp(interval = interval)
    bench.checking = false
    bench.ticks(3)
  }

  /** While a member's own beat is granted it is told another one, which its own would hide from its MAC. */
  private def whileSending(bench: BusBench): Unit = {
    begin(bench)
    bench.ask(bench.message(1, 0, BusChannel.c, 1))
    carryOut(bench)(atTransfer(bench, _.source == 1)(_ =>
      bench.tell(1, fromHome(BigInt(bench.p.sharedBus.widthBits, random)))
    ))
    bench.ticks(2)
    assert(bench.control(1).alarm.peek() == BusAlarm.collision)
    assert(bench.received.forall(_._2.destination != 1), "what was told while it sent was taken")
  }

  /** A member that receives nobody but an impostor; what it takes until it raises the alarm. */
  private def isolated(bench: BusBench, noise: Option[Frame]): Int = {
    begin(bench)
    val before = bench.received.size
    var cycle = 0
    bench.adversary = () => {
      others(bench, 1).foreach(bench.deafen)
      cycle % 8 match {
        case 2 if noise.nonEmpty => bench.tell(1, noise.get)
        case 4 => bench.tell(1, fromHome(BigInt(bench.p.sharedBus.widthBits, random)))
        case _ => bench.deafen(1)
      }
      cycle += 1
    }
    while (bench.control(1).alarm.peek() == BusAlarm.none && cycle < 2000) bench.tick()
    bench.adversary = () => ()
    assert(cycle < 2000, "nobody finds the impostor out")
    bench.received.size - before
  }

  /** The home node is told shares that nobody gave. */
  private def inventedSetUp(bench: BusBench): Unit = {
    bench.reset()
    bench.checking = false
    bench.prepare(interval = interval)
    bench.everybody.foreach(bench.open(_))
    var turn = 0
    var wait = 0
    bench.adversary = () => {
      others(bench, 0).foreach(bench.deafen)
      wait += 1
      if (turn > 0 && turn < bench.p.members && wait > 20) {
        bench.tell(0, Frame(FrameKind.setUp, 0, turn, 0, 0, 0, false, true, BigInt(64, random)))
        turn += 1
        wait = 0
      } else bench.deafen(0)
      if (turn == 0 && bench.dut.io.view.taken.peekBoolean()) turn = 1
    }
    while (turn < bench.p.members) bench.tick()
    var shows = 0
    bench.onFrame = frame => if (frame.kind == FrameKind.authentication && frame.source == 0) shows += 1
    bench.ticks(bench.p.secure.timeout / 2)
    bench.onFrame = _ => ()
    assert(shows > 0, "it did not show its MAC")
    assert(bench.control(0).agreed.peek() == 0, "it agreed with nobody but itself")
    val before = bench.received.size
    bench.adversary = () => bench.tell(0, Frame(FrameKind.transfer, 0, 1, 0, BusChannel.c, 7, true, true, 1))
    bench.tick()
    bench.adversary = () => ()
    bench.ticks(2)
    assert(bench.received.size == before && bench.control(0).alarm.peek() == BusAlarm.overrun)
  }

  /** A beat without data, of which no MAC tells, that claims to begin a message. */
  private def displaced(bench: BusBench): Unit = {
    begin(bench)
    bench.adversary = () => bench.tell(1, Frame(FrameKind.transfer, 0, 0, 1, BusChannel.d, 0, false, false, 0))
    bench.tick()
    bench.adversary = () => ()
    bench.ticks(2)
    assert(bench.control(1).alarm.peek() == BusAlarm.overrun)
  }

  /** A beat whose end, channel or destination is changed for who receives it, with its data as they were. */
  private def changed(bench: BusBench, change: Frame => Frame): Unit = {
    begin(bench)
    bench.ask(bench.message(2, 0, BusChannel.c, 1))
    carryOut(bench)(atTransfer(bench, _.source == 2)(frame => bench.tell(0, change(frame))))
    var cycle = 0
    while (bench.control(0).alarm.peek() == BusAlarm.none && cycle < 2 * bench.p.secure.timeout) {
      bench.tick()
      cycle += 1
    }
    assert(Set(BusAlarm.mismatch, BusAlarm.other)(bench.control(0).alarm.peek().toInt))
  }

  /** A MAC of which one listener sees one bit changed. */
  private def changedMac(bench: BusBench, bit: Int): Unit = {
    begin(bench)
    var listener = 0
    carryOut(bench)(atFrame(bench, _.kind == FrameKind.authentication) { frame =>
      listener = others(bench, frame.source).head
      bench.tell(listener, frame.copy(data = frame.data.flipBit(bit)))
    })
    bench.ticks(2)
    assert(bench.control(listener).alarm.peek() == BusAlarm.mismatch, s"bit $bit of a MAC is not compared")
  }

  // covers: bus.mac-compare
  test("every bit of a MAC is compared") {
    simulate(new BroadcastBus(SmallBus(2, 128, SmallBus.secure))) { dut =>
      val bench = new BusBench(this, dut, random)
      for (bit <- 0 until BusTag.width) changedMac(bench, bit)
    }
  }

  // covers: bus.hostile-beats
  test("chained masks, CBC: beats beside the member's own, noise, invented set-ups, displaced data") {
    val p = SmallBus(3, 128, SmallBus.secure.copy(masks = 4))
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, random)
      whileSending(bench)
      // It may show its own MAC meanwhile, which proves nothing to it
      val most = 2 * interval + p.secure.window
      assert(isolated(bench, noise = None) <= most)
      assert(isolated(bench, Some(Frame(FrameKind.transfer, 0, 0, 2, BusChannel.d, 0, false, false, 0))) <= most)
      // To somebody else, so that it is nobody's message that does not end
      assert(isolated(bench, Some(Frame(FrameKind.transfer, 0, 0, 2, BusChannel.d, 0, true, false, 5))) <= most)
      inventedSetUp(bench)
      displaced(bench)
      changed(bench, _.copy(last = false))
      changed(bench, _.copy(channel = BusChannel.a))
      changed(bench, _.copy(destination = 1))
    }
  }

  // covers: bus.hostile-beats
  test("GHASH: zeros that are lost at the beginning of a session") {
    val p = SmallBus(3, 128, SmallBus.secure.copy(masks = 4, mac = BusMac.Ghash))
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, random)
      bench.reset()
      bench.setUp(interval = 100)
      bench.checking = false
      bench.ask(Sent(0, 1, BusChannel.d, 0, 3, 2, 0))
      var dropped = 0
      bench.adversary = () =>
        if (dut.io.view.taken.peekBoolean() && dut.io.view.beat.kind.peek() == FrameKind.transfer) {
          others(bench, 0).foreach(bench.deafen)
          dropped += 1
        }
      bench.ticks(p.secure.timeout)
      assert(dropped == 2 && bench.received.isEmpty)
      assert(bench.alarms.contains(BusAlarm.mismatch))
    }
  }
}
