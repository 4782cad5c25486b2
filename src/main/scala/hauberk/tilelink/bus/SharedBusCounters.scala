package hauberk.tilelink.bus

import chisel3._
import hauberk.bus._

/** Counts the traffic on a shared bus. */
private[tilelink] object SharedBusCounters {
  def apply(p: BusParams, view: BusView, units: Seq[BusStatistics]): SharedBusStatistics = {
    def count(kind: Int)(event: BusBeat => Bool): UInt =
      counter(view.taken && view.beat.kind === kind.U && event(view.beat))
    val statistics = Wire(new SharedBusStatistics)
    statistics.beats := count(FrameKind.transfer)(_ => true.B)
    statistics.dataBeats := count(FrameKind.transfer)(_.hasData)
    statistics.authentications := count(FrameKind.authentication)(_ => true.B)
    statistics.used := counter(view.taken)
    statistics.stalls := units.map(_.stalls).foldLeft(0.U(64.W))(_ + _)
    statistics
  }

  private def counter(event: Bool): UInt = {
    val counter = RegInit(0.U(64.W))
    when(event) { counter := counter + 1.U }
    counter
  }
}
