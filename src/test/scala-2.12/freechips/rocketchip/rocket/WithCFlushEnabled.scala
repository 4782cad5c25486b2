package freechips.rocketchip.rocket

import org.chipsalliance.cde.config.{Config, Parameters}

/** A fragment that current Rocket Chip has, and 1.2.6 has not. */
class WithCFlushEnabled extends Config(Parameters.empty)
