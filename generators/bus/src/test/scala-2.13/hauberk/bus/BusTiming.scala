package hauberk.bus

import hauberk.testing.Simulation
import scala.util.Random

/** Measures what security hardware units cost on a bus of a home node and one tile. */
trait BusTiming extends Simulation {

  /** A home node and one tile. An interval of a million leaves the heartbeat far away, too: here masks are measured. */
  private def bus(sharedBus: SharedBusParams, security: Option[BusSecurityParams]): BusParams =
    BusParams(2, 40, lineBytes = sharedBus.widthBits / 4, sharedBus = sharedBus, security = security)
  private val secure = BusSecurityParams(
    window = 64,
    heartbeat = 1 << 20,
    timeout = 1 << 21,
    aesLatency = 20
  )
  val never = 1000000

  private def run[T](p: BusParams, interval: BigInt)(body: BusBench => T): T = {
    var result = Option.empty[T]
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, new Random(3))
      bench.reset()
      if (p.security.nonEmpty) bench.setUp(interval = interval)
      // Every slot's first masks are there
      bench.ticks(p.security.fold(0)(_.aesLatency) / p.sharedBus.ratio + 2)
      result = Some(body(bench))
      if (p.security.nonEmpty) assert(bench.alarms.forall(_ == BusAlarm.none))
    }
    result.get
  }

  /** Cycles from when a message is offered to when it can be taken, offered in each cycle of a bus cycle, in both directions. */
  private def latencies(bench: BusBench): Seq[Int] = for {
    beats <- 0 to bench.p.lineBeats
    (source, destination, channel) <- Seq((1, 0, BusChannel.c), (0, 1, BusChannel.d))
    offset <- 0 until bench.p.sharedBus.ratio
  } yield {
    for (_ <- 0 until offset) bench.cycle()
    bench.takes = (_, _) => false
    bench.ask(bench.message(source, destination, channel, beats))
    var cycles = 0
    while (!bench.receivePort(destination, channel).valid.peekBoolean()) {
      bench.cycle()
      cycles += 1
      assert(cycles < 1000)
    }
    bench.takes = (_, _) => true
    bench.drain()
    bench.ticks(bench.p.security.fold(0)(_.aesLatency) / bench.p.sharedBus.ratio + 2)
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

  /** AES of 20 cycles, a bus cycle of 6: masks that make no bus cycle wait. */
  val needed: Int = (20 + 6 - 1) / 6
  private val small = SharedBusParams(6, 128)

  /** A message in the clear, sent in every cycle of a bus cycle: cycles it takes. */
  def inTheClear: Seq[Int] = run(bus(small, None), never)(latencies)

  /** With so many masks: cycles of the same messages, one at a time (none with a single mask, whose pause is the cipher's); bus cycles of 64
    * beats in a row; bus cycles in which something waited for the units.
    */
  def withMasks(masks: Int): (Seq[Int], Int, BigInt) =
    run(bus(small, Some(secure.copy(masks = masks))), never) { bench =>
      val ready = if (masks >= 2) latencies(bench) else Nil
      val before = stalls(bench)
      (ready, stream(bench, 64), stalls(bench) - before)
    }

  /** At the peak rate of a shared bus, for each interval: bus cycles that so many beats take. */
  def atPeak(p: BusParams, count: Int, intervals: Seq[Int]): Seq[Int] = {
    var taken = Seq.empty[Int]
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, new Random(3))
      taken = intervals.map { interval =>
        bench.reset()
        bench.setUp(interval = interval)
        bench.ticks(p.secure.aesLatency / p.sharedBus.ratio + 2)
        val cycles = stream(bench, count)
        assert(bench.alarms.forall(_ == BusAlarm.none))
        cycles
      }
    }
    taken
  }
  def papersBus: BusParams = bus(SharedBusParams.paper, Some(secure.copy(masks = 8, aesLatency = 80)))
  def fastestBus: BusParams = bus(SharedBusParams.fastest, Some(secure.copy(masks = 13, aesLatency = 13)))
}
