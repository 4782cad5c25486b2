package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Messages of four beats or two, of several groups, beside a model, with any beats received. */
class FrameSpec extends AnyFunSuite with Simulation {
  private def params(members: Int, lineBytes: Int, groups: Int) =
    BusParams(members, 8, lineBytes, SharedBusParams(1, width), Some(BusSecurityParams(groups = groups)))
  private val width = 128
  private val large = params(members = 3, lineBytes = 64, groups = 4)
  private val small = params(members = 2, lineBytes = 32, groups = 2)
  private def wide(random: Random): BigInt = BigInt(width, random)

  /** As [[BusMessage]]. */
  private case class Message(peer: Int, group: Int, command: Int, data: Seq[BigInt])
  private def joined(data: Seq[BigInt]): BigInt =
    data.zipWithIndex.map { case (part, i) => part << (i * width) }.sum

  // covers: bus.messages
  for ((p, channels) <- Seq(large -> BusChannel.toHome, small -> BusChannel.toTiles))
    test(s"messages of ${p.lineBeats} beats leave whole, as beats of their group, the most urgent first") {
      send(p, channels)
    }

  private def send(p: BusParams, channels: Seq[Int]): Unit = {
    val pid = p.members - 1
    simulate(new FrameSender(p, channels)) { dut =>
      val random = new Random(3)
      val waiting = mutable.Map[Int, Message]()
      var current = Option.empty[(Int, Int)] // a port, and beats of its message that have left
      dut.io.pid.poke(pid)
      for (_ <- 0 until 2000) {
        for ((port, i) <- dut.io.messages.zipWithIndex) {
          if (!waiting.contains(i) && random.nextInt(3) == 0) {
            val data = Seq.fill(random.nextInt(p.lineBeats + 1))(wide(random))
            val message = Message(random.nextInt(p.members), random.nextInt(p.secure.groups), random.nextInt(256), data)
            waiting(i) = message
            port.bits.peer.poke(message.peer)
            port.bits.group.poke(message.group)
            port.bits.command.poke(message.command)
            port.bits.beats.poke(data.size)
            // What is behind the end is nobody's business
            port.bits.data.poke(joined(data.padTo(p.lineBeats, wide(random))))
          }
          port.valid.poke(waiting.contains(i))
        }
        val takes = random.nextBoolean()
        dut.io.beat.ready.poke(takes)
        dut.io.beat.valid.expect(waiting.nonEmpty)
        if (waiting.nonEmpty) {
          val (port, begun) = current.getOrElse((waiting.keys.maxBy(channels(_)), 0))
          val message = waiting(port)
          val last = begun + 1 >= message.data.size
          val bits = dut.io.beat.bits
          bits.kind.expect(FrameKind.transfer)
          bits.source.expect(pid)
          bits.destination.expect(message.peer)
          bits.group.expect(message.group)
          bits.channel.expect(channels(port))
          bits.command.expect(message.command)
          bits.hasData.expect(message.data.nonEmpty)
          bits.data.expect(message.data.lift(begun).getOrElse(BigInt(0)))
          bits.last.expect(last)
          for (i <- waiting.keys) dut.io.messages(i).ready.expect(takes && last && i == port)
          if (takes) {
            if (last) waiting -= port
            current = if (last) None else Some((port, begun + 1))
          }
        }
        step()
      }
    }
  }

  // covers: bus.hostile-beats
  for ((p, channels) <- Seq(large -> BusChannel.toTiles, small -> BusChannel.toHome))
    test(s"beats of one sender, channel and group become a message of ${p.lineBeats}, and all others are refused") {
      receive(p, channels)
    }

  private def receive(p: BusParams, channels: Seq[Int]): Unit = {
    val (members, groups) = (p.members, p.secure.groups)
    simulate(new FrameReceiver(p, channels)) { dut =>
      val random = new Random(4)
      val queues = channels.map(_ => mutable.Queue[Message]())
      var begun = Seq.empty[BigInt]
      var origin = (0, 0, 0)
      for (cycle <- 0 until 6000) {
        // A message that does not end is refused for ever
        if (cycle % 100 == 0) {
          resetDesign(dut)
          queues.foreach(_.clear())
          begun = Nil
        }
        def other(value: Int, most: Int) = if (random.nextInt(8) == 0) random.nextInt(most) else value
        val (group, source, channel) =
          if (begun.isEmpty) (random.nextInt(groups), random.nextInt(members), random.nextInt(BusChannel.count))
          else (other(origin._1, groups), other(origin._2, members), other(origin._3, BusChannel.count))
        val (hasData, last, data) = (random.nextInt(8) > 0, random.nextInt(3) == 0, wide(random))
        val (commits, command) = (random.nextInt(4) > 0, random.nextInt(256))
        val shown = dut.io.shown
        shown.group.poke(group)
        shown.source.poke(source)
        shown.channel.poke(channel)
        shown.command.poke(command)
        shown.hasData.poke(hasData)
        shown.last.poke(last)
        shown.data.poke(data)
        dut.io.commit.poke(commits)
        val takes = channels.map(_ => random.nextInt(3) == 0)
        val queue = channels.indexOf(channel)
        val accepts = begun.size < p.lineBeats && (hasData || last) && queue >= 0 && queues(queue).size < 2 &&
          (begun.isEmpty || hasData && (group, source, channel) == origin)
        dut.io.accepts.expect(accepts)
        dut.io.lost.expect(commits && !accepts)
        for (((port, held), ready) <- dut.io.messages.zip(queues).zip(takes)) {
          port.ready.poke(ready)
          port.valid.expect(held.nonEmpty)
          for (message <- held.headOption) {
            port.bits.peer.expect(message.peer)
            port.bits.group.expect(message.group)
            port.bits.command.expect(message.command)
            port.bits.beats.expect(message.data.size)
            port.bits.data.expect(joined(message.data))
          }
        }
        step()
        for ((held, ready) <- queues.zip(takes) if ready && held.nonEmpty) held.dequeue()
        if (commits && accepts) {
          origin = (group, source, channel)
          begun = if (hasData) begun :+ data else begun
          if (last) {
            queues(queue) += Message(source, group, command, begun)
            begun = Nil
          }
        }
      }
    }
  }
}
