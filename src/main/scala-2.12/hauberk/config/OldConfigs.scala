package hauberk.config

/** Old name of [[SharedBusDualRocketConfig]]. */
@Deprecated class MediumDualRocketConfig extends SharedBusDualRocketConfig

/** Old name of [[SharedBusQuadRocketConfig]]. */
@Deprecated class MediumQuadRocketConfig extends SharedBusQuadRocketConfig
