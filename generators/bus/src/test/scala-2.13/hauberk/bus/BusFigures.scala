package hauberk.bus

import hauberk.testing.Figure

/** What the security hardware units cost, for `make bench`: a sweep of masks, and every shared bus at its peak rate.
  *
  * Usage: BusFigures FILE. Writes figures, bounds and whether they are met; fails if one is not.
  */
object BusFigures extends BusTiming {
  import Figure._

  private def sweep: Seq[Figure] = {
    val clear = inTheClear
    val swept = (1 to needed + 1).map { masks =>
      println(s"bus figures: $masks masks")
      (masks, withMasks(masks))
    }
    val added = swept.last._2._1.zip(clear).map { case (is, was) => is - was }.max
    val enough = swept.find(_._2._3 == 0).fold(swept.size + 1)(_._1)
    Seq(
      atMost("cycles added to a message, sending and receiving, when a mask is ready", added, 1),
      atMost("masks from which nothing stalls, beyond ceil(AES latency / bus cycle)", enough - needed, 0)
    ) ++ swept.map { case (masks, (_, busy, _)) =>
      reported(s"AES of 20 cycles, bus cycle of 6, $masks masks: bus cycles of 64 beats in a row", busy)
    }
  }

  private def peak(name: String, p: BusParams): Seq[Figure] = {
    val intervals = Seq(never, 100, 10, 1)
    intervals.zip(atPeak(p, 400, intervals)).map { case (interval, taken) =>
      val what = "bus cycles of 400 beats in a row"
      if (interval == never) atMost(s"$name, no authentication: $what", taken, 400)
      else reported(s"$name, interval $interval: $what", taken)
    }
  }

  def main(args: Array[String]): Unit = record(
    args,
    Seq(
      "a sweep of masks" -> (() => sweep),
      "the paper's shared bus" -> (() => peak("the paper's shared bus", papersBus)),
      "the fastest shared bus" -> (() => peak("the fastest shared bus", fastestBus))
    )
  )
}
