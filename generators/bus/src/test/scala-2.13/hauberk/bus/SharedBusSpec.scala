package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The shared bus alone, beside a model of it, with any requests in any cycle. */
class SharedBusSpec extends AnyFunSuite with Simulation {
  private val p = BusParams(4, 8, 32, SharedBusParams(3, 128), security = None)
  private val everybody = 0 until p.members
  private case class Offer(requests: Boolean, urgency: Int, command: Int, last: Boolean, accepts: Boolean)

  // covers: bus.messages
  test("the most urgent goes first, equals in turn, a message whole, and only what all accept") {
    simulate(new SharedBus(p)) { dut =>
      val random = new Random(12)
      var (phase, latest, holder) = (0, 0, Option.empty[Int])
      for (_ <- 0 until 3000) {
        val offers = everybody.map(_ =>
          Offer(
            random.nextInt(3) > 0,
            Seq(0, 2, 2, 3, 8)(random.nextInt(5)),
            random.nextInt(256),
            random.nextInt(3) > 0,
            random.nextInt(6) > 0
          )
        )
        for ((port, offer) <- dut.io.members.zip(offers)) {
          port.request.poke(offer.requests)
          port.urgency.poke(offer.urgency)
          port.beat.command.poke(offer.command)
          port.beat.last.poke(offer.last)
          port.accepts.poke(offer.accepts)
        }
        val tick = phase == p.sharedBus.ratio - 1
        val contenders = everybody.filter(pid => offers(pid).requests && holder.forall(_ == pid))
        val equals = contenders.filter(offers(_).urgency == contenders.map(offers(_).urgency).max)
        val winner = equals.find(_ > latest).orElse(equals.headOption)
        val taken = tick && winner.exists(pid => everybody.forall(other => other == pid || offers(other).accepts))
        dut.io.tick.expect(tick)
        dut.io.shown.expect(winner.nonEmpty)
        dut.io.taken.expect(taken)
        dut.io.beat.command.expect(winner.fold(0)(offers(_).command))
        for ((port, pid) <- dut.io.members.zipWithIndex) {
          val hears = winner.exists(_ != pid)
          port.tick.expect(tick)
          port.granted.expect(taken && winner.contains(pid))
          port.shown.expect(hears)
          port.commit.expect(taken && hears)
          port.received.command.expect(if (hears) offers(winner.get).command else 0)
        }
        step()
        phase = (phase + 1) % p.sharedBus.ratio
        for (pid <- winner if tick) {
          if (taken) holder = if (offers(pid).last) None else Some(pid)
          // While one holds the bus it alone contends, so that it does not matter when its turn ends
          if (holder.isEmpty) latest = pid
        }
      }
    }
  }
}
