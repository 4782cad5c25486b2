package hauberk.tilelink.steering

import chisel3._
import chisel3.util.Valid
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Where the hints of all cores come together ([[SteeringMerge]]); no hints where there are no units. */
class SteeringCollector(implicit p: Parameters) extends LazyModule with LazyScope {
  private[steering] var sinks = Seq.empty[BundleBridgeSink[Valid[SteeringHint]]]

  /** Takes the hints of one more core, which has the clock of this module. */
  def collect(unit: CounterSteering): Unit = this {
    val sink = BundleBridgeSink[Valid[SteeringHint]]()
    sink := unit.hints
    sinks = sinks :+ sink
  }
  override lazy val module = new SteeringCollectorModule(this)
}

/** The collector's hardware. */
class SteeringCollectorModule(outer: SteeringCollector) extends LazyModuleImp(outer) {
  val hints = IO(Valid(new SteeringHint))
  if (outer.sinks.isEmpty) hints := 0.U.asTypeOf(hints)
  else {
    val merge = Module(new SteeringMerge(outer.sinks.size))
    for ((in, sink) <- merge.io.in.zip(outer.sinks)) { in := sink.bundle }
    hints := merge.io.out
  }
}
