package hauberk.tilelink.common

import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Field, Parameters}

/** Why fragments could not change what they are for, each a sentence that says what to change; the rightmost fragment's first. */
case object ComplaintsKey extends Field[Seq[String]](Nil)

/** Refuses a configuration with everything its fragments complain of. */
private[hauberk] object Complaints {
  def refuse(p: Parameters): Unit = {
    val complaints = p(ComplaintsKey)
    if (complaints.nonEmpty) throw new Refusal(complaints)
  }
}
