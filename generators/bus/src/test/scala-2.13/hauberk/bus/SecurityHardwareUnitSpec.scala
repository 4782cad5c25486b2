package hauberk.bus

/** When the unit of one member shows its shares. */
class SecurityHardwareUnitSpec extends UnitScenarios {
  private val waits: UnitBench => Unit = bench => {
    import bench._
    setUp(0)
    allocate(1, 1)
    open(1)
    step(60)
    bus.request.expect(true)
    bus.urgency.expect(0)
    offer(0, 0, None, last = true)
    bus.urgency.expect(1)
    assert(seen.kind == FrameKind.transfer)
    // One that cannot pass stops nothing
    offer(2, 0, None, last = true)
    bus.urgency.expect(0)
    val share = grant { io.send.ready.expect(false) }
    assert(share.kind == FrameKind.setUp && share.group == 1)
    offer(0, 0, None, last = true)
    bus.urgency.expect(1)
    hear(frame(FrameKind.setUp, 1, 2, 5))
    control.statistics.shown.expect(1)
    io.send.valid.poke(false)
  }

  private val inTurn: UnitBench => Unit = bench => {
    import bench._
    members = Seq.fill(3)(Set(1, 2))
    for (group <- 0 to 2) {
      allocate(group, 1)
      open(group)
    }
    step(100)
    // Whoever is tried and not taken waits for the others
    for (group <- Seq(1, 2, 0, 1, 2)) {
      for (_ <- 0 to 3) {
        bus.urgency.expect(0)
        assert(seen.kind == FrameKind.setUp && seen.group == group)
        step()
      }
      tick()
    }
    speaks(FrameKind.setUp, 0, 0)
    assert(seen.group == 1)
    tick()
    assert(seen.group == 2)
    tick()
    assert(seen.group == 1, "a share is shown twice")
    // Shares and MACs of all go before
    hear(frame(FrameKind.setUp, 0, 2, 6))
    speaks(FrameKind.setUp, 2, 0)
    tick()
    bus.urgency.expect(0)
    assert(seen.group == 1)
  }

  // covers: bus.groups
  scenarios(
    "a first share waits for messages that can pass" -> waits,
    "first shares have bus cycles in turn, and each is shown once" -> inTurn
  )
}
