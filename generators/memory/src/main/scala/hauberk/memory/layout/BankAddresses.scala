package hauberk.memory.layout

/** How the addresses of one memory bank map to the bytes 0, 1, 2, ... that a protection engine guards. The one place with this
  * arithmetic: the bus adapter derives its wires from it, and the package maker and the DRAM checker compute with it.
  *
  * The bank holds those addresses of a contiguous region in which the bank-select bits have the bank's number; leaving those bits out of the
  * offset into the region gives the bank-local address.
  *
  * @param base       first address of the region, over all banks
  * @param localBytes size of the bank's share
  * @param selectBits positions of the bank-select bits, ascending; empty for a single bank
  * @param select     value of the bank-select bits, in their places
  */
case class BankAddresses(base: BigInt, localBytes: BigInt, selectBits: Seq[Int], select: BigInt) {
  val selectMask: BigInt = selectBits.foldLeft(BigInt(0))(_.setBit(_))
  val regionBytes: BigInt = localBytes << selectBits.size
  require(
    base >= 0 && localBytes > 0,
    s"a bank of $localBytes bytes from $base cannot be: give it a size and a place"
  )
  require(
    selectBits.forall(_ >= 0) && selectBits.distinct.sorted == selectBits,
    s"the bank-select bits ${selectBits.mkString(", ")} are not ascending bit positions: list each once"
  )
  require(
    (select & ~selectMask) == 0,
    s"bank $select has bits that are not bank-select bits (${selectBits.mkString(", ")}): give its number in their places"
  )
  require(
    (base & selectMask) == 0,
    s"a region that starts at $base does not start with its first bank: align it to the bank-select bits"
  )

  /** Width of an offset into the region. */
  val offsetBits: Int = (regionBytes - 1).bitLength

  /** Bits of an offset into the region that survive in the local address, ascending. */
  val keptBits: Seq[Int] = (0 until offsetBits).filterNot(selectBits.contains)

  def contains(address: BigInt): Boolean =
    address >= base && address < base + regionBytes && (address & selectMask) == select

  /** Bank-local address of a bus address that the bank contains. */
  def toLocal(address: BigInt): BigInt = {
    require(contains(address), s"address 0x${address.toString(16)} is not in the $this")
    keptBits.zipWithIndex.foldLeft(BigInt(0)) { case (local, (from, to)) =>
      if ((address - base).testBit(from)) local.setBit(to) else local
    }
  }

  /** Bus address of a bank-local address. */
  def toGlobal(local: BigInt): BigInt = {
    require(
      local >= 0 && local < localBytes,
      s"bank-local address 0x${local.toString(16)} is beyond the bank of $localBytes bytes"
    )
    base + keptBits.zipWithIndex.foldLeft(select) { case (offset, (to, from)) =>
      if (local.testBit(from)) offset.setBit(to) else offset
    }
  }

  /** Bytes of the bank that lie before a bus address of the region or its end: the bank-local address of the first that does not. */
  def localBelow(address: BigInt): BigInt = {
    val offset = address - base
    require(
      offset >= 0 && offset <= regionBytes,
      s"address 0x${address.toString(16)} is not in the $this, nor its end"
    )
    // From the top bit down, as long as the bits of an offset of the bank can be those of this one
    def below(bit: Int): BigInt = {
      val kept = keptBits.count(_ < bit)
      if (bit < 0) 0
      else if (keptBits.contains(bit)) (if (offset.testBit(bit)) BigInt(1) << kept else BigInt(0)) + below(bit - 1)
      else if (offset.testBit(bit) == select.testBit(bit)) below(bit - 1)
      else if (offset.testBit(bit)) BigInt(1) << kept
      else 0
    }
    if (offset == regionBytes) localBytes else below(offsetBits - 1)
  }

  /** Bytes of the region at whose multiples every bank has a multiple of so many bytes of its own behind it. */
  def acrossBanks(bytes: BigInt): BigInt =
    (bytes << selectBits.size).max(selectBits.lastOption.fold(BigInt(1))(top => BigInt(2) << top))

  override def toString: String = {
    val last = (base + regionBytes - 1).toString(16)
    s"bank of $localBytes bytes in 0x${base.toString(16)} to 0x$last, bank-select bits ${selectBits.mkString("{", ",", "}")}"
  }
}
