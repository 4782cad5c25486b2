package hauberk.bus

/** What the unit of one tile tells it about pads over memory. */
class SecurityHardwareUnitPadsSpec extends UnitScenarios {
  private val messages: UnitBench => Unit = bench => {
    import bench._
    val pads = io.pads.get
    pads.keys.foreach(_.valid.expect(false))
    setUp(0, interval = 4)
    setUp(1)
    assert(pads.keys.map(_.valid.peekBoolean()) == Seq(true, true, false))
    for (group <- 0 to 1) pads.keys(group).bits.expect(padKeys(group))
    for {
      group <- 0 to 1
      kind <- 0 to 3
    } {
      val command = (BigInt(kind) << 10) | (2 << 8) | 77
      // It is for all tiles, whatever its destination
      val beat = Frame(FrameKind.pad, group, 2, pid, 0, command, hasData = false, last = true, 0)
      io.accepts.poke(false)
      shown(beat)
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
      models(group).pass(ReferenceBeat(2, pid, 0, command, last = true, None, isPad = true))
    }
    // A tile that takes no message about pads takes MACs and other messages, and its own go on
    pads.receive.ready.poke(false)
    step(60)
    showMac(0, 2, models(0).takeTag())
    hear(Frame(FrameKind.transfer, 0, 2, 0, 0, 0, hasData = false, last = true, 0))
    control.alarm.expect(BusAlarm.none)
  }

  private val keys: UnitBench => Unit = bench => {
    import bench._
    val pads = io.pads.get
    setUp(0)
    val key = setUp(1)
    val (first, second) = (padKeys(0), padKeys(1))
    for (group <- 1 to 0 by -1) assert(command(GroupOperation.release, group) == GroupRefusal.none)
    step(2)
    assert(pads.keys.map(_.valid.peekBoolean()) == Seq(true, false, false))
    pads.keys(0).bits.expect(first)
    setUp(0)
    pads.keys(0).bits.expect(first)
    setUpWith(1, allocate(1, 7, key))
    pads.keys(1).bits.expect(second)
    bench.reset()
    pads.keys.foreach(_.valid.expect(false))
    setUp(0)
    pads.keys(0).bits.expect(padKeys(0))
    assert(padKeys(0) != first)
  }

  // covers: bus.tile-pads
  scenarios(
    "what is said of counters is heard in group 0 alone" -> messages,
    "the key of group 0 for pads outlives its session, and that of another group is the same again" -> keys
  )
}
