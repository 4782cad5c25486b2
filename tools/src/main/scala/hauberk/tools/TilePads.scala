package hauberk.tools

import hauberk.bus.{ReferenceBlock, ReferenceGroup}
import hauberk.memory.reference.ProtectionKeys

/** Memory that tiles encrypt themselves (SENSS section 6.1), as a run left it: its keys and counters follow from the key of the bus and from
  * what anybody could read off the shared bus.
  */
object TilePads {

  /** A block's counter in the format of one-time pads: how often it was encrypted, and by which member. */
  def counter(count: BigInt, writer: Int): BigInt = (count << writerBits) | writer

  /** How often a block was encrypted. */
  def count(counter: BigInt): BigInt = counter >> writerBits

  private val writerBits = 5

  /** The keys of a run: the package's, and the one that all tiles made of what each of them said at the first set-up. */
  def keys(keys: PackageKeys, sharedBus: SharedBusRecord): DumpKeys = {
    UserError.unless(sharedBus.shares.size >= 2)(
      s"${sharedBus.shares.size} members took part in the set-up of the bus, so that there is no key yet: the program did not get past the boot ROM"
    )
    val busKey = BigInt(
      1,
      keys.bus.getOrElse(
        throw new UserError("the package has no key of the bus (busKey in vendor.json): make it again")
      )
    )
    val pads = ReferenceGroup.padKey(busKey, sharedBus.shares.zipWithIndex.map(_.swap).toMap)
    DumpKeys(ProtectionKeys(keys.static, ReferenceBlock.bytes(pads)))
  }
}
