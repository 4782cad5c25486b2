package hauberk.compat

import freechips.rocketchip.subsystem.SubsystemDriveClockGroupsFromIO
import org.chipsalliance.cde.config.{Parameters, View}

/** When a subsystem is made. */
object Subsystem {

  /** Parameters by which every subsystem is checked before it makes anything: it reads this key first, and no other parameter depends on it. */
  def whenMade(check: View => Unit): Parameters = Parameters((site, _, up) => { case SubsystemDriveClockGroupsFromIO =>
    check(site)
    up(SubsystemDriveClockGroupsFromIO)
  })

  /** Whether a subsystem reaches down to the pins of what it attaches: not here, where it stands inside the wrappers of buses. */
  val reachesPins: Boolean = false
}
