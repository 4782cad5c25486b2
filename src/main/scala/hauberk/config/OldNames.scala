package hauberk.config

/** Old name of [[WithSharedBus]]. */
@Deprecated class WithBusMedium(ratio: Int, widthBits: Int) extends WithSharedBus(ratio, widthBits)

/** Old name of [[WithTestKeys]]. */
@Deprecated class WithDevelopmentSecrets(seed: Int) extends WithTestKeys(seed)
