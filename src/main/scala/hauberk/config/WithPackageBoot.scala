package hauberk.config

import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryProtectorParams, ProtectorBoot}

/** Programs come in packages, for the fuses of this chip, and a loader outside the chip brings them: the memory protector of the fragments to its right
  * takes the static key from it, and arms itself ([[ProtectorBoot.PackageArm]]). With [[WithChipPins]], to its left or right.
  */
class WithPackageBoot
    extends Edit(MemoryProtectionKey, "WithPackageBoot", "a memory protector")((protector: MemoryProtectorParams) =>
      protector.copy(boot = ProtectorBoot.PackageArm)
    )
