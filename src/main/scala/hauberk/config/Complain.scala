package hauberk.config

import hauberk.compat.Subsystem
import hauberk.memory.common.Refusal
import hauberk.tilelink.common.{Complaints, ComplaintsKey}
import org.chipsalliance.cde.config.{Parameters, View}

/** Parameters by which a configuration is refused before anything is made of it, with all that is wrong with it: one attempt shows everything
  * that is to be changed.
  */
private[hauberk] object Complain {

  /** @param find what is wrong, from what all fragments chose, and from what those to the right of this one did; what it refuses or requires is wrong, too
    */
  def apply(find: (View, View) => Seq[String]): Parameters =
    Parameters((site, _, up) => { case ComplaintsKey =>
      up(ComplaintsKey, site) ++ Refusal.attempt(find(site, up)).fold(violations => violations, found => found)
    }) ++ Subsystem.whenMade(Complaints.refuse)
}
