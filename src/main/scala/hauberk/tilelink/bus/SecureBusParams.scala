package hauberk.tilelink.bus

import hauberk.bus._
import hauberk.tilelink.common.Provisioning
import org.chipsalliance.cde.config.Field

/** The shared bus between the tiles and the system bus; none means no hardware. */
case object SecureBusKey extends Field[Option[SecureBusParams]](None)

/** User parameters of a [[TLSecureBus]].
  *
  * @param sharedBus clock and width of the shared bus
  * @param security the security hardware units; none leaves the shared bus in the clear, to compare with
  * @param pads     tiles encrypt for memory themselves (section 6.1); none leaves that to a memory protector, if there is one
  * @param address  where the control registers are
  * @param secrets  where the fuses' keys and random words come from
  */
case class SecureBusParams(
    sharedBus: SharedBusParams = SharedBusParams.paper,
    security: Option[BusSecurityParams] = Some(BusSecurityParams()),
    pads: Option[TilePadParams] = None,
    address: BigInt = SecureBusMap.all.base,
    secrets: Provisioning = Provisioning.Pins
) {
  require(
    pads.isEmpty || secrets == Provisioning.Pins,
    "tiles that encrypt for memory need the key of a package, which is for the fuses of one chip: use Provisioning.Pins, or leave WithTilePads out"
  )
}

/** Encryption for memory in every tile.
  *
  * @param coherence  how tiles keep each other's counters right
  * @param countBits  width of a block's counter, 8 to 48
  * @param aesLatency cycles from a counter to its pad
  */
case class TilePadParams(
    coherence: PadCoherence = PadCoherence.WriteInvalidate,
    countBits: Int = 32,
    aesLatency: Int = 80
)
