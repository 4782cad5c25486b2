package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.memory.layout.BankAddresses

/** How the addresses of one memory bank map to the bytes 0, 1, 2, ... that a protection engine guards.
  *
  * The bank holds those addresses of a contiguous region in which the bank-select bits have the bank's number; leaving
  * those bits out gives the bank-local address. The arithmetic is that of [[hauberk.memory.layout.BankAddresses]], which the
  * package maker uses too; here it becomes wires and address sets.
  *
  * @param base       first address of the region, over all banks
  * @param localBytes size of the bank's share
  * @param selectBits positions of the bank-select bits, ascending
  * @param select     value of the bank-select bits, in their places
  */
case class BankMap(base: BigInt, localBytes: BigInt, selectBits: Seq[Int], select: BigInt) {

  /** The same without hardware. */
  val addresses: BankAddresses = BankAddresses(base, localBytes, selectBits, select)
  import addresses.{keptBits, offsetBits, selectMask}

  // Zero if the region is aligned to its size rounded up, so that no adder is needed.
  private val misalignment = base & ((BigInt(1) << offsetBits) - 1)

  def contains(address: BigInt): Boolean = addresses.contains(address)

  /** The same as hardware. */
  def holds(address: UInt): Bool = addressSets(0, localBytes).map(_.contains(address)).reduce(_ || _)

  /** Bank-local address of a bus address that the bank contains. */
  def toLocal(address: BigInt): BigInt = addresses.toLocal(address)

  /** Bus address of a bank-local address. */
  def toGlobal(local: BigInt): BigInt = addresses.toGlobal(local)

  /** The same as hardware; an address outside the bank gives a meaningless result. */
  def toLocal(address: UInt): UInt = {
    val low = address(offsetBits - 1, 0)
    val offset = if (misalignment == 0) low else (low - misalignment.U)(offsetBits - 1, 0)
    Cat(keptBits.reverse.map(offset(_)))
  }

  def toGlobal(local: UInt): UInt = {
    val offset = Cat((0 until offsetBits).reverse.map { bit =>
      val from = keptBits.indexOf(bit)
      if (from >= 0) local(from) else select.testBit(bit).B
    })
    if (misalignment == 0) base.U | offset else base.U + offset
  }

  /** Bus addresses of the bank-local range `from` (inclusive) to `until` (exclusive). */
  def addressSets(from: BigInt, until: BigInt): Seq[AddressSet] = {
    val own = AddressSet(select, ~selectMask)
    AddressSet
      .misaligned(base + (from << selectBits.size), (until - from) << selectBits.size)
      .flatMap(_.intersect(own))
  }

  override def toString: String = addresses.toString
}

/** Derives the map from the address sets of a bank, and refuses sets that are no bank of a contiguous region. */
object BankMap {

  /** The bank that these addresses are, if they are one. */
  def apply(addresses: Seq[AddressSet]): BankMap = {
    val sets = AddressSet.unify(addresses)
    val text = sets.mkString(", ")
    require(sets.nonEmpty, "a memory bank without addresses cannot be protected: let the protected region cover it")

    val selects = sets.map(set => (0 until set.mask.bitLength).filterNot(set.mask.testBit)).distinct
    require(
      selects.size == 1,
      s"the addresses $text are interleaved in more than one way: protect memory that one bank-select pattern divides"
    )
    val selectMask = selects.head.foldLeft(BigInt(0))(_.setBit(_))
    val banks = sets.map(_.base & selectMask).distinct
    require(
      banks.size == 1,
      s"the addresses $text belong to more than one bank: protect each bank by an engine of its own"
    )

    val base = sets.map(_.base).min - banks.head
    val localBytes = sets.map(set => BigInt(1) << set.mask.bitCount).sum
    val map = BankMap(base, localBytes, selects.head, banks.head)
    require(
      (base & selectMask) == 0 && sets.forall(set => map.contains(set.base) && map.contains(set.max)),
      s"the addresses $text are not contiguous but for interleaving: protect one contiguous region"
    )
    map
  }
}
