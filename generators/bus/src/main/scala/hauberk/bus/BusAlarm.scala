package hauberk.bus

import hauberk.abi.Codes

/** Why a member raised the alarm. */
object BusAlarm extends Codes {
  val none: Int = code(0, "none", "no alarm")
  val ownPid: Int = code(1, "own PID", "it received a message with its own PID")
  val mismatch: Int = code(2, "MAC mismatch", "a MAC on the bus is not the one it computed")
  val outOfTurn: Int = code(3, "out of turn", "a MAC came from a member whose turn it was not")
  val silent: Int =
    code(4, "silent", "no valid authentication came in time, or no share of a set-up that has begun")
  val overrun: Int = code(5, "overrun", "a beat passed that it had not accepted")
  val other: Int = code(6, "other", "another member raised it")
  val collision: Int = code(7, "collision", "its own beat was granted while another's beat was on the bus")
  val noKey: Int = code(8, "no package key", "its tile encrypts for memory and cannot unwrap the image's key")
  val exhausted: Int = code(9, "counter exhausted", "a block's counter is used up and its tile must encrypt the block")
  val malformed: Int = code(10, "malformed data", "a message's data are not what its command says")
}
