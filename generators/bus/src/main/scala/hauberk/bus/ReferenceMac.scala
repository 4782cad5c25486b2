package hauberk.bus

import ReferenceBlock._

/** Digest of a group's traffic, in 128 secret bits. */
trait ReferenceMac {

  /** A beat passes that the MAC counts, with its blocks of data, if it has some, and its header. */
  def pass(data: Option[Seq[BigInt]], header: BigInt): Unit
  def summary: BigInt
}

/** Section 4.3 with as many chains of every lane as there are masks, used in turn; the last lane is that of headers. */
class ReferenceCbc(key: BigInt, keyOfFirst: BigInt, slots: Int, lanes: Int) extends ReferenceMac {
  private val chains = Array.tabulate(slots, lanes + 1)((slot, lane) => aes(keyOfFirst, firstChain(lane, slot)))
  private var number = 0

  def pass(data: Option[Seq[BigInt]], header: BigInt): Unit = {
    val chain = chains(number % slots)
    for ((block, lane) <- data.toSeq.flatten.zipWithIndex :+ (header -> lanes))
      chain(lane) = aes(key, chain(lane) ^ block)
    number += 1
  }

  def summary: BigInt = chains.flatten.reduce(_ ^ _)
}

/** The alternative that section 4.3 names. */
class ReferenceGhash(point: BigInt, lanes: Int) extends ReferenceMac {
  private var sum = BigInt(0)

  def pass(data: Option[Seq[BigInt]], header: BigInt): Unit =
    sum = ReferenceField.hash(point, data.getOrElse(Seq.fill(lanes)(BigInt(0))) :+ header, sum)

  def summary: BigInt = sum
}
