package hauberk.bus

import org.scalatest.funsuite.AnyFunSuite

/** Cycles that the security hardware units add, and how many masks keep them from adding more; [[BusFigures]] measures more of it. */
// covers: bus.timing
class BusTimingSpec extends AnyFunSuite with BusTiming {
  test("a unit adds no cycle when a mask is ready, and ceil(AES latency / bus cycle) masks keep every bus cycle busy") {
    val clear = inTheClear
    for (masks <- Seq(needed - 1, needed)) {
      val (ready, busy, stalled) = withMasks(masks)
      assert(ready == clear, s"$masks masks: cycles of a message")
      assert((busy == 64) == (masks >= needed), s"$needed masks are what it takes")
      assert((stalled == 0) == (masks >= needed))
      // Fewer masks: the slots come round once an AES latency
      if (masks < needed) assert(busy >= (64 / masks - 1) * needed)
    }
  }

  test(
    "the paper's shared bus at its peak rate: a beat every bus cycle, and no more than a bus cycle an authentication"
  ) {
    val count = 400
    val intervals = Seq(never, 100, 1)
    for ((interval, taken) <- intervals.zip(atPeak(papersBus, count, intervals))) {
      info(s"interval $interval: $count beats in $taken bus cycles")
      if (interval == never) assert(taken == count) else assert(taken <= count + count / interval + 1)
    }
  }
}
