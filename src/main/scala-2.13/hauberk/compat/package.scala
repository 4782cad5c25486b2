package hauberk

import freechips.rocketchip.diplomacy.RegionType
import freechips.rocketchip.tilelink.TLClientPortParameters

/** What current Rocket Chip and 1.2.6 do differently; of the two, this is for the former. */
package object compat {

  /** What memory is called that denies every access. The inclusive cache takes only what can be cached, so it asks and is denied. */
  val deniedRegion: RegionType.T = RegionType.UNCACHED

  implicit class ClientPortSideBand(port: TLClientPortParameters) {

    /** Whether requests carry fields that whoever answers must hand back. */
    def wantsEcho: Boolean = port.echoFields.nonEmpty
  }
}
