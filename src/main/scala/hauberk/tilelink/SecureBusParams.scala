package hauberk.tilelink

import hauberk.bus._
import org.chipsalliance.cde.config.Field

/** The broadcast medium between the tiles and the system bus; none means no hardware. */
case object SecureBusKey extends Field[Option[SecureBusParams]](None)

/** What a user chooses for a [[TLSecureBus]].
  *
  * @param medium   clock and width of the medium
  * @param security the security hardware units; none leaves the medium in the clear, to compare with
  * @param address  where the control registers are
  */
case class SecureBusParams(
    medium: MediumParams = MediumParams.paper,
    security: Option[BusSecurityParams] = Some(BusSecurityParams()),
    address: BigInt = 0x10030000
)
