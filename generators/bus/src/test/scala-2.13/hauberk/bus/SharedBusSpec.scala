package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The shared bus alone, beside a model of it, with any requests in any cycle. */
class SharedBusSpec extends AnyFunSuite with Simulation {
  private case class Offer(requests: Boolean, urgency: Int, beat: Seq[BigInt], last: Boolean, accepts: Boolean)

  /** Of a beat, all but its end. */
  private def fields(beat: BusBeat) =
    Seq(beat.kind, beat.group, beat.source, beat.destination, beat.channel, beat.command, beat.hasData, beat.data)
  private val nothing = Seq.fill(8)(BigInt(0))
  private def expect(beat: BusBeat, values: Seq[BigInt], last: Boolean): Unit = {
    for ((port, value) <- fields(beat).zip(values)) port.expect(value)
    beat.last.expect(last)
  }

  // covers: bus.messages
  for (members <- 2 to 4)
    test(s"of $members members the most urgent goes first, equals in turn, a message whole, and only what all accept") {
      arbitrate(BusParams(members, 8, 32, SharedBusParams(3, 128), security = None))
    }

  private def arbitrate(p: BusParams): Unit = {
    val everybody = 0 until p.members
    simulate(new SharedBus(p)) { dut =>
      val random = new Random(12)
      var (phase, latest, holder) = (0, 0, Option.empty[Int])
      for (cycle <- 0 until 2000) {
        if (cycle % 500 == 0) {
          resetDesign(dut)
          phase = 0
          latest = 0
          holder = None
        }
        val offers = everybody.map(_ =>
          Offer(
            random.nextInt(3) > 0,
            Seq(0, 2, 2, 3, 8)(random.nextInt(5)),
            fields(dut.io.beat).map(field => BigInt(field.getWidth, random)),
            random.nextInt(3) > 0,
            random.nextInt(6) > 0
          )
        )
        for ((port, offer) <- dut.io.members.zip(offers)) {
          port.request.poke(offer.requests)
          port.urgency.poke(offer.urgency)
          for ((field, value) <- fields(port.beat).zip(offer.beat)) field.poke(value)
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
        expect(dut.io.beat, winner.fold(nothing)(offers(_).beat), winner.exists(offers(_).last))
        for ((port, pid) <- dut.io.members.zipWithIndex) {
          val hears = winner.exists(_ != pid)
          port.tick.expect(tick)
          port.granted.expect(taken && winner.contains(pid))
          port.shown.expect(hears)
          port.commit.expect(taken && hears)
          expect(port.received, if (hears) offers(winner.get).beat else nothing, hears && offers(winner.get).last)
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
