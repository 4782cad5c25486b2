package hauberk.tilelink.bus

import chisel3._
import hauberk.abi.Counter

/** Counts of traffic on the shared bus since reset, 64 bits each; [[SharedBusStatistics.counters]] describes them. */
class SharedBusStatistics extends Bundle {
  val beats, dataBeats, authentications, stalls, used = UInt(64.W)
}

/** The table of a shared bus's counters. */
object SharedBusStatistics {
  private def counter(field: String, index: Int, name: String, meaning: String) =
    Counter(field, index, name, Some(("bus", name)), meaning)

  /** In the order of run records. */
  val counters: Seq[Counter] = Seq(
    counter("used", 4, "used", "bus cycles in which anything passed"),
    counter("beats", 0, "beats", "beats of transfers"),
    counter("dataBeats", 1, "data_beats", "beats of transfers with data"),
    counter("authentications", 2, "authentications", "MACs shown"),
    counter(
      "stalls",
      3,
      "stalls",
      "bus cycles in which a member waited for masks, MAC or room, summed over the members"
    )
  )
}
