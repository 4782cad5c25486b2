package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A bus with several groups: what is refused of the group information table, and that groups do not get into each other's way. */
class SeveralGroupsSpec extends AnyFunSuite with Simulation {
  import GroupOperation._
  private val p = SmallBus(3, 128, SmallBus.secure.copy(groups = 3, masks = 2, heartbeat = 32, timeout = 128))
  private val random = new Random(12)

  private val refusals: BusBench => Unit = bench => {
    val all = Set(0, 1, 2)
    def refused(reason: Int, operation: Int, group: Int, members: Set[Int] = Set.empty, interval: BigInt = 0): Unit =
      assert(bench.command(1, operation, group, members, interval) == reason)
    refused(GroupRefusal.unknown, allocate, 3, all, 1)
    refused(GroupRefusal.members, allocate, 0, Set.empty, 1)
    refused(GroupRefusal.members, allocate, 0, Set(1), 1)
    refused(GroupRefusal.interval, allocate, 0, all, 0)
    refused(GroupRefusal.free, open, 0)
    refused(GroupRefusal.free, release, 0)
    assert(bench.keyWord(1, 0, 0, 1) == GroupRefusal.free)
    assert(bench.control(1).occupied.peek() == 0, "what was refused was done")

    refused(GroupRefusal.none, allocate, 0, all, (BigInt(1) << 32) - 1)
    refused(GroupRefusal.occupied, allocate, 0, all, 1)
    refused(GroupRefusal.noKey, open, 0)
    assert(bench.keyWord(1, 0, 0, 1) == GroupRefusal.none)
    refused(GroupRefusal.noKey, open, 0)
    assert(bench.keyWord(1, 0, 1, 1) == GroupRefusal.none)
    assert(bench.keyWord(1, 0, 1, 2) == GroupRefusal.none, "a key can be exchanged until the group is open")
    refused(GroupRefusal.noKey, open, 0) // for its first word is the old key's
    assert(bench.keyWord(1, 0, 0, 1) == GroupRefusal.none)
    refused(GroupRefusal.none, open, 0)
    assert(bench.keyWord(1, 0, 0, 3) == GroupRefusal.open)
    assert(bench.keyWord(1, 3, 0, 3) == GroupRefusal.unknown)

    // Of a group of others: the entry is taken here as well, and there is nothing else to know of it
    refused(GroupRefusal.none, allocate, 1, Set(0, 2), 7)
    refused(GroupRefusal.occupied, allocate, 1, all, 1)
    assert(bench.keyWord(1, 1, 0, 1) == GroupRefusal.members)
    refused(GroupRefusal.none, open, 1)
    assert(bench.control(1).occupied.peek() == 3)

    refused(GroupRefusal.none, release, 0)
    refused(GroupRefusal.free, release, 0)
    refused(GroupRefusal.none, allocate, 0, all, 1)
    refused(GroupRefusal.noKey, open, 0)
    bench.books.clear()
  }

  // Nothing of a group shows before it is agreed, nor after it is released, nor of a member that is none, nor of no group
  private val denied: BusBench => Unit = bench => {
    val places = Seq(1 -> 0, 2 -> 0, 0 -> 1, 0 -> 2)
    bench.onFrame = frame => assert(frame.kind != FrameKind.transfer, s"$frame of a group without a session")
    for ((source, destination) <- places)
      bench.ask(bench.message(source, destination, bench.sends(source).head, 1, group = 1))
    bench.ticks(50)
    bench.prepare(Set(0, 2), group = 1, interval = 1)
    bench.ticks(50)
    bench.open(2, 1)
    bench.ticks(20)
    bench.open(0, 1)
    while (!bench.agreed(1)) bench.tick()
    // Now those pass that are of members, and only to members: the others wait for ever
    bench.onFrame = frame =>
      assert(frame.kind != FrameKind.transfer || frame.source != 1, s"$frame of a member that is none")
    bench.ticks(200)
    assert(bench.received.map(_._2.source).toSet.subsetOf(Set(0, 2)))
    bench.onFrame = _ => ()
  }

  private val both: BusBench => Unit = bench => {
    bench.setUp(Set(0, 1), group = 0, interval = 2)
    bench.setUp(Set(0, 1, 2), group = 1, interval = 3)
    bench.setUp(Set(0, 2), group = 2, interval = 1)
    for (_ <- 0 until 4) {
      for (_ <- 0 until 30) {
        bench.ask(bench.randomMessage(Seq(0, 1), 0))
        bench.ask(bench.randomMessage(Seq(0, 1, 2), 1))
        bench.ask(bench.randomMessage(Seq(0, 2), 2))
      }
      bench.drain()
    }
    bench.ticks(100)
    val good = bench.everybody.map(bench.control(_).statistics.authenticated.peek())
    val shown = (0 to 2).map(bench.books(_).shown)
    assert(
      good == Seq(shown.sum, shown(0) + shown(1), shown(1) + shown(2)),
      "members of one discard what is of another"
    )
  }

