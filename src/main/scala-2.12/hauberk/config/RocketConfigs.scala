package hauberk.config

import org.chipsalliance.cde.config.Config

/** One core, memory in the clear: what every protected configuration is measured against. */
class BaselineRocketConfig extends Config(new RocketSoc(1))

/** Two cores, memory in the clear. */
class BaselineDualRocketConfig extends Config(new RocketSoc(2))

/** Four cores, memory in the clear. */
class BaselineQuadRocketConfig extends Config(new RocketSoc(4))
