package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Groups that leave their entry with their context encrypted, and come back (section 4.2). */
class GroupSwapSpec extends AnyFunSuite with Simulation {
  private val p = BusParams(
    2,
    60,
    sharedBus = SharedBusParams(4, 128),
    security =
      Some(BusSecurityParams(masks = 2, aesLatency = 20, interval = 4, heartbeat = 64, timeout = 128, groups = 2))
  )
  private val random = new Random(1)
  private val everybody = 3
  private val key = Seq(BigInt(64, random), BigInt(64, random))

  private class Bench(dut: BroadcastBus) {
    val control = dut.io.control.get
    for (tap <- dut.io.taps) {
      tap.replace.poke(false)
      tap.valid.poke(false)
      tap.grant.poke(false)
    }
    for (ports <- dut.io.home +: dut.io.tiles) {
      ports.send.foreach(_.valid.poke(false))
      ports.receive.foreach(_.ready.poke(false))
    }
    for (member <- control) {
      member.command.valid.poke(false)
      member.keyWrite.valid.poke(false)
      member.contextIn.valid.poke(false)
      member.contextOut.ready.poke(false)
      member.random.valid.poke(true)
      member.random.bits.poke(BigInt(64, random))
    }

    /** The command to all members at once; why each refused. */
    def command(operation: Int, group: Int): Seq[Int] = {
      for (member <- control) {
        member.command.valid.poke(true)
        member.command.bits.operation.poke(operation)
        member.command.bits.group.poke(group)
        member.command.bits.members.poke(everybody)
        member.command.bits.interval.poke(4)
      }
      val refusals = control.map(_.refusal.peek().toInt)
      step()
      control.foreach(_.command.valid.poke(false))
      refusals
    }

    def writeKey(group: Int): Unit =
      for {
        (word, number) <- key.zipWithIndex
        member <- control
      } {
        member.keyWrite.valid.poke(true)
        member.keyWrite.bits.slot.poke(group)
        member.keyWrite.bits.word.poke(number)
        member.keyWrite.bits.data.poke(word)
        member.keyRefusal.expect(GroupRefusal.none)
        step()
        member.keyWrite.valid.poke(false)
      }

    /** Opens it, with new random numbers. */
    def open(group: Int): Unit = {
      control.foreach(_.random.bits.poke(BigInt(64, random)))
      assert(command(GroupOperation.open, group).forall(_ == GroupRefusal.none))
      var cycles = 0
      while (control.exists(member => !member.agreed.peek().testBit(group))) {
        step()
        cycles += 1
        assert(cycles < 5000, s"group $group is not agreed after $cycles cycles")
      }
    }

    /** A message from the tile to the home node, in this group. */
    def send(group: Int): Unit = {
      val data = BigInt(128, random)
      dut.io.tiles.head.send(1).send() { message =>
        message.peer.poke(BusParams.home)
        message.group.poke(group)
        message.command.poke(random.nextInt(1000))
        message.beats.poke(1)
        message.data.poke(data)
      }
      assert(dut.io.home.receive(1).receive()(_.data.peek()) == data)
    }

    def contexts(): Seq[Seq[BigInt]] =
      control.map(member => Seq.fill(GroupContext.words)(member.contextOut.receive()(_.peek())))

    /** Why the member refused a context. */
    def bringBack(member: Int, words: Seq[BigInt]): Int = {
      for (word <- words) { control(member).contextIn.send()(_.poke(word)) }
      stepUntil(control(member).contextJudged, 1000)
      val refusal = control(member).contextRefusal.peek().toInt
      step(3)
      refusal
    }

    def noAlarm(): Unit = control.foreach(_.alarm.expect(BusAlarm.none))
  }

  // covers: bus.groups
  test("a group is swapped out and in, and nothing else comes in") {
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new Bench(dut)
      import bench._
      for (group <- 0 until 2) {
        assert(command(GroupOperation.allocate, group).forall(_ == GroupRefusal.none))
        assert(command(GroupOperation.swapOut, group).forall(_ == GroupRefusal.noKey))
        writeKey(group)
        open(group)
        send(group)
      }
      assert(command(GroupOperation.swapOut, 1).forall(_ == GroupRefusal.busy))
      step(64 * 4 * 3) // two heartbeats, of different members
      assert(command(GroupOperation.swapOut, 1).forall(_ == GroupRefusal.none))
      val first = contexts()
      for (words <- first) {
        assert(words.distinct.size == GroupContext.words && words.intersect(key).isEmpty)
      }
      assert(first.head.intersect(first(1)).isEmpty, "two members encrypt with secrets of their own")
      control.foreach(_.occupied.expect(1))

      // The other group goes on, and the entry can be another's meanwhile
      send(0)
      assert(command(GroupOperation.open, 1).forall(_ == GroupRefusal.free))

      for (word <- 0 until GroupContext.words) {
        val forged = first.head.updated(word, first.head(word).flipBit(random.nextInt(64)))
        assert(bringBack(0, forged) == GroupRefusal.context, s"word $word was changed")
      }
      assert(bringBack(0, first(1)) == GroupRefusal.context, "another member's context")
      control.head.occupied.expect(1)
      for (member <- 0 until 2) { assert(bringBack(member, first(member)) == GroupRefusal.none) }
      for (member <- 0 until 2) { assert(bringBack(member, first(member)) == GroupRefusal.occupied) }
      open(1)
      send(1)
      send(0)
      step(600)
      noAlarm()
    }
  }
}
