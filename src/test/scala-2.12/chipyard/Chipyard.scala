package chipyard

import hauberk.config.{BaselineRocketConfig, WithChipPins}
import org.chipsalliance.cde.config.{Config, Parameters}

// The names of Chipyard that the configurations of chipyard/ stand on: they compile in every `make test`, without a checkout of Chipyard. What only
// Chipyard can show is checked by scripts/check-chipyard.

class RocketConfig extends Config(new BaselineRocketConfig)
class QuadRocketConfig extends Config(new BaselineRocketConfig)
class SmallBoomV3Config extends Config(new BaselineRocketConfig)
class ShuttleConfig extends Config(new BaselineRocketConfig)
class ClusteredRocketConfig extends Config(new BaselineRocketConfig)
class MulticlockRocketConfig extends Config(new BaselineRocketConfig)
class NonBlockingTraceGenL2Config extends Config(new BaselineRocketConfig)

/** Stands for chipyard/WithHauberkPins.scala, which needs the `IO` of a later Chisel. */
class WithHauberkPins(seed: Int) extends WithChipPins

package config {
  class WithExtMemIdBits(bits: Int) extends Config(Parameters.empty)
  class WithNoDebug extends Config(Parameters.empty)
  class WithNoTileResetSetters extends Config(Parameters.empty)
  class WithNoTileClockGaters extends Config(Parameters.empty)
}
