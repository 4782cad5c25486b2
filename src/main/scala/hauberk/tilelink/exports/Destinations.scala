package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.devices.debug.TLDebugModuleInner
import freechips.rocketchip.devices.tilelink.{CLINT, DevNullDevice, TLPLIC, TLROM}
import freechips.rocketchip.diplomacy.{AddressSet, RegionType}
import freechips.rocketchip.tile.BaseTile
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.{QuietRegisters, TilesOnly}
import org.chipsalliance.diplomacy.lazymodule.LazyModule
import org.chipsalliance.diplomacy.nodes.BaseNode

/** Where requests of a tile lead: by address, since every manager says through which nodes it is reached.
  *
  * @param managers all that the tile can reach
  */
private[exports] class Destinations(managers: Seq[TLManagerParameters]) {
  import Destinations._
  managers.foreach { manager =>
    require(
      !isInTile(manager),
      s"${manager.name} is in a tile, where other masters could read what is not verified yet: leave it out, or use a scheme that verifies before use, " +
        "such as WithBonsaiTreeBlocking"
    )
    require(
      !manager.supportsAcquireB || isGuarded(manager),
      s"${manager.name} is cached, but not behind the coherence manager, and its lines could leave the chip before what they were computed from is " +
        "verified: attach it to the memory bus, or use a scheme that verifies before use, such as WithBonsaiTreeBlocking"
    )
  }
  private val guarded = AddressSet.unify(managers.filter(isGuarded).flatMap(_.address))
  private val readable = AddressSet.unify(managers.flatMap(m => if (isGuarded(m)) m.address else quiet(m)))

  /** Whether a request may leave the chip, as data or as address, now or when a master outside the gates reads what it wrote. Reads of memory on the chip do
    * not, nor reads of registers of devices that are known to do nothing outside the chip then.
    */
  def isExport(request: TLBundleA): Bool = {
    def within(sets: Seq[AddressSet]) = sets.map(_.contains(request.address)).foldLeft(false.B)(_ || _)
    !Mux(request.opcode === TLMessages.Get, within(readable), within(guarded))
  }
}

private[tilelink] object Destinations {
  private def module(manager: TLManagerParameters): Option[LazyModule] = manager.nodePath.lastOption.map(_.lazyModule)

  /** Memory that nobody reads past a gate. It is behind the coherence manager, where what leaves is the business of the memory protector, and who reads that
    * of the data gate; or on the chip, and guarded tiles only reach it.
    */
  private[exports] def isGuarded(manager: TLManagerParameters): Boolean =
    manager.nodePath.exists(_.lazyModule.isInstanceOf[TLDataGate]) ||
      (isOnChip(manager) && manager.nodePath.exists(_.lazyModule.isInstanceOf[TilesOnly]))

  /** Memory on the chip, or nothing. */
  def isOnChip(manager: TLManagerParameters): Boolean = module(manager).exists {
    case _: TLRAM | _: TLROM | _: DevNullDevice => true
    case _ => false
  }

  /** The debug module, which halts harts and has them access what it likes. */
  def isDebugger(manager: TLManagerParameters): Boolean = module(manager).exists(_.isInstanceOf[TLDebugModuleInner])

  /** Memory that keeps what is written to it, and is neither on the chip nor in a tile. */
  def isMemoryOffChip(manager: TLManagerParameters): Boolean =
    manager.regionType >= RegionType.IDEMPOTENT && !isOnChip(manager) && !isInTile(manager) &&
      Seq(manager.supportsPutFull, manager.supportsPutPartial, manager.supportsAcquireT).exists(!_.none)

  /** The masters that reach a manager without passing a module, if it is memory on the chip. */
  def mastersPast(passed: LazyModule, manager: TLManagerParameters): Seq[LazyModule] = {
    // By identity, because nodes of a kind with the same parameters are equal
    @annotation.tailrec
    def before(found: List[BaseNode], next: List[BaseNode]): List[BaseNode] = next match {
      case Nil => found
      case node :: others if found.exists(_ eq node) => before(found, others)
      case node :: others =>
        before(
          node :: found,
          if (node.lazyModule == passed) others else node.inputs.map(_._1: BaseNode).toList ++ others
        )
    }
    module(manager).toSeq.flatMap {
      case memory: TLRAM =>
        val nodes = before(Nil, List(memory.node))
        nodes.filter(node => node.inputs.isEmpty && node.lazyModule != passed).map(_.lazyModule)
      case _ => Nil
    }
  }
  private def isInTile(manager: TLManagerParameters): Boolean =
    manager.nodePath.map(_.lazyModule).exists(m => (m +: m.parents).exists(_.isInstanceOf[BaseTile]))

  /** The addresses of a manager that nobody outside the chip sees being read. */
  private def quiet(manager: TLManagerParameters): Seq[AddressSet] =
    if (isOnChip(manager)) manager.address
    else module(manager).toSeq.flatMap {
      case _: CLINT | _: TLPLIC | _: TLDebugModuleInner => manager.address
      case device: QuietRegisters =>
        manager.address.flatMap(a => device.shown.foldLeft(Seq(a))((sets, set) => sets.flatMap(_.subtract(set))))
      case _ => Nil
    }
}
