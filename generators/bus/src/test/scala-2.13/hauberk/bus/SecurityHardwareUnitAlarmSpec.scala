package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What the unit of one member receives, and which beats raise its alarm. */
class SecurityHardwareUnitAlarmSpec extends AnyFunSuite with Simulation {
  private val random = new Random(84)
  private def bench(body: UnitBench => Unit): Unit = simulate(new SecurityHardwareUnit(UnitBench.params)) { dut =>
    body(new UnitBench(this, dut, new Random(83)))
  }
  private def data() = BigInt(128, random)

  /** A beat of a message as it is on the shared bus, which the model has passed. */
  private def sent(bench: UnitBench, group: Int, source: Int, to: Int, plain: Option[BigInt], last: Boolean): Frame = {
    val command = BigInt(40, random)
    val beat = ReferenceBeat(source, to, 1, command, last, plain)
    val hidden = bench.models(group).encrypt(beat)
    bench.models(group).pass(beat)
    Frame(FrameKind.transfer, group, source, to, 1, command, plain.nonEmpty, last, hidden)
  }

  // covers: bus.mac, bus.hostile-beats
  test("each event raises its own alarm, the first one stays, and nothing passes behind it") {
    bench { bench =>
      import bench._
      val foreign = Frame(FrameKind.transfer, 2, pid, 0, 0, 0, hasData = false, last = true, 0)
      def mac(member: Int, wrong: BigInt) = {
        shown(frame(FrameKind.authentication, 0, member, models(0).takeTag() ^ wrong))
        step(60)
        bus.accepts.expect(true)
        commit()
        hidden()
      }
      val events = Seq[(Int, () => Unit)](
        BusAlarm.ownPid -> { () => hear(foreign) },
        BusAlarm.ownPid -> { () => hear(foreign.copy(group = 0)) },
        BusAlarm.ownPid -> { () => hear(frame(FrameKind.authentication, 0, pid, 0)) },
        BusAlarm.collision -> { () =>
          io.send.valid.poke(true)
          io.send.bits.last.poke(true)
          shown(foreign.copy(source = 0))
          stepUntil(bus.request, 10)
          bus.granted.poke(true)
          commit(io.send.ready.expect(false))
          bus.granted.poke(false)
          hidden()
        },
        BusAlarm.mismatch -> { () => mac(2, 1) },
        BusAlarm.mismatch -> { () => mac(2, BigInt(1) << 63) },
        BusAlarm.outOfTurn -> { () => mac(0, 0) },
        BusAlarm.overrun -> { () =>
          io.accepts.poke(false)
          shown(frame(FrameKind.transfer, 0, 2, 0, destination = pid))
          step()
          bus.accepts.expect(false)
          commit(io.commit.expect(false))
          hidden()
          io.accepts.poke(true)
        },
        BusAlarm.overrun -> { () =>
          io.pads.get.receive.ready.poke(false)
          shown(frame(FrameKind.pad, 0, 2, 0))
          step()
          bus.accepts.expect(false)
          commit(io.pads.get.receive.valid.expect(false))
          hidden()
          io.pads.get.receive.ready.poke(true)
        },
        BusAlarm.silent -> { () =>
          bus.tick.poke(true)
          step(1900)
          control.alarm.expect(BusAlarm.none)
          step(200)
          bus.tick.poke(false)
        },
        BusAlarm.noKey -> { () => control.fault.poke(BusAlarm.noKey); step(); control.fault.poke(0) },
        BusAlarm.malformed -> { () => control.fault.poke(BusAlarm.malformed); step(); control.fault.poke(0) },
        BusAlarm.other -> { () => io.globalAlarm.poke(true); step(); io.globalAlarm.poke(false) }
      )
      for (((alarm, event), number) <- events.zipWithIndex) withClue(s"event $number, alarm $alarm: ") {
        bench.reset()
        bench.setUp(0, interval = 1)
        // A MAC is due of member 2, and one can be released no more
        hear(sent(bench, 0, 2, 0, Some(data()), last = alarm != BusAlarm.other))
        step(60)
        assert(command(GroupOperation.release, 0) == GroupRefusal.busy)
        control.alarm.expect(BusAlarm.none)
        event()
        control.alarm.expect(alarm)
        io.send.valid.poke(true)
        step()
        bus.request.expect(false)
        bus.accepts.expect(false)
        grant(io.send.ready.expect(false))
        shown(frame(FrameKind.transfer, 0, 2, 0, destination = pid))
        bus.accepts.expect(false)
        commit(io.commit.expect(false))
        hidden()
        control.fault.poke(BusAlarm.exhausted)
        step()
        control.alarm.expect(alarm)
        control.statistics.stalls.expect(0)
        control.statistics.sent.expect(0)
        assert(command(GroupOperation.release, 0) == GroupRefusal.none)
      }
    }
  }

