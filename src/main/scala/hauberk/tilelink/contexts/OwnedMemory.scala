package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.contexts.ContextParams

/** The memory whose pages have owners.
  *
  * @param base  its first address
  * @param bytes its size
  */
case class OwnedMemory(base: BigInt, bytes: BigInt) {
  private val pageBytes = 1 << ContextParams.pageBits
  require(
    base % pageBytes == 0 && bytes % pageBytes == 0 && bytes > 0,
    f"the memory of secure contexts at 0x$base%x, 0x$bytes%x bytes, has pages that are not whole: begin and end it at a multiple of 4 KiB"
  )
  private val sets = AddressSet.misaligned(base, bytes)

  /** Pages of the table of owners. */
  val pages: Int = math.max(ContextParams.pagesOfRow, 1 << math.min(30, log2Ceil(bytes / pageBytes)))

  /** Those of its addresses at which programs may have pages, as an edge sees its managers. What a memory protector keeps for itself, nobody executes.
    */
  def usable(port: TLManagerPortParameters): Seq[AddressSet] = AddressSet.unify(
    port.managers.filter(_.executable).flatMap(_.address).flatMap(address => sets.flatMap(_.intersect(address)))
  )

  def contains(address: UInt): Bool = sets.map(_.contains(address)).reduce(_ || _)

  /** The number of the page of an address in this memory. */
  def pageOf(address: UInt): UInt = {
    val inside = if (base % (BigInt(pages) * pageBytes) == 0) address else address - base.U
    (inside >> ContextParams.pageBits)(log2Ceil(pages) - 1, 0)
  }

  /** The managers of an edge as its masters see them past a guard, which denies accesses of this memory, and grants lines itself. */
  def above(port: TLManagerPortParameters): TLManagerPortParameters = port.v1copy(
    managers = port.managers.map(seen),
    endSinkId = if (port.managers.exists(!_.supportsAcquireB.none)) port.endSinkId + 1 else 0
  )
  def seen(manager: TLManagerParameters): TLManagerParameters =
    if (manager.address.exists(address => sets.exists(_.overlaps(address))))
      manager.v1copy(mayDenyGet = !manager.supportsGet.none, mayDenyPut = takesPuts(manager))
    else manager
  private def takesPuts(manager: TLManagerParameters): Boolean =
    !(manager.supportsPutFull.none && manager.supportsPutPartial.none)
}
