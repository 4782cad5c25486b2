package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.devices.tilelink.{DevNullDevice, TLROM}
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** Where requests of a tile lead: by address, since every manager says through which nodes it is reached.
  *
  * @param managers all that the tile can reach
  */
private[exports] class Destinations(managers: Seq[TLManagerParameters]) {
  import Destinations._
  managers.foreach { manager =>
    require(
      !manager.supportsAcquireB || isGuarded(manager),
      s"${manager.name} is cached, but not behind the coherence manager, and its lines could leave the chip before what they were computed from is " +
        "verified: attach it to the memory bus, or use a scheme that verifies before use, such as WithBonsaiTreeBlocking"
    )
  }
  private val guarded = AddressSet.unify(managers.filter(isGuarded).flatMap(_.address))
  private val readable = AddressSet.unify(managers.filter(m => isGuarded(m) || staysWhenRead(m)).flatMap(_.address))

  /** Whether a request may leave the chip, as data or as address, now or when a master outside the gates reads what it wrote. Reads of registers and of
    * memory on the chip do not.
    */
  def isExport(request: TLBundleA): Bool = {
    def within(sets: Seq[AddressSet]) = sets.map(_.contains(request.address)).foldLeft(false.B)(_ || _)
    !Mux(request.opcode === TLMessages.Get, within(readable), within(guarded))
  }
}

private[tilelink] object Destinations {
  private def module(manager: TLManagerParameters): Option[LazyModule] = manager.nodePath.lastOption.map(_.lazyModule)

  /** Behind the coherence manager: what leaves there is the business of the memory protector, and who reads there that of the data gate. */
  private[exports] def isGuarded(manager: TLManagerParameters): Boolean =
    manager.nodePath.exists(_.lazyModule.isInstanceOf[TLDataGate])

  /** Memory on the chip, or nothing. */
  def isOnChip(manager: TLManagerParameters): Boolean = module(manager).exists {
    case _: TLRAM | _: TLROM | _: DevNullDevice => true
    case _ => false
  }
  private def staysWhenRead(manager: TLManagerParameters): Boolean =
    isOnChip(manager) || manager.nodePath.lastOption.exists(_.isInstanceOf[TLRegisterNode])
}
