package hauberk.bus

import ReferenceBlock._

/** What every member of a group computes from its set-up on, in the order of what passes on the shared bus: the reference model of the
  * security hardware unit, on the JDK's AES. It knows no time.
  *
  * @param p       the bus
  * @param group   number of the group
  * @param key     the group's key
  * @param shares  the random number that each member broadcast
  */
class ReferenceGroup(p: BusParams, group: Int, key: BigInt, shares: Map[Int, BigInt]) {
  private val lanes = p.sharedBus.widthBits / 128
  private val security = p.secure

  private val sessionKey = ReferenceGroup.sessionKey(group, key, shares)

  private val keyOfMasks = aes(sessionKey, maskKey)
  private val masks = security.maskSource match {
    case BusMasks.Chained => new ReferenceChainedMasks(keyOfMasks, security.masks, lanes)
    case BusMasks.PerSender => new ReferenceSenderMasks(keyOfMasks, lanes)
  }
  private val mac = security.mac match {
    case BusMac.Cbc => new ReferenceCbc(aes(sessionKey, macKey), keyOfMasks, security.masks, lanes)
    case BusMac.Ghash => new ReferenceGhash(aes(sessionKey, hashKey), lanes)
  }

  /** Whether a beat is authenticated. */
  def counts(beat: ReferenceBeat): Boolean = beat.data.nonEmpty || beat.isPad || security.authenticateCommands

  /** This beat's data on the shared bus if it were the next one: zero if it has none. */
  def encrypt(beat: ReferenceBeat): BigInt = beat.data.fold(BigInt(0))(_ ^ masks.of(beat.source))

  /** A member's plaintext if the next beat came from `source` with these data on the shared bus. */
  def decrypt(source: Int, cipher: BigInt): BigInt = cipher ^ masks.of(source)

  /** The beat passes. */
  def pass(beat: ReferenceBeat): Unit = if (counts(beat)) {
    val cipher = beat.data.map(_ => encrypt(beat))
    mac.pass(
      beat.data.map(data => Seq.tabulate(lanes)(lane(data, _))),
      header(group, beat, security.authenticateCommands)
    )
    masks.pass(beat.source, cipher)
  }

  private var made = 0

  /** The part of the MAC that a member would show now. */
  def tag: BigInt = aes(aes(sessionKey, tagKey), mac.summary ^ made) >> 64

  /** A boundary: the part of its MAC that a member shows. */
  def takeTag(): BigInt = {
    val taken = tag
    made += 1
    taken
  }
}

/** Session and pad keys as the reference model derives them. */
object ReferenceGroup {

  /** The key of a session: the CBC-MAC of who takes part and of what each of them said, in the order of PIDs. */
  def sessionKey(group: Int, key: BigInt, shares: Map[Int, BigInt]): BigInt =
    shares.toSeq.sortBy(_._1).map { case (pid, random) => share(pid, random) }
      .foldLeft(aes(key, session(group, shares.keySet)))((sum, block) => aes(key, sum ^ block))

  /** The key that tiles have for pads over memory after this session of group 0 was their first. */
  def padKey(key: BigInt, shares: Map[Int, BigInt]): BigInt = aes(sessionKey(0, key, shares), ReferenceBlock.padKey)

  /** The key of another group for pads over memory, of its key, its members, and group 0's key for pads. */
  def padKeyOf(group: Int, key: BigInt, members: Set[Int], first: BigInt): BigInt =
    aes(key, first ^ session(group, members))
}
