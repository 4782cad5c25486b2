package hauberk.tilelink.protector

import hauberk.tilelink.common.ChipPins
import org.chipsalliance.cde.config.Parameters

/** Secrets that a memory protector needs and the SoC must not know ([[ProtectorPins]]). */
class ProtectorChipPins(boot: ProtectorBoot)(implicit p: Parameters)
    extends ChipPins(() => new ProtectorPins(boot.takesPackages))
