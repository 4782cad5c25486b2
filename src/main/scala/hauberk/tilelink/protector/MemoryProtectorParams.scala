package hauberk.tilelink.protector

import hauberk.memory.common.RegionParams
import hauberk.memory.counter.NoCounters
import hauberk.memory.ProtectionParams
import hauberk.tilelink.common.Provisioning

/** User parameters of a memory protector.
  *
  * @param protection the scheme, the same for every engine
  * @param region     base and size in bytes of the memory to protect; none for all of external memory
  * @param address    where the control registers are
  * @param regions    parts of that memory that are not like the rest of it; fixed in hardware, so that no software can add to them
  * @param boot       source of the keys, and of the arm command
  * @param secrets    where the device key and random words come from
  * @param blockBytes size of a protected block; none for a cache line
  * @param otherMemory whether tiles may use memory off the chip that the protector does not stand before, in plaintext
  */
case class MemoryProtectorParams(
    protection: ProtectionParams = ProtectionParams.aegisOtp,
    region: Option[(BigInt, BigInt)] = None,
    address: BigInt = ProtectorMap.all.base,
    regions: Seq[MemoryRegion] = Nil,
    boot: ProtectorBoot = ProtectorBoot.SoftwareArm,
    secrets: Provisioning = Provisioning.Pins,
    blockBytes: Option[Int] = None,
    otherMemory: Boolean = false
) {
  require(
    !boot.takesPackages || secrets.hasFuses,
    "a package's key is for the fuses of one chip, and there are none where secrets are made in the SoC: bring the secrets by pins (WithChipPins), or use " +
      "ProtectorBoot.AutoArm"
  )

  /** Whether cores use what is not verified yet, so that exports must be held back ([[hauberk.tilelink.exports]]). */
  def speculates: Boolean = !protection.verification.blocks

  for (Seq(one, other) <- regions.combinations(2))
    require(!one.overlaps(other), s"the regions $one and $other overlap: make one of them smaller, or leave it out")

  /** The scheme, with a table that has room for the regions. */
  def scheme: ProtectionParams = {
    val table = protection.regions
    require(
      table.entries == 0,
      s"a region table of ${table.entries} entries would stay empty: leave RegionParams.entries out, and name the regions " +
        "themselves (WithPlaintextRegion, WithContextRegion)"
    )
    val contexts = if (regions.exists(_.context > 0)) 2 else 1
    require(
      contexts == 1 || protection.counters != NoCounters,
      s"with ${protection.counters.name} everything is under the static key, so that no region can have a dynamic key of its own: " +
        "use a scheme with counters, or leave WithContextRegion out"
    )
    if (regions.isEmpty) protection
    else protection.copy(regions = table.copy(entries = regions.size, contexts = contexts))
  }
}
