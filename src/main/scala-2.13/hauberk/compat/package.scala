package hauberk

import freechips.rocketchip.tilelink.TLClientPortParameters

/** What current Rocket Chip and 1.2.6 do differently; of the two, this is for the former. */
package object compat {
  implicit class ClientPortSideBand(port: TLClientPortParameters) {

    /** Whether requests carry fields that whoever answers must hand back. */
    def wantsEcho: Boolean = port.echoFields.nonEmpty
  }
}
