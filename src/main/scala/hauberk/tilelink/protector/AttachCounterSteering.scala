package hauberk.tilelink.protector

import chisel3._
import chisel3.util.Valid
import hauberk.memory.common.Refusal
import hauberk.tilelink.steering.{CounterSteering, SteeringHint, SteeringMerge}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Brings the hints of programs to the memory protector of a subsystem. */
object AttachCounterSteering {

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] = Refusal.broken(
    p(MemoryProtectionKey).exists(_.protection.counters.takesHints) ->
      ("WithCounterSteering gives cores instructions that steer counters, and the memory protector takes no hints: use WithCompilerCounters, " +
        "with at least one register, or leave WithCounterSteering out")
  )

  /** Ties the protector to the units, in the scope that the protector is in. */
  def apply(protector: TLMemoryProtector, units: Seq[CounterSteering])(implicit p: Parameters): Unit = {
    val sinks = units.map { unit =>
      val sink = BundleBridgeSink[Valid[SteeringHint]]()
      sink := unit.hints
      sink
    }
    InModuleBody {
      for (port <- protector.module.hint) {
        if (sinks.isEmpty) port := 0.U.asTypeOf(port)
        else {
          val merge = Module(new SteeringMerge(sinks.size))
          for ((in, sink) <- merge.io.in.zip(sinks)) { in := sink.bundle }
          port := merge.io.out
        }
      }
    }
  }
}
