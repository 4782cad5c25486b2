package hauberk.tilelink.protector

import hauberk.tilelink.common.ChipPins
import org.chipsalliance.cde.config.Parameters

/** What a memory protector needs to know and its SoC must not ([[ProtectorPins]]). */
class ProtectorChipPins(boot: ProtectorBoot)(implicit p: Parameters)
    extends ChipPins(() => new ProtectorPins(boot.takesPackages))
