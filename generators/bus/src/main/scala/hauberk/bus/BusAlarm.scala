package hauberk.bus

/** Why a member raised the alarm. */
object BusAlarm {
  val none = 0

  /** It received a message with its own PID. */
  val ownPid = 1

  /** A MAC that was shown is not its own. */
  val mismatch = 2

  /** A MAC was shown by whose turn it was not. */
  val outOfTurn = 3

  /** No good authentication came in time, or of a set-up that has begun no share. */
  val silent = 4

  /** Something passed that it had not accepted. */
  val overrun = 5

  /** Another member raised it. */
  val other = 6

  /** Its own beat was granted in a bus cycle in which it was shown another's. */
  val collision = 7

  /** A tile that encrypts for memory was given no key that its device key unwraps. */
  val noKey = 8

  /** A block's counter has come to its end, and its tile has something to encrypt for it. */
  val exhausted = 9

  /** A message came whose data are not what its command says. */
  val malformed = 10
  val width = 4
}
