package hauberk.bus

/** What the unit of one member sends, and with which urgency. */
class SecurityHardwareUnitSendSpec extends UnitScenarios {

  /** It leaves, under the mask of its turn, when it is granted. */
  private def leaves(bench: UnitBench, what: Frame): Unit = {
    import bench._
    val data = Some(what.data).filter(_ => what.hasData)
    val beat = ReferenceBeat(1, 2, what.channel, what.command, what.last, data)
    val hidden = models(what.group).encrypt(beat)
    stepUntil(bus.request, 100)
    bus.urgency.expect(what.channel + 1)
    assert(seen == what.copy(data = 0), "data before they are taken")
    io.send.ready.expect(false)
    bus.granted.poke(true)
    io.send.ready.expect(false)
    bus.granted.poke(false)
    assert(grant {
      io.send.ready.expect(true)
      io.pads.get.transmit.ready.expect(false)
    } == what.copy(data = hidden))
    models(what.group).pass(beat)
    io.send.valid.poke(false)
  }
  private def data() = Some(BigInt(128, random))

  private val channels: UnitBench => Unit = bench => {
    import bench._
    import UnitBench.nothing
    setUp(0, interval = 10)
    allocate(1, 10)
    for (group <- 1 to 3) {
      offer(group, channel = 4, data(), last = true)
      step(2)
      bus.request.expect(false)
      assert(seen == nothing)
      tick()
    }
    control.statistics.stalls.expect(3)
    io.send.valid.poke(false)
    assert(command(GroupOperation.release, 1) == GroupRefusal.none)
    setUp(1, interval = 10)
    allocate(2, 5)
    for (group <- 2 to 3) {
      offer(group, channel = 4, None, last = true)
      step(2)
      bus.request.expect(false)
    }
    io.send.valid.poke(false)
    for {
      group <- 0 to 1
      channel <- 0 until BusChannel.count
      data <- Seq(None, data())
    } {
      val what = offer(group, channel, data, last = true)
      leaves(bench, what)
      bus.request.expect(false)
      assert(seen == nothing)
      tick()
    }
    step(60)
    // Both MACs tell of all that has left
    showMac(0, 2, models(0).takeTag())
    showMac(1, 1, models(1).takeTag())
    val statistics = control.statistics
    val counts = Seq(statistics.sent, statistics.dataSent, statistics.shown, statistics.authenticated)
    assert(counts.map(_.peek().toInt) == Seq(20, 10, 3, 6))
    control.alarm.expect(BusAlarm.none)
  }

  private val before: UnitBench => Unit = bench => {
    import bench._
    setUp(0, interval = 1)
    setUp(1)
    val pads = io.pads.get.transmit
    // The first two MACs that are due are others', and the third this member's
    for (member <- Seq(2, 0)) {
      leaves(bench, offer(0, 2, data(), last = true))
      step(60)
      showMac(0, member, models(0).takeTag())
    }
    leaves(bench, offer(0, 2, data(), last = false))
    val third = models(0).takeTag()
    step(60)
    pads.valid.poke(true)
    pads.bits.kind.poke(PadMessage.reply)
    tick()
    leaves(bench, offer(0, 2, data(), last = true))
    val fourth = models(0).takeTag()
    offer(1, 2, data(), last = false)
    assert(speaks(FrameKind.authentication, 0, 8) == third)
    io.send.ready.expect(false)
    pads.ready.expect(false)
    // Counters: a reply, then the rest, then the message
    for ((kind, urgency) <- Seq(2 -> 7, 0 -> 6, 1 -> 6, 3 -> 6)) {
      pads.bits.kind.poke(kind)
      pads.bits.block.poke(3)
      pads.bits.count.poke(0x5a)
      io.send.valid.poke(kind != 1)
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
    assert(Seq(statistics.sent, statistics.dataSent, statistics.shown).map(_.peek().toInt) == Seq(8, 4, 3))
    io.send.valid.poke(false)
    step(60)
    showMac(0, 2, fourth)
    control.alarm.expect(BusAlarm.none)
  }

  // covers: bus.messages, bus.ciphertext
  scenarios(
    "each channel has its urgency, data are out only when they are taken, and no group is another's" -> channels,
    "a MAC goes before messages and what is said of counters, but not within a message" -> before
  )
}
