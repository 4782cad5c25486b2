package hauberk.compat

import freechips.rocketchip.interrupts.IntOutwardNode
import freechips.rocketchip.subsystem.{BankedL2Key, BaseSubsystem, BaseSubsystemBusAttachment}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLInwardNode, TLNode, TLOutwardNode}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, whatever this Rocket Chip calls it: nothing cached passes by another way. */
object CoherencePoint {
  type Context = BaseSubsystem

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: Parameters): Int = p(BankedL2Key).nBanks

  private type Manager = Context => (TLInwardNode, TLOutwardNode, Option[IntOutwardNode])

  /** A coherence manager with a node behind it. */
  private class Interposed(manager: Manager, node: Context => TLNode) extends Manager {
    def apply(context: Context): (TLInwardNode, TLOutwardNode, Option[IntOutwardNode]) = {
      implicit val p: Parameters = context.p
      val (in, out, halt) = manager(context)
      val interposed = node(context)
      interposed :*=* out
      (in, interposed, halt)
    }
  }

  /** Parameters that put a node between the coherence manager and the memory bus. */
  def interpose(node: Context => TLNode): Parameters = Parameters((site, _, up) => { case BankedL2Key =>
    val previous = up(BankedL2Key, site)
    require(
      !previous.coherenceManager.isInstanceOf[Interposed],
      "there would be two memory protectors, one behind the other: leave out one of the fragments that bring one " +
        "(WithMemoryProtection and the schemes); WithProtection changes the scheme of what is there"
    )
    previous.copy(coherenceManager = new Interposed(previous.coherenceManager, node))
  })

  /** Whether DRAM can also be reached past the coherence manager, at other addresses: not in this Rocket Chip. */
  def hasBypass(implicit p: Parameters): Boolean = false

  /** Where [[interpose]] ran: the subsystem, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] = context.getChildren

  def bus(context: Context, location: BaseSubsystemBusAttachment): TLBusWrapper = context.attach(location)
}
