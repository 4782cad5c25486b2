package hauberk.config

import hauberk.bus._
import hauberk.memory.common.Refusal
import hauberk.compat.{InterposedKind, TilePorts}
import hauberk.tilelink.bus.{AttachSecureBus, SecureBusKey, SecureBusParams, TilePadParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Puts a shared bus between the tiles and the system bus, with a security hardware unit at each end.
  *
  * Must stand right of the fragments that change it, and left of every fragment that makes tiles or matches on how they are attached.
  */
class WithSecureBus(params: SecureBusParams = SecureBusParams())
    extends Config(
      Parameters((_, _, _) => { case SecureBusKey => Some(params) }) ++
        TilePorts.interpose(InterposedKind.SecureBus, AttachSecureBus(_)) ++
        Complain((site, _) => AttachSecureBus.complaints(site))
    )

/** SENSS as in figure 5 of the paper: a bus cycle of ten, 32 bytes in each; eight masks, CBC-MAC, authentication every 100 transfers. */
class WithSenss extends WithSecureBus

/** Changes the secure bus of the fragments to its right. */
class WithBus(fragment: String, change: SecureBusParams => SecureBusParams)
    extends Edit(SecureBusKey, fragment, "a secure bus")(change)

/** Changes the security hardware units of the fragments to its right. */
class WithBusSecurity(fragment: String, change: BusSecurityParams => BusSecurityParams)
    extends WithBus(
      fragment,
      bus => {
        Refusal.unless(
          bus.security.isDefined -> s"$fragment changes security hardware units, and a bus in the clear has none: leave it out"
        )
        bus.copy(security = bus.security.map(change))
      }
    )

/** The same shared bus without security: the baseline of a secured one. */
class WithBusInTheClear extends WithBus("WithBusInTheClear", _.copy(security = None))

/** A shared bus with a bus cycle of `ratio` cycles, of `widthBits` data lines. */
class WithSharedBus(ratio: Int, widthBits: Int)
    extends WithBus("WithSharedBus", _.copy(sharedBus = SharedBusParams(ratio, widthBits)))

/** So many mask slots, 1 to 16. */
class WithBusMasks(masks: Int) extends WithBusSecurity("WithBusMasks", _.copy(masks = masks))

/** Transfers between two authentications, 1 to 2^32-1. */
class WithBusInterval(transfers: Long) extends WithBusSecurity("WithBusInterval", _.copy(interval = transfers))

/** So many cycles from a transfer until the mask that follows it is ready. */
class WithBusCipherLatency(cycles: Int) extends WithBusSecurity("WithBusCipherLatency", _.copy(aesLatency = cycles))

/** So many groups at a time, 1 to 16. */
class WithBusGroups(groups: Int) extends WithBusSecurity("WithBusGroups", _.copy(groups = groups))

/** GHASH in place of the CBC-MAC. */
class WithGhash extends WithBusSecurity("WithGhash", _.copy(mac = BusMac.Ghash))

/** Separate masks for each sender, which an attacker cannot make it reuse. */
class WithSenderMasks extends WithBusSecurity("WithSenderMasks", _.copy(maskSource = BusMasks.PerSender))

/** Addresses and opcodes are authenticated with the data, and messages without data, too. */
class WithCommandAuthentication
    extends WithBusSecurity("WithCommandAuthentication", _.copy(authenticateCommands = true))

/** Tiles encrypt for memory themselves, and keep each other's counters right. */
class WithTilePads(pads: TilePadParams = TilePadParams()) extends WithBus("WithTilePads", _.copy(pads = Some(pads)))

/** The same: the tile that encrypts a block announces it, and the others request its counter when they need it. */
class WithInvalidatedTilePads extends WithTilePads(TilePadParams(PadCoherence.WriteInvalidate))

/** The same: the tile that encrypts a block broadcasts its counter. */
class WithUpdatedTilePads extends WithTilePads(TilePadParams(PadCoherence.WriteUpdate))
