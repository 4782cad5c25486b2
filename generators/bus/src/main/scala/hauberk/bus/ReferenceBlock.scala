package hauberk.bus

import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec

/** Blocks of 128 bits as numbers, the first byte being the most significant one, and AES-128 of the JDK on them.
  *
  * The formats of blocks are written out here once more, independently of what the hardware takes them from; docs/senss.md has them as a
  * table.
  */
object ReferenceBlock {

  /** Fields, the first one in the most significant bits: how many bits, and what. */
  private def fields(all: (Int, BigInt)*): BigInt = {
    require(all.map(_._1).sum == 128, s"fields of ${all.map(_._1).mkString(", ")} bits are no block of 128")
    all.foldLeft(BigInt(0)) { case (block, (bits, value)) =>
      require(value >= 0 && value.bitLength <= bits, s"$value does not fit a field of $bits bits")
      (block << bits) | value
    }
  }

  /** The first block of a set-up. */
  def session(group: Int, members: Set[Int]): BigInt =
    fields(8 -> 0x40, 8 -> group, 80 -> 0, 32 -> members.map(pid => BigInt(1) << pid).sum)

  /** A member's contribution to a set-up. */
  def share(pid: Int, random: BigInt): BigInt = fields(8 -> 0x40, 51 -> 0, 5 -> pid, 64 -> random)

  def maskKey: BigInt = fields(8 -> 0x41, 120 -> 0)
  def macKey: BigInt = fields(8 -> 0x42, 120 -> 0)
  def tagKey: BigInt = fields(8 -> 0x43, 120 -> 0)
  def hashKey: BigInt = fields(8 -> 0x44, 120 -> 0)
  def padKey: BigInt = fields(8 -> 0x49, 120 -> 0)

  def firstMask(lane: Int, slot: Int): BigInt = numbered(0x45, lane, 0, slot, 0)
  def firstChain(lane: Int, slot: Int): BigInt = numbered(0x46, lane, 0, slot, 0)

  /** After a transfer with this number, of this sender, whose ciphertext in this lane was `cipher`. */
  def nextMask(lane: Int, source: Int, number: BigInt, cipher: BigInt): BigInt =
    numbered(0x47, lane, source, number, (cipher >> 64) ^ (cipher & ((BigInt(1) << 64) - 1)))

  /** For a sender's transfer of this number. */
  def senderMask(lane: Int, source: Int, number: BigInt): BigInt = numbered(0x48, lane, source, number, 0)

  private def numbered(kind: Int, lane: Int, pid: Int, number: BigInt, rest: BigInt): BigInt =
    fields(8 -> kind, 4 -> lane, 5 -> pid, 47 -> number, 64 -> rest)

  /** What a MAC takes of a beat beside its data. */
  def header(group: Int, beat: ReferenceBeat, command: Boolean): BigInt = fields(
    4 -> group,
    5 -> beat.source,
    5 -> beat.destination,
    3 -> beat.channel,
    1 -> (if (beat.data.isEmpty) 0 else 1),
    1 -> (if (beat.last) 1 else 0),
    11 -> 0,
    1 -> 1,
    1 -> (if (beat.isPad) 1 else 0),
    96 -> (if (command || beat.isPad) beat.command else 0)
  )

  def aes(key: BigInt, block: BigInt): BigInt = {
    val cipher = Cipher.getInstance("AES/ECB/NoPadding")
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(key), "AES"))
    BigInt(1, cipher.doFinal(bytes(block)))
  }

  def bytes(block: BigInt): Array[Byte] = (0 until 16).map(i => (block >> (120 - 8 * i)).toByte).toArray

  /** The part of a beat's data that goes through the cipher as block `lane`. */
  def lane(data: BigInt, lane: Int): BigInt = (data >> (128 * lane)) & ((BigInt(1) << 128) - 1)
}

/** A beat of a transfer, in the clear.
  *
  * @param isPad it is not a transfer but says something of counters for memory: `command` does
  */
case class ReferenceBeat(
    source: Int,
    destination: Int,
    channel: Int,
    command: BigInt,
    last: Boolean,
    data: Option[BigInt],
    isPad: Boolean = false
)
