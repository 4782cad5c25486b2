package hauberk.compat

import freechips.rocketchip.subsystem.BuildSystemBus
import org.chipsalliance.cde.config.{Parameters, View}

/** When a subsystem is made. */
object Subsystem {

  /** Parameters by which every subsystem is checked before it makes anything: it reads this key first. */
  def whenMade(check: View => Unit): Parameters = Parameters((site, _, up) => { case BuildSystemBus =>
    check(site)
    up(BuildSystemBus, site)
  })

  /** Whether a subsystem reaches down to the pins of what it attaches. */
  val reachesPins: Boolean = true
}
