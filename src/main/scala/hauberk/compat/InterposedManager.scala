package hauberk.compat

import freechips.rocketchip.interrupts.IntOutwardNode
import freechips.rocketchip.tilelink._
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.Parameters

/** What stands at the coherence manager.
  *
  * @param behind on its memory side
  * @param before on the side of its clients, if there is anything
  */
case class Interposition(behind: TLNode, before: Option[TLNode] = None)

/** A coherence manager with nodes around it: [[CoherencePoint.interpose]] replaces a manager by one. */
private[compat] class InterposedManager(
    manager: InterposedManager.Manager,
    nodes: Map[CoherenceKind, InterposedManager.Around]
) extends InterposedManager.Manager {
  def has(kind: CoherenceKind): Boolean = nodes.contains(kind)

  /** The same with one more node, in its kind's place. */
  def and(kind: CoherenceKind, around: InterposedManager.Around): InterposedManager =
    new InterposedManager(manager, nodes + (kind -> around))

  def apply(context: CoherencePoint.Context): (TLInwardNode, TLOutwardNode, Option[IntOutwardNode]) = {
    val (in, out, halt) = manager(context)
    val outwards = nodes.toSeq.sortBy { case (kind, _) => kind.place }
    outwards.foldLeft((in, out, halt)) { case ((inward, outward, halts), (_, around)) =>
      val (further, behind) = around(context, inward, outward)
      (further, behind, halts)
    }
  }
}

/** Wraps coherence managers. */
private[compat] object InterposedManager {
  type Manager = CoherencePoint.Context => (TLInwardNode, TLOutwardNode, Option[IntOutwardNode])

  /** Connects nodes to a manager's inward and outward node, and returns those that take their place. */
  type Around = (CoherencePoint.Context, TLInwardNode, TLOutwardNode) => (TLInwardNode, TLOutwardNode)

  /** Puts a node before an inward node. */
  def before(inward: TLInwardNode, node: Option[TLNode])(implicit p: Parameters): TLInwardNode =
    node.fold(inward) { before =>
      inward :*= before
      before
    }

  def has(manager: Manager, kind: CoherenceKind): Boolean = manager match {
    case interposed: InterposedManager => interposed.has(kind)
    case _ => false
  }

  /** Puts nodes around a manager. Refuses a second time for the same kind. */
  def apply(manager: Manager, kind: CoherenceKind)(around: Around): Manager = {
    require(
      !has(manager, kind),
      s"there would be two: a ${kind.name} behind another: leave out one of the fragments that bring one (${kind.others})"
    )
    manager match {
      case interposed: InterposedManager => interposed.and(kind, around)
      case bare => new InterposedManager(bare, Map(kind -> around))
    }
  }

  /** Why a node would be missing without a word. */
  def unattached(manager: Manager, kind: CoherenceKind): Seq[String] = Refusal.broken(
    has(manager, kind) ->
      (s"a ${kind.name} is configured but something replaced the coherence manager it wraps: " +
        s"put ${kind.fragment} to the left of what does")
  )
}
