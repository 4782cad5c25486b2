package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Cycles that the security hardware units add, and how many masks keep them from adding more. */
class BusTimingSpec extends AnyFunSuite with Simulation {

  /** A home node and one tile. An interval of a million leaves the heartbeat far away, too: here masks are measured. */
  private def bus(medium: MediumParams, security: Option[BusSecurityParams]): BusParams =
    BusParams(2, 40, lineBytes = medium.widthBits / 4, medium = medium, security = security)
  private val secure = BusSecurityParams(
    window = 64,
    heartbeat = 1 << 20,
    patience = 1 << 21,
    aesLatency = 20
  )
  private val never = 1000000

  private def run[T](p: BusParams, interval: BigInt)(body: BusBench => T): T = {
    var result = Option.empty[T]
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, new Random(3))
      bench.reset()
      if (p.security.nonEmpty) bench.setUp(interval = interval)
      // Every slot's first masks are there
      bench.ticks(p.security.fold(0)(_.aesLatency) / p.medium.ratio + 2)
      result = Some(body(bench))
      if (p.security.nonEmpty) assert(bench.alarms.forall(_ == BusAlarm.none))
    }
    result.get
  }

  /** Cycles from when a message is offered to when it can be taken, offered in each cycle of a bus cycle, in both directions. */
  private def latencies(bench: BusBench): Seq[Int] = for {
    beats <- 0 to bench.p.lineBeats
    (source, destination, channel) <- Seq((1, 0, BusChannel.c), (0, 1, BusChannel.d))
    offset <- 0 until bench.p.medium.ratio
  } yield {
    for (_ <- 0 until offset) bench.cycle()
    bench.takes = (_, _) => false
    bench.ask(bench.message(source, destination, channel, beats))
    var cycles = 0
    while (!bench.hearPort(destination, channel).valid.peekBoolean()) {
      bench.cycle()
      cycles += 1
      assert(cycles < 1000)
    }
    bench.takes = (_, _) => true
    bench.drain()
    bench.ticks(bench.p.security.fold(0)(_.aesLatency) / bench.p.medium.ratio + 2)
    cycles
  }

  /** Bus cycles that `count` beats take when both always have some to send. */
  private def stream(bench: BusBench, count: Int): Int = {
    for (_ <- 0 until count / (2 * bench.p.lineBeats)) {
      bench.ask(bench.message(1, 0, BusChannel.c, bench.p.lineBeats))
      bench.ask(bench.message(0, 1, BusChannel.d, bench.p.lineBeats))
    }
    val start = bench.busCycles
    while (bench.unsent > 0) bench.tick()
    val taken = bench.busCycles - start
    bench.drain()
    taken
  }
  private def stalls(bench: BusBench): BigInt = bench.everybody.map(bench.control(_).statistics.stalls.peek()).sum

  test(
    "a unit adds no cycle when a mask is ready, and masks for ceil(AES latency / bus cycle) keep every bus cycle busy"
  ) {
    val medium = MediumParams(6, 128)
    val inTheClear = run(bus(medium, None), never)(latencies)
    val needed = (20 + 6 - 1) / 6
    for (masks <- 1 to needed + 1) {
      val p = bus(medium, Some(secure.copy(masks = masks)))
      val (ready, busy, stalled) = run(p, never) { bench =>
        // One transfer at a time, with pauses
        val ready = if (masks >= 2) latencies(bench) else Nil
        val before = stalls(bench)
        (ready, stream(bench, 64), stalls(bench) - before)
      }
      if (masks >= 2) {
        val added = ready.zip(inTheClear).map { case (is, was) => is - was }
        info(s"$masks masks: cycles added to a message: ${added.distinct.sorted.mkString(", ")}")
        assert(added.forall(_ == 0))
      }
      info(s"$masks masks: 64 beats in $busy bus cycles, $stalled stalls")
      assert((busy == 64) == (masks >= needed), s"$needed masks are what it takes")
      assert((stalled == 0) == (masks >= needed))
      // Fewer masks: the slots come round once an AES latency
      if (masks < needed) assert(busy >= (64 / masks - 1) * needed)
    }
  }

  for (
    (name, p) <- Seq(
      "the paper's medium" -> bus(MediumParams.paper, Some(secure.copy(masks = 8, aesLatency = 80))),
      "the fastest medium" -> bus(MediumParams.fastest, Some(secure.copy(masks = 13, aesLatency = 13)))
    )
  ) test(
    s"$name at its peak rate: a beat every bus cycle without authentications, and what it is with one for every transfer"
  ) {
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, new Random(3))
      for (interval <- Seq(never, 100, 10, 1)) {
        bench.reset()
        bench.setUp(interval = interval)
        bench.ticks(p.secure.aesLatency / p.medium.ratio + 2)
        val count = 400
        val taken = stream(bench, count)
        val shown = bench.books(0).shown
        info(
          f"interval $interval: $count beats in $taken bus cycles, ${count.toDouble / taken}%.3f a bus cycle; $shown authentications; ${stalls(bench)} stalls"
        )
        if (interval == never) assert(taken == count) else assert(taken <= count + count / interval + 1)
        assert(bench.alarms.forall(_ == BusAlarm.none))
      }
    }
  }
}
