package hauberk.compat

import freechips.rocketchip.subsystem.{HasTilesExternalResetVectorKey, InSubsystem, SubsystemDriveClockGroupsFromIO, TLManagerViewpointLocated}
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Field, Parameters, View}

/** When a subsystem is made. */
object Subsystem {
  // Chipyard's field, which this project does not depend on
  private val chipParameters = "chipyard.harness.MultiChipParameters"

  // A subsystem reads all of them, the first before it makes anything, and no other parameter depends on them
  private val read: Seq[Field[_]] =
    Seq(SubsystemDriveClockGroupsFromIO, HasTilesExternalResetVectorKey, TLManagerViewpointLocated(InSubsystem))

  /** Parameters by which every subsystem is checked, before it makes anything if no fragment to the left hides the first key of several.
    *
    * In a configuration of several chips, which have parameters of their own, no subsystem reads these: that is refused.
    */
  def whenMade(check: View => Unit): Parameters = Parameters((site, _, up) => {
    case key: Field[_] if read.contains(key) =>
      check(site)
      up(key)
    case key if key.getClass.getName == chipParameters =>
      throw new Refusal(
        Seq("fragments to the left of a configuration of several chips do not reach the chips: put them into each chip's own (WithMultiChip)")
      )
  })

  /** Whether a subsystem reaches down to the pins of what it attaches: not here, where it stands inside the wrappers of buses. */
  val reachesPins: Boolean = false
}
