package hauberk.tilelink.contexts

import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink.TLRAM
import org.chipsalliance.cde.config.Parameters

/** RAM on the chip for the microcode of secure contexts: its code, its table of contexts, and its stacks. Tiles access it past their data caches, for whomever they
  * make their accesses, so microcode runs while a tile's SPID changes. Other masters are denied ([[TLTilesOnly]]), and microcode closes it to other modes by
  * physical memory protection. The package has its contents, and the first instructions of a program copy them.
  */
object MicrocodeMemory {

  /** Where it is: 128 KiB. */
  val address: AddressSet = AddressSet(0x10080000, 0x1ffff)

  /** @param beatBytes width of its bus in bytes */
  private[contexts] def apply(beatBytes: Int)(implicit p: Parameters): TLRAM =
    new TLRAM(address, cacheable = false, executable = true, beatBytes = beatBytes, devName = Some("microcode"))
}
