package hauberk.config

import freechips.rocketchip.tile.BuildRoCC
import hauberk.compat.TilePorts
import hauberk.memory.common.Refusal
import hauberk.memory.counter.CompilerCounters
import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.{AttachCounterSteering, MemoryProtectorParams}
import hauberk.tilelink.steering.CounterSteering
import org.chipsalliance.cde.config.{Config, Parameters}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** One-time pads whose counters a program steers: Nagarajan et al., for cores with a small data cache or none.
  *
  * @param registers counter registers, a power of two; 0 for one global counter
  * @param ids       counter ids
  */
class WithCompilerCounters(registers: Int, ids: Int)
    extends WithMemoryProtection(
      MemoryProtectorParams(
        ProtectionParams.compilerCounters.copy(counters = CompilerCounters(registers, math.max(ids, 1)))
      )
    )

/** A table of the last pairs, which predicts reads that have no hint.
  *
  * @param entries a power of two, or 0 for none
  */
class WithLastPairs(entries: Int) extends EditPairs("WithLastPairs", _.copy(lastPairs = entries))

/** Counter registers, a power of two. */
class WithCounterRegisters(registers: Int) extends EditPairs("WithCounterRegisters", _.copy(registers = registers))

/** Blocks whose pads are made ahead and kept. */
class WithExpectedPads(blocks: Int) extends EditPairs("WithExpectedPads", _.copy(expectedPads = blocks))

/** Changes the counters of a scheme that the program steers. */
private[config] abstract class EditPairs(fragment: String, change: CompilerCounters => CompilerCounters)
    extends WithProtection(
      fragment,
      params =>
        params.counters match {
          case steered: CompilerCounters => params.copy(counters = change(steered))
          case other =>
            throw new Refusal(Seq(s"$fragment is about pairs, and this scheme has ${other.name}: leave $fragment out"))
        }
    )

/** Gives every core the instructions that steer counters, custom-0. */
class WithCounterSteering
    extends Config(
      Parameters((site, _, up) => { case BuildRoCC =>
        up(BuildRoCC, site) :+ ((p: Parameters) => {
          implicit val q: Parameters = p
          val counter_steering = LazyModule(new CounterSteering)
          counter_steering
        })
      }) ++ TilePorts.eachTile("the instructions that steer counters")(AttachCounterSteering(_, _)) ++
        Complain((site, _) => AttachCounterSteering.complaints(site))
    )
