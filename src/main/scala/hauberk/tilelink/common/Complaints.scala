package hauberk.tilelink.common

import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Field, View}

/** What is wrong with a configuration, each a sentence that says what to change; what the rightmost fragment found comes first. */
case object ComplaintsKey extends Field[Seq[String]](Nil)

/** What [[ComplaintsKey]] comes to. */
private[hauberk] object Complaints {

  /** Refuses a configuration with everything that is wrong with it. */
  def refuse(p: View): Unit = Refusal.unless(p(ComplaintsKey).distinct.map(false -> _): _*)
}
