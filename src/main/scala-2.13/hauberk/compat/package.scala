package hauberk

import freechips.rocketchip.diplomacy.RegionType
import freechips.rocketchip.tilelink.{TLClientPortParameters, TLMasterParameters}

/** Differences between current Rocket Chip and 1.2.6: the side of current Rocket Chip. */
package object compat {

  /** Resource name of memory that denies every access. The inclusive cache takes only what can be cached, so it asks and is denied. */
  val deniedRegion: RegionType.T = RegionType.UNCACHED

  implicit class ClientCaching(client: TLMasterParameters) {

    /** Whether it keeps lines, and is asked for them. */
    def isCache: Boolean = !client.supports.probe.none
  }

  implicit class ClientPortSideBand(port: TLClientPortParameters) {

    /** Whether requests carry fields that the responder must return. */
    def wantsEcho: Boolean = port.echoFields.nonEmpty
  }
}
