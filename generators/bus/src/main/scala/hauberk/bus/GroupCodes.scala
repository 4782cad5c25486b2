package hauberk.bus

import hauberk.abi.Codes

/** Operations of a [[GroupTable]]. */
object GroupOperation extends Codes {

  /** Gives the entry to a group of these members, with this interval. */
  val allocate: Int = code(0, "allocate", "gives the entry to a group of these members")

  /** Opens the group, by a set-up among its members. */
  val open: Int = code(1, "open", "opens the group by a set-up among its members")

  /** Ends the group: its key and all of its session are erased, the entry is free. Refused within a message, of which the rest would hold
    * the shared bus for ever, and while something of it is not authenticated yet, which nobody would find out about any more.
    */
  val release: Int = code(2, "release", "ends the group and erases its key")

  /** Ends the group, and has its context leave, encrypted; refused likewise, also after an alarm. */
  val swapOut: Int = code(3, "swap out", "ends the group; its encrypted context leaves")
}

/** Why something was refused. */
object GroupRefusal extends Codes {
  val none: Int = code(0, "none", "not refused")
  val occupied: Int = code(1, "occupied", "the entry is in use")
  val free: Int = code(2, "free", "the entry is not in use")
  val members: Int = code(3, "members", "a group needs two members, all of which exist")
  val interval: Int = code(4, "interval", "an interval of zero")
  val noKey: Int = code(5, "no key", "this member has not got the whole key")
  val open: Int = code(6, "open", "the group is open: its key cannot be exchanged")
  val unknown: Int = code(7, "unknown", "there is no such entry")

  /** A message is under way, transfers are not authenticated yet, or another group is being swapped: ask again. */
  val busy: Int = code(8, "busy", "the group is in use, or another one is being swapped: ask again")
  val context: Int = code(9, "context", "not a context that this member swapped out since reset")
}
