package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What crosses a bus with security hardware units: all messages, whole, in order; and on the shared bus, bit by bit, what the reference model
  * says.
  */
// covers: bus.messages, bus.ciphertext
abstract class BroadcastBusSpec(name: String, p: BusParams) extends AnyFunSuite with Simulation {
  private val seed = 4
  private val random = new Random(seed)

  /** One build of the bus for several scenarios, each behind a reset. */
  protected def scenarios(all: (String, BusBench => Unit)*): Unit =
    test(s"$name: ${all.map(_._1).mkString("; ")}") {
      simulate(new BroadcastBus(p)) { dut =>
        val bench = new BusBench(this, dut, random)
        for ((scenario, body) <- all) withClue(s"$scenario, seed $seed: ") {
          bench.reset()
          body(bench)
          if (p.security.nonEmpty) assert(bench.alarms.forall(_ == BusAlarm.none), "an alarm")
        }
      }
    }

  private val crowd: BusBench => Unit = bench => {
    bench.setUp(interval = 5)
    for (_ <- 0 until 6) {
      for (_ <- 0 until 50) bench.ask(bench.randomMessage())
      bench.drain()
    }
    bench.ticks(p.secure.heartbeat * 3)
    assert(bench.arrived == 300)
    val statistics = bench.everybody.map(bench.control(_).statistics)
    assert(statistics.map(_.authenticated.peek()).distinct == Seq(bench.books(0).shown))
    assert(statistics.map(_.shown.peek()).sum == bench.books(0).shown)
    info(s"300 messages, ${bench.busCycles} bus cycles, ${bench.books(0).shown} authentications")
  }

  private val moody: BusBench => Unit = bench => {
    bench.setUp(interval = 1)
    var moods = Map.empty[(Int, Int), Boolean]
    bench.takes = (member, channel) => {
      if (random.nextInt(10) == 0) moods += (member, channel) -> random.nextBoolean()
      moods.getOrElse((member, channel), true)
    }
    for (_ <- 0 until 4) {
      for (_ <- 0 until 50) bench.ask(bench.randomMessage())
      bench.drain()
    }
    assert(bench.arrived == 200)
  }

  // Whoever does not take a channel stops nothing more urgent
  private val blocked: BusBench => Unit = bench => {
    bench.setUp(interval = 3)
    for (channel <- 0 until BusChannel.count) {
      bench.takes = (_, of) => of > channel
      for (_ <- 0 until 60) bench.ask(bench.randomMessage())
      bench.ticks(1000)
      for (other <- channel + 1 until BusChannel.count)
        assert(bench.undeliveredOf(other) == 0, s"channel $channel, taken by nobody, stops channel $other")
      if (channel < BusChannel.e) assert(bench.undelivered > 0)
      bench.takes = (_, _) => true
      bench.drain()
    }
  }

  private val anew: BusBench => Unit = bench => {
    var shares = Set.empty[BigInt]
    for (round <- 0 until 4) {
      bench.setUp(interval = 1 + round)
      shares ++= bench.books(0).shares.values
      for (_ <- 0 until 20) bench.ask(bench.randomMessage())
      bench.drain()
      bench.release()
      assert(bench.control(1).occupied.peek() == 0 && bench.control(1).agreed.peek() == 0)
    }
    assert(shares.size == 4 * p.members)
  }

  scenarios(
    "300 messages arrive whole and in order, and the shared bus shows what the model says" -> crowd,
    "likewise at receivers of moods, with an authentication every transfer" -> moody,
    "what is not taken stops nothing more urgent" -> blocked,
    "one session after another" -> anew
  )
}

class ChainedCbcBusSpec extends BroadcastBusSpec("chained masks, CBC-MAC", SmallBus(3, 128, SmallBus.secure))

class PerSenderCbcBusSpec
    extends BroadcastBusSpec(
      "masks of every sender, CBC-MAC, two lanes",
      SmallBus(3, 256, SmallBus.secure.copy(masks = 2, maskSource = BusMasks.PerSender))
    )

class ChainedGhashBusSpec
    extends BroadcastBusSpec(
      "chained masks, GHASH",
      SmallBus(3, 128, SmallBus.secure.copy(masks = 4, mac = BusMac.Ghash))
    )

class CommandsBusSpec
    extends BroadcastBusSpec(
      "chained masks, CBC-MAC, commands",
      SmallBus(3, 128, SmallBus.secure.copy(masks = 2, authenticateCommands = true))
    )
