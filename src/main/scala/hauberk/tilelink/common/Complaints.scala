package hauberk.tilelink.common

import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Field, View}

/** Errors in a configuration, each a sentence that says what to change; those of the rightmost fragment come first. */
case object ComplaintsKey extends Field[Seq[String]](Nil)

/** Value of [[ComplaintsKey]]. */
private[hauberk] object Complaints {

  /** Refuses a configuration with everything that is wrong with it. */
  def refuse(p: View): Unit = Refusal.unless(p(ComplaintsKey).distinct.map(false -> _): _*)
}
