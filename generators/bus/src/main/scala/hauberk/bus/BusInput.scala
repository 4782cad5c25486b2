package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.CipherInput.field

/** Blocks that go into the ciphers of a bus, no two of which are ever alike under a key.
  *
  * A group's key makes the key of a session out of what every member contributes at a set-up ([[GroupSetup]]); that makes the keys for
  * masks, chains and tags, and for pads over memory. Under the first two of these keys, the first byte of a block says what it is for; a
  * number of 47 bits that counts up keeps the blocks of one kind apart.
  */
object BusInput {
  val setUp = 0x40
  val maskKey = 0x41
  val macKey = 0x42
  val tagKey = 0x43
  val hashKey = 0x44
  val firstMask = 0x45
  val firstChain = 0x46
  val nextMask = 0x47
  val senderMask = 0x48
  val padKey = 0x49

  val countBits = 47
  private val laneBits = 4
  private val pidBits = 5

  /** A block of its kind, lane, PID and number, and 64 bits that make it depend on something else. */
  def block(kind: UInt, lane: UInt, pid: UInt, count: UInt, rest: UInt): UInt =
    Cat(field(kind, 8), field(lane, laneBits), field(pid, pidBits), field(count, countBits), field(rest, 64))

  /** A key of a session. */
  def key(kind: Int): UInt = Cat(kind.U(8.W), 0.U(120.W))

  /** First block of a set-up: the members, and the group. */
  def session(group: UInt, members: UInt): UInt = Cat(setUp.U(8.W), field(group, 8), 0.U(80.W), field(members, 32))

  /** A member's contribution to a set-up. */
  def share(pid: UInt, nonce: UInt): UInt = Cat(setUp.U(8.W), 0.U(51.W), field(pid, pidBits), field(nonce, 64))

  /** A ciphertext's contribution to the next mask: half a block, to leave room for a count that no two masks share. */
  def fold(cipher: UInt): UInt = cipher(127, 64) ^ cipher(63, 0)

  /** What a MAC takes of a beat beside its data: who sent it to whom, where its message ends, that it passed at all (no header is zero); and
    * if commands are authenticated, the command; what is said of counters for memory always is.
    */
  def header(p: BusParams, beat: BusBeat): UInt = {
    val isPad = beat.kind === FrameKind.pad.U
    val command = field(beat.command, BusParams.mostCommandBits)
    Cat(
      field(beat.group, 4),
      field(beat.source, pidBits),
      field(beat.destination, pidBits),
      field(beat.channel, BusChannel.width),
      beat.hasData,
      beat.last,
      0.U((126 - 19 - BusParams.mostCommandBits).W),
      true.B,
      isPad,
      if (p.secure.authenticateCommands) command else Mux(isPad, command, 0.U)
    )
  }
}
