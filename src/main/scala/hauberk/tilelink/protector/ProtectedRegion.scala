package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.diplomacy.{AddressSet, TransferSizes}
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.memory.region.BankRegion
import hauberk.memory.{Protection, ProtectionParams}

/** Range and scheme of one engine, and the regions in it that differ. */
case class ProtectedBank(map: BankMap, protection: Protection, regions: Seq[BankRegion] = Nil)

/** The memory that a protector guards, over all banks, and the address map above it.
  *
  * @param base       first address
  * @param bytes      size
  * @param blockBytes size of a protected block: the coherence manager's, or a part of that
  * @param lineBytes  the largest transfer of the coherence manager
  */
case class ProtectedRegion(base: BigInt, bytes: BigInt, blockBytes: Int, lineBytes: Int) {
  private val sets = AddressSet.misaligned(base, bytes)

  def contains(address: UInt): Bool = sets.map(_.contains(address)).reduce(_ || _)

  /** The part of some memory that is in the region, and the part that is not. */
  def inside(set: AddressSet): Seq[AddressSet] = sets.flatMap(set.intersect(_))
  def outside(set: AddressSet): Seq[AddressSet] =
    sets.foldLeft(Seq(set))((rest, part) => rest.flatMap(_.subtract(part)))

  def hasOutside(port: TLManagerPortParameters): Boolean =
    port.managers.exists(_.address.exists(outside(_).nonEmpty))

  /** A bank's share of the region, given the managers on the memory side of its edge. */
  def bank(port: TLManagerPortParameters): BankMap = BankMap(port.managers.flatMap(_.address).flatMap(inside))

  /** Managers above the protector that replace those below it: the data as memory, metadata as a device that
    * denies everything, and what is not in the region as it is.
    *
    * The device tree has whole large pages of the data only: Linux maps memory of another size in small pages, all of it. The rest of the
    * data is memory that the device tree does not name.
    */
  def offer(port: TLManagerPortParameters, params: ProtectionParams): TLManagerPortParameters = {
    val map = bank(port)
    val layout = Protection.layout(params, map.localBytes, blockBytes)
    val pages = layout.dataBytes - layout.dataBytes % (ProtectedRegion.pageBytes >> map.selectBits.size)
    val named = if (pages == 0) layout.dataBytes else pages
    val data = map.addressSets(0, named)
    val unnamed = map.addressSets(named, layout.dataBytes)
    val metadata = map.addressSets(layout.dataBytes, map.localBytes)
    val managers = port.managers.flatMap { manager =>
      def among(addresses: Seq[AddressSet]) = addresses.flatMap(set => manager.address.flatMap(_.intersect(set)))
      def variant(addresses: Seq[AddressSet])(change: TLManagerParameters => TLManagerParameters) =
        if (addresses.isEmpty) None else Some(change(manager.v1copy(address = addresses)))
      variant(among(data))(guarded) ++
        variant(among(unnamed))(guarded(_).v1copy(resources = Nil)) ++
        variant(among(metadata))(part =>
          guarded(part).v1copy(resources = Nil, regionType = deniedRegion, executable = false)
        ) ++
        variant(manager.address.flatMap(outside))(_.v1copy(fifoId = None)) // below, nobody asks for order
    }
    port.v1copy(managers = managers, endSinkId = 0, minLatency = 0)
  }

  private def guarded(manager: TLManagerParameters): TLManagerParameters = {
    require(
      takesBlocks(manager),
      s"the protected region has in it ${manager.name}, which is no DRAM: it does not take reads and writes of 1 to " +
        s"$lineBytes bytes; protect a region without it"
    )
    inBlocks(manager)
  }

  private def sizes = TransferSizes(1, lineBytes)

  /** It takes reads and writes of a line and less. */
  def takesBlocks(manager: TLManagerParameters): Boolean =
    Seq(manager.supportsGet, manager.supportsPutFull, manager.supportsPutPartial).forall(_.contains(sizes))

  /** The manager as it is above a unit that accesses it in blocks, which may deny, in any order. */
  def inBlocks(manager: TLManagerParameters): TLManagerParameters =
    manager.v1copy(
      supportsGet = sizes,
      supportsPutFull = sizes,
      supportsPutPartial = sizes,
      supportsArithmetic = TransferSizes.none,
      supportsLogical = TransferSizes.none,
      supportsHint = TransferSizes.none,
      mayDenyGet = true,
      mayDenyPut = true,
      fifoId = None
    )
}

object ProtectedRegion {

  /** Blocks of the coherence manager's size. */
  def apply(base: BigInt, bytes: BigInt, blockBytes: Int): ProtectedRegion =
    ProtectedRegion(base, bytes, blockBytes, blockBytes)

  /** Large pages of RV64, and of Linux's map of memory. */
  private val pageBytes = BigInt(2) << 20
}
