package hauberk.bus

/** What the unit of one member receives, and which beats raise its alarm. */
class SecurityHardwareUnitAlarmSpec extends UnitScenarios {
  private def data() = BigInt(128, random)

  /** A beat of a message as it is on the shared bus, which the model has passed. */
  private def sent(bench: UnitBench, group: Int, source: Int, to: Int, plain: Option[BigInt], last: Boolean): Frame = {
    val command = BigInt(40, random)
    val beat = ReferenceBeat(source, to, 1, command, last, plain)
    val hidden = bench.models(group).encrypt(beat)
    bench.models(group).pass(beat)
    Frame(FrameKind.transfer, group, source, to, 1, command, plain.nonEmpty, last, hidden)
  }

  /** Events that raise an alarm, of a unit that has heard a beat in each of its groups, whose MACs are members 2's and this member's. */
  private def events(bench: UnitBench): Seq[(Int, () => Unit)] = {
    import bench._
    val own = Frame(FrameKind.transfer, 2, pid, pid, 0, 0, hasData = false, last = true, 0)
    def hears(frame: Frame, accepts: Boolean)(look: => Unit = ()): Unit = {
      shown(frame)
      step()
      bus.accepts.expect(accepts)
      commit(look)
      hidden()
    }
    def mac(group: Int, member: Int, wrong: BigInt) = {
      step(60)
      hears(frame(FrameKind.authentication, group, member, models(group).takeTag() ^ wrong), accepts = true)()
    }
    Seq(
      BusAlarm.ownPid -> { () => hears(own, accepts = true)(io.commit.expect(false)) },
      BusAlarm.ownPid -> { () =>
        io.accepts.poke(false)
        hears(own.copy(group = 0), accepts = true)(io.commit.expect(false))
        io.accepts.poke(true)
      },
      BusAlarm.ownPid -> { () => hears(frame(FrameKind.authentication, 0, pid, 0), accepts = true)() },
      BusAlarm.collision -> { () =>
        showMac(1, pid, models(1).takeTag())
        offer(0, 1, Some(data()), last = true)
        shown(own.copy(group = 0, source = 0))
        stepUntil(bus.request, 100)
        bus.granted.poke(true)
        commit {
          io.send.ready.expect(false)
          io.commit.expect(false)
          bus.beat.data.expect(0)
        }
        bus.granted.poke(false)
        hidden()
      },
      BusAlarm.mismatch -> { () => mac(0, 2, 1) },
      BusAlarm.mismatch -> { () => mac(0, 2, BigInt(1) << 63) },
      BusAlarm.mismatch -> { () =>
        showMac(1, pid, models(1).takeTag())
        hear(sent(bench, 1, 2, 0, Some(data()), last = true))
        mac(1, 2, 1)
      },
      BusAlarm.outOfTurn -> { () => mac(0, 0, 0) },
      BusAlarm.outOfTurn -> { () => mac(1, 2, 0) },
      BusAlarm.overrun -> { () =>
        io.accepts.poke(false)
        hears(frame(FrameKind.transfer, 0, 2, 0, destination = pid), accepts = false)(io.commit.expect(false))
        io.accepts.poke(true)
      },
      BusAlarm.overrun -> { () =>
        io.pads.get.receive.ready.poke(false)
        hears(frame(FrameKind.pad, 0, 2, 0), accepts = false)(io.pads.get.receive.valid.expect(false))
        io.pads.get.receive.ready.poke(true)
      },
      // More beats than masks, in no time
      BusAlarm.overrun -> { () =>
        for (_ <- 0 to 2) hear(sent(bench, 0, 2, 0, Some(data()), last = true))
        hears(sent(bench, 0, 2, pid, Some(data()), last = true), accepts = false)(io.commit.expect(false))
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
  }

  private val alarms: UnitBench => Unit = bench => {
    import bench._
    for (((alarm, _), number) <- events(bench).zipWithIndex) withClue(s"event $number, alarm $alarm: ") {
      bench.reset()
      setUp(0, interval = 1)
      setUp(1, interval = 1)
      for (group <- 0 to 1) hear(sent(bench, group, 2, 0, Some(data()), last = alarm != BusAlarm.other))
      step(60)
      for (group <- 0 to 1) assert(command(GroupOperation.release, group) == GroupRefusal.busy)
      control.alarm.expect(BusAlarm.none)
      events(bench)(number)._2()
      control.alarm.expect(alarm)
      offer(0, 1, Some(data()), last = true)
      io.pads.get.transmit.valid.poke(true)
      step()
      bus.request.expect(false)
      assert(seen == UnitBench.nothing)
      bus.accepts.expect(false)
      grant {
        io.send.ready.expect(false)
        io.pads.get.transmit.ready.expect(false)
        bus.beat.data.expect(0)
      }
      shown(frame(FrameKind.transfer, 0, 2, 0, destination = pid))
      bus.accepts.expect(false)
      commit(io.commit.expect(false))
      hidden()
      control.fault.poke(BusAlarm.exhausted)
      step()
      control.alarm.expect(alarm)
      control.statistics.sent.expect(0)
      assert(command(GroupOperation.release, 0) == GroupRefusal.none)
    }
  }

  private val noise: UnitBench => Unit = bench => {
    import bench._
    members = Seq(Set(0, 1, 2), Set(0, 1), Set(0, 2))
    setUp(0, interval = 6)
    setUp(1, interval = 6)
    val own = Frame(FrameKind.transfer, 0, pid, 0, 0, 0, hasData = false, last = true, 0)
    for {
      beat <- Seq(own, frame(FrameKind.authentication, 0, 0, 1), own.copy(source = 0, destination = pid))
      wires <- 0 until 7
    } {
      if ((wires & 4) != 0) shown(beat) else hidden()
      bus.tick.poke((wires & 1) != 0)
      bus.commit.poke((wires & 2) != 0)
      if ((wires & 4) == 0) bus.accepts.expect(true)
      io.commit.expect(false)
      step()
      bus.commit.poke(false)
      bus.tick.poke(false)
      hidden()
    }
    offer(0, 4, None, last = true)
    stepUntil(bus.request, 10)
    bus.granted.poke(true)
    io.send.ready.expect(false)
    step()
    bus.granted.poke(false)
    io.send.valid.poke(false)
    grant()
    // Of a group that is others', of none, and of one to which the sender does not belong
    for {
      (group, source) <- Seq((2, 0), (2, 2), (3, 0), (1, 2), (0, 3), (1, 3))
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
    // The same masks and MACs are next, and others' messages are taken whether this member takes its own or not
    for {
      group <- 0 to 1
      plain <- Seq(Some(data()), None)
      to <- Seq(0, pid, 2)
    } {
      shown(sent(bench, group, 0, to, plain, last = true))
      io.accepts.poke(to == pid)
      stepUntil(bus.accepts, 100)
      commit {
        io.commit.expect(to == pid)
        io.receive.data.expect(plain.getOrElse(BigInt(0)))
        io.receive.source.expect(0)
        io.receive.group.expect(group)
        io.pads.get.receive.valid.expect(false)
      }
      hidden()
    }
    step(60)
    for ((group, member) <- Seq(0 -> 2, 1 -> 0)) {
      shown(frame(FrameKind.authentication, group, member, models(group).takeTag(), destination = pid))
      bus.accepts.expect(true)
      commit(io.commit.expect(false))
      hidden()
    }
    control.alarm.expect(BusAlarm.none)
    control.statistics.sent.expect(0)
    control.statistics.authenticated.expect(6)
  }

  // covers: bus.mac, bus.hostile-beats
  scenarios(
    "each event raises its own alarm, the first one stays, and nothing passes behind it" -> alarms,
    "wires that do not say that a beat is taken, and beats of others, change nothing" -> noise
  )
}
