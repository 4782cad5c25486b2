package hauberk.bus

import ReferenceBlock._

/** The masks of a group, in the order in which they are used. */
trait ReferenceMasks {

  /** Mask of the next data beat if this member sends it. */
  def of(source: Int): BigInt

  /** A beat passes that the MAC counts; with data, this is how they look on the shared bus. */
  def pass(source: Int, cipher: Option[BigInt]): Unit
}

/** Section 4.2, with the array of section 4.4: `masks` slots that all senders use in turn. */
class ReferenceChainedMasks(key: BigInt, slots: Int, lanes: Int) extends ReferenceMasks {
  private val masks = Array.tabulate(slots)(slot => Seq.tabulate(lanes)(lane => aes(key, firstMask(lane, slot))))
  private var number = 0
  private def slot = number % slots

  def of(source: Int): BigInt = ReferenceMasks.joined(masks(slot))

  def pass(source: Int, cipher: Option[BigInt]): Unit = {
    for (data <- cipher)
      masks(slot) = Seq.tabulate(lanes)(i => aes(key, nextMask(i, source, number, lane(data, i))))
    number += 1
  }
}

/** Beyond the paper: every sender counts its own transfers with data. */
class ReferenceSenderMasks(key: BigInt, lanes: Int) extends ReferenceMasks {
  private val numbers = scala.collection.mutable.Map.empty[Int, Int].withDefaultValue(0)

  def of(source: Int): BigInt =
    ReferenceMasks.joined(Seq.tabulate(lanes)(lane => aes(key, senderMask(lane, source, numbers(source)))))

  def pass(source: Int, cipher: Option[BigInt]): Unit = if (cipher.nonEmpty) numbers(source) += 1
}

/** Conversion between lanes and whole masks. */
object ReferenceMasks {

  /** Lane 0 hides the lowest bits. */
  def joined(lanes: Seq[BigInt]): BigInt = lanes.reverse.foldLeft(BigInt(0))((all, lane) => (all << 128) | lane)
}
