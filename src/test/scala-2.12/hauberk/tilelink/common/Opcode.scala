package hauberk.tilelink.common

/** Opcodes and parameters of TileLink, as numbers. */
object Opcode {
  // Channel A
  val putFull = 0
  val putPartial = 1
  val arithmetic = 2
  val logical = 3
  val get = 4
  val hint = 5
  val acquireBlock = 6
  val acquirePerm = 7

  // Channel C
  val probeAck = 4
  val probeAckData = 5
  val release = 6
  val releaseData = 7

  // Channel D
  val accessAck = 0
  val accessAckData = 1
  val hintAck = 2
  val grant = 4
  val grantData = 5
  val releaseAck = 6

  /** Beats of eight bytes. */
  def beats(size: Int): Int = math.max(1, (1 << size) / 8)
}
