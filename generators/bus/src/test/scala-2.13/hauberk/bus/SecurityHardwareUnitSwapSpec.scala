package hauberk.bus

/** Groups of one unit that come and go beside each other. */
class SecurityHardwareUnitSwapSpec extends UnitScenarios {
  private val swaps: UnitBench => Unit = bench => {
    import bench._
    setUp(0)
    val key = setUp(1)
    assert(command(GroupOperation.swapOut, 1) == GroupRefusal.none)
    control.occupied.expect(1)
    val words = Seq.fill(GroupContext.words)(control.contextOut.receive()(_.peek()))
    control.agreed.expect(1)
    def enters(words: Seq[BigInt], refusal: Int): Unit = {
      for (word <- words) control.contextIn.send()(_.poke(word))
      control.contextJudged.expect(false)
      stepUntil(control.contextJudged, 300)
      control.contextRefusal.expect(refusal)
      step()
      control.contextJudged.expect(false)
      step(2)
    }
    enters(words.updated(1, words(1).flipBit(5)), GroupRefusal.context)
    control.occupied.expect(1)
    enters(words, GroupRefusal.none)
    control.occupied.expect(3)
    control.agreed.expect(1)
    enters(words, GroupRefusal.occupied)
    setUpWith(1, key)
    control.agreed.expect(3)
    control.alarm.expect(BusAlarm.none)
    // One that is not over leaves no more than it is released
    val beat = ReferenceBeat(2, 0, 0, 0, last = false, Some(0))
    hear(Frame(FrameKind.transfer, 1, 2, 0, 0, 0, hasData = true, last = false, models(1).encrypt(beat)))
    for (operation <- Seq(GroupOperation.swapOut, GroupOperation.release))
      assert(command(operation, 1) == GroupRefusal.busy)
  }

  private val atOnce: UnitBench => Unit = bench => {
    import bench._
    members = Seq(Set(0, 1, 2), Set(1, 2), Set(1, 2))
    setUp(0)
    val (groups, keys) = (Seq(1, 2), Seq.fill(2)(BigInt(128, random)))
    for ((group, key) <- groups.zip(keys)) allocate(group, 1000, key)
    control.random.valid.poke(false)
    for (group <- groups) assert(command(GroupOperation.open, group) == GroupRefusal.none)
    step(4)
    val (mine, others) = (Seq.fill(2)(BigInt(64, random)), Seq.fill(2)(BigInt(64, random)))
    for (number <- mine) {
      control.random.ready.expect(true)
      control.random.valid.poke(true)
      control.random.bits.poke(number)
      step()
    }
    control.random.ready.expect(false)
    step(60)
    for ((group, number) <- groups.zip(mine)) assert(speaks(FrameKind.setUp, group, 0) == number)
    for ((group, number) <- groups.zip(others)) hear(frame(FrameKind.setUp, group, 2, number))
    step(800)
    tick()
    tick()
    val tags = groups.indices.map { i =>
      val shares = Map(1 -> mine(i), 2 -> others(i))
      val model = new ReferenceGroup(UnitBench.params, groups(i), keys(i), shares)
      Seq.fill(2)(model.takeTag())
    }
    for (i <- 0 to 1) showMac(groups(i), pid, tags(i)(0))
    for (i <- 1 to 0 by -1) showMac(groups(i), 2, tags(i)(1))
    control.agreed.expect(7)
    control.statistics.authenticated.expect(6)
    control.alarm.expect(BusAlarm.none)
  }

  // covers: bus.groups
  scenarios(
    "a swapped group comes back with its key while its entry is free, and what is no context does not" -> swaps,
    "groups that are set up at once have numbers of their own, and MACs of one bus cycle" -> atOnce
  )
}
