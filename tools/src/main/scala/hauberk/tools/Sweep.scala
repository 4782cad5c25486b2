package hauberk.tools

/** How far the re-encryption of a bank's memory had come, as far as memory tells: a pointer goes over all blocks, those before it are
  * under the current key, and those from it on under the one before (AEGIS section 6.3).
  *
  * @param least the pointer is not below this block
  * @param most  nor above this one; where re-encryption is over, or never was, the pointer is behind the last block
  */
case class Sweep(least: BigInt, most: BigInt) {

  /** What is not known to be under the key before is taken to be under the current one. */
  def isCurrent(block: BigInt): Boolean = block < most

  /** The pointer may be so far that it is behind so many of these blocks, in the order of addresses. */
  private def behind(blocks: IndexedSeq[BigInt], count: Int): Sweep = Sweep(
    if (count == 0) least else least.max(blocks(count - 1) + 1),
    if (count == blocks.size) most else most.min(blocks(count))
  )

  /** What may be, of blocks that are under either key: the farther one first. */
  def possible(written: Seq[BigInt]): Iterator[Sweep] = {
    val blocks = written.sorted.toIndexedSeq
    (0 to blocks.size).reverseIterator.map(behind(blocks, _)).filter(sweep => sweep.least <= sweep.most)
  }

  /** What blocks make known of which one key alone fits.
    *
    * @param current  those under the current key
    * @param previous those under the one before
    */
  def narrowed(current: Iterable[BigInt], previous: Iterable[BigInt]): Sweep = {
    val from = current.foldLeft(least)((known, block) => known.max(block + 1))
    // A block that is on the wrong side of others is one that does not verify
    Sweep(from, previous.filter(_ >= from).foldLeft(most)(_ min _))
  }
}

/** Contents that blocks must have.
  *
  * @param addresses of the blocks
  * @param isRight   whether they have them, if decrypted so
  */
case class KnownContents(addresses: Seq[BigInt], isRight: (BigInt => Array[Byte]) => Boolean)

/** What is under which key.
  *
  * @param current  blocks that were written and are under the latest key
  * @param previous those under the key before
  * @param either   those that may be under one or the other: nothing says what they hold
  * @param halfway  those that were being written under the current key when the machine stopped
  */
case class KeyUse(current: Int, previous: Int, either: Int, halfway: Int)
