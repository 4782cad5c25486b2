package hauberk.tilelink.protector

import freechips.rocketchip.tile.{BaseTile, HasLazyRoCC}
import hauberk.compat.CoherencePoint
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.AtTilePorts
import hauberk.tilelink.steering.{CounterSteering, SteeringCollector}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** Brings the hints of programs to the memory protector of a subsystem. */
object AttachCounterSteering {

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] = Refusal.broken(
    takesHints ->
      ("WithCounterSteering gives cores instructions that steer counters, and the memory protector takes no hints: use WithCompilerCounters, " +
        "with at least one register, or leave WithCounterSteering out")
  ) ++ AtTilePorts.complaints("what programs say of their counters", "WithCounterSteering")
  private def takesHints(implicit p: View): Boolean =
    p(MemoryProtectionKey).exists(_.protection.counters.takesHints)

  /** Gives the protector a collector of hints, in the scope that both are in. */
  private[protector] def collector(protector: TLMemoryProtector)(implicit p: Parameters): Unit = if (takesHints) {
    val steering_collector = LazyModule(new SteeringCollector)
    InModuleBody { protector.module.hint.foreach(_ := steering_collector.module.hints) }
  }

  /** Ties the units of a tile to the protector. */
  def apply(context: CoherencePoint.Context, tile: BaseTile): Unit = for {
    collector <- CoherencePoint.interposed(context).collectFirst { case collector: SteeringCollector => collector }
    unit <- unitsOf(tile)
  } collector.collect(unit)

  private def unitsOf(tile: BaseTile): Seq[CounterSteering] = tile match {
    case tile: HasLazyRoCC => tile.roccs.collect { case unit: CounterSteering => unit }
    case _ => Nil
  }
}
