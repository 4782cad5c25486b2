package hauberk.tilelink.protector

import hauberk.memory.layout.{BankAddresses, MetadataLayout}
import hauberk.memory.region.BankRegion

/** A part of the protected memory that is not like the rest of it, by bus addresses.
  *
  * @param base    first address
  * @param bytes   size
  * @param plain   it stays in plaintext in DRAM, for everybody to read and change (Yang section 4.3: shared libraries, program input)
  * @param context 1 if writes to it use a dynamic key of its own, 0 if they use that of the rest
  */
case class MemoryRegion(base: BigInt, bytes: BigInt, plain: Boolean, context: Int) {
  require(bytes > 0, f"a region of $bytes bytes at 0x$base%x covers nothing: give it a size")
  val end: BigInt = base + bytes
  def overlaps(other: MemoryRegion): Boolean = base < other.end && other.base < end

  /** The region's part of a bank.
    *
    * @param bank where the bank is
    * @param layout which of it is data
    */
  def in(bank: BankAddresses, layout: MetadataLayout, granuleBytes: Int): BankRegion = {
    require(
      base >= bank.base && end <= bank.base + bank.regionBytes && bank.localBelow(end) <= layout.dataBytes,
      f"the region $this is not in protected memory, whose data are at 0x${bank.base}%x to " +
        f"0x${bank.toGlobal(layout.dataBytes - 1)}%x: move it there"
    )
    val ends = Seq(base, end).map(bank.localBelow)
    require(
      ends.forall(_ % granuleBytes == 0),
      f"the region $this splits a granule of $granuleBytes bytes of a bank: begin and end it at multiples of " +
        f"${bank.acrossBanks(granuleBytes)} bytes from 0x${bank.base}%x"
    )
    val Seq(first, next) = ends.map(_ / granuleBytes)
    if (first == next) BankRegion.none else BankRegion(first, next - 1, plain, context)
  }

  override def toString: String = f"0x$base%x to 0x${end - 1}%x"
}

/** The two kinds of region: plaintext, and the second context. */
object MemoryRegion {

  /** Left in plaintext. */
  def plaintext(base: BigInt, bytes: BigInt): MemoryRegion = MemoryRegion(base, bytes, plain = true, context = 0)

  /** Of the second context, which has a dynamic key of its own. */
  def ofContext(base: BigInt, bytes: BigInt): MemoryRegion = MemoryRegion(base, bytes, plain = false, context = 1)
}