  // A group that is being set up, member after member, or swept away, leaves the others alone
  private val apart: BusBench => Unit = bench => {
    bench.setUp(Set(0, 1, 2), group = 0, interval = 2)
    bench.prepare(Set(0, 1, 2), group = 1, interval = 1)
    for (member <- Seq(0, 2, 1)) {
      bench.open(member, 1)
      for (_ <- 0 until 20) bench.ask(bench.randomMessage())
      bench.drain(2000)
    }
    while (!bench.agreed(1)) bench.tick()
    for (_ <- 0 until 20) bench.ask(bench.randomMessage(group = 1))
    bench.drain()
    bench.release(1)
    for (_ <- 0 until 20) bench.ask(bench.randomMessage())
    bench.drain()
  }

  // Once its first share has passed, a set-up does not wait for what others have to say, and nobody takes that for an attack
  private val busy: BusBench => Unit = bench => {
    bench.setUp(Set(0, 1, 2), group = 0, interval = 5)
    bench.prepare(Set(0, 1, 2), group = 1, interval = 1)
    var begun = false
    bench.onFrame = frame => if (frame.kind == FrameKind.setUp) begun = true
    bench.everybody.foreach(bench.open(_, 1))
    while (!begun) bench.tick()
    for {
      _ <- 0 until 2 * p.secure.timeout
      source <- bench.everybody
    }
      bench.ask(bench.message(source, if (source == 0) 1 else 0, bench.sends(source).head, 0))
    bench.ticks(p.secure.timeout)
    assert(bench.agreed(1) && bench.unsent > 0)
    bench.drain()
    bench.onFrame = _ => ()
  }

  // In whatever cycle a group is released: a message of it passes whole and is authenticated, or not at all, and the shared bus goes on for the
  // other group
  private val midway: BusBench => Unit = bench => {
    val everybody = Seq(0, 1, 2)
    val refused = for (cycles <- 0 until 4 * p.sharedBus.ratio) yield withClue(s"$cycles cycles behind the message: ") {
      bench.reset()
      for (group <- Seq(0, 1)) bench.setUp(everybody.toSet, group, interval = 20)
      bench.ask(bench.message(1, 0, BusChannel.c, p.lineBeats, group = 1))
      for (_ <- 0 until cycles) bench.cycle()
      val refusals = bench.commandAll(everybody, release, 1)
      assert(refusals.distinct.size == 1 && Set(GroupRefusal.none, GroupRefusal.busy)(refusals.head), refusals)
      if (refusals.head == GroupRefusal.busy) {
        bench.drain()
        assert(
          bench.commandAll(everybody, release, 1).forall(_ == GroupRefusal.busy),
          "what passed is not authenticated yet"
        )
        bench.release(1)
      }
      for (_ <- 0 until 3) {
        bench.ask(bench.message(0, 1, BusChannel.d, p.lineBeats))
        bench.ask(bench.message(2, 0, BusChannel.c, p.lineBeats))
      }
      bench.ticks(60)
      assert(Set(6, 7)(bench.arrived), "the shared bus stands still")
      assert(bench.alarms.forall(_ == BusAlarm.none))
      refusals.head
    }
    assert(refused.toSet == Set(GroupRefusal.none, GroupRefusal.busy))

    // After an alarm no rest of a message is waited for
    bench.reset()
    bench.setUp(everybody.toSet, 1)
    var begun = false
    bench.onFrame = frame => begun = frame.kind == FrameKind.transfer && !frame.last
    bench.ask(bench.message(1, 0, BusChannel.c, p.lineBeats, group = 1))
    while (!begun) bench.tick()
    assert(bench.commandAll(everybody, release, 1).forall(_ == GroupRefusal.busy))
    bench.onFrame = _ => ()
    bench.checking = false
    bench.adversary = () => bench.tell(2, Frame(FrameKind.transfer, 1, 2, 0, BusChannel.c, 0, true, true, 0))
    bench.tick()
    bench.adversary = () => ()
    bench.tick()
    assert(bench.alarms.forall(_ != BusAlarm.none))
    assert(bench.commandAll(everybody, release, 1).forall(_ == GroupRefusal.none))
    bench.reset()
  }

  // covers: bus.groups, bus.session
  test("refusals have their reasons; no session, no transfer; groups beside each other, and while others come and go") {
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, random)
      val all = Seq(
        "refusals" -> refusals,
        "denied" -> denied,
        "both" -> both,
        "apart" -> apart,
        "busy" -> busy,
        "midway" -> midway
      )
      for ((scenario, body) <- all) withClue(s"$scenario: ") {
        bench.reset()
        body(bench)
        assert(bench.alarms.forall(_ == BusAlarm.none), "an alarm")
      }
    }
  }
}