  // covers: bus.hostile-beats
  test("wires that do not say that a beat is taken, and beats of others, change nothing") {
    bench { bench =>
      import bench._
      bench.reset()
      bench.setUp(0)
      bench.setUp(1)
      val own = Frame(FrameKind.transfer, 0, pid, 0, 0, 0, hasData = false, last = true, 0)
      for {
        beat <- Seq(own, frame(FrameKind.authentication, 0, 0, 1), own.copy(source = 0, destination = pid))
        wires <- 0 until 7
      } {
        if ((wires & 4) != 0) shown(beat) else hidden()
        bus.tick.poke((wires & 1) != 0)
        bus.commit.poke((wires & 2) != 0)
        io.commit.expect(false)
        step()
        bus.commit.poke(false)
        bus.tick.poke(false)
        hidden()
      }
      io.send.valid.poke(true)
      io.send.bits.last.poke(true)
      stepUntil(bus.request, 10)
      bus.granted.poke(true)
      io.send.ready.expect(false)
      step()
      bus.granted.poke(false)
      io.send.valid.poke(false)
      // Of a group that is others', of none, and of one to which the sender does not belong
      for {
        (group, source) <- Seq((2, 0), (2, 2), (3, 0), (1, 0))
        kind <- 0 to 3
      } {
        shown(frame(kind, group, source, data(), destination = pid).copy(hasData = kind == 0))
        io.accepts.poke(false)
        bus.accepts.expect(true)
        io.accepts.poke(true)
        commit {
          io.commit.expect(false)
          io.pads.get.receive.valid.expect(false)
        }
        hidden()
      }
      control.alarm.expect(BusAlarm.none)
      // The same masks and MACs are next
      for {
        group <- 0 to 1
        to <- Seq(0, pid, 2)
      } {
        val plain = data()
        shown(sent(bench, group, 2, to, Some(plain), last = true))
        stepUntil(bus.accepts, 100)
        commit {
          io.commit.expect(to == pid)
          io.receive.data.expect(plain)
          io.receive.source.expect(2)
          io.receive.group.expect(group)
        }
        hidden()
      }
      control.alarm.expect(BusAlarm.none)
      control.statistics.sent.expect(0)
    }
  }

  // covers: bus.tile-pads
  test("what is said of counters is heard in group 0 alone, and its key stays until reset") {
    bench { bench =>
      import bench._
      bench.reset()
      val pads = io.pads.get
      pads.keys.foreach(_.valid.expect(false))
      bench.setUp(0)
      bench.setUp(1)
      val keys = pads.keys.map(_.bits.peek())
      assert(pads.keys.map(_.valid.peekBoolean()) == Seq(true, true, false))
      assert(keys(0) == padKeys(0) && keys(1) == padKeys(1))
      for {
        group <- 0 to 1
        kind <- 0 to 3
      } {
        val command = (BigInt(kind) << 10) | (2 << 8) | 77
        shown(Frame(FrameKind.pad, group, 2, 0, 0, command, hasData = false, last = true, 0))
        stepUntil(bus.accepts, 100)
        pads.receive.valid.expect(false)
        commit {
          pads.receive.valid.expect(group == 0)
          pads.source.expect(2)
          pads.receive.bits.kind.expect(kind)
          pads.receive.bits.block.expect(2)
          pads.receive.bits.count.expect(77)
          io.commit.expect(false)
        }
        hidden()
      }
    }
  }
}
