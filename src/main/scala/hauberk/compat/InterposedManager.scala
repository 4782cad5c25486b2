package hauberk.compat

import freechips.rocketchip.interrupts.IntOutwardNode
import freechips.rocketchip.tilelink.{TLInwardNode, TLOutwardNode}
import hauberk.memory.common.Refusal

/** A coherence manager with nodes behind it: [[CoherencePoint.interpose]] replaces a manager by one.
  *
  * @param nodes each connects a node to an outward node, and returns it
  */
private[compat] class InterposedManager(
    manager: InterposedManager.Manager,
    nodes: Map[CoherenceKind, InterposedManager.Behind]
) extends InterposedManager.Manager {
  def has(kind: CoherenceKind): Boolean = nodes.contains(kind)

  /** The same with one more node, in its kind's place. */
  def and(kind: CoherenceKind, behind: InterposedManager.Behind): InterposedManager =
    new InterposedManager(manager, nodes + (kind -> behind))

  def apply(context: CoherencePoint.Context): (TLInwardNode, TLOutwardNode, Option[IntOutwardNode]) = {
    val (in, out, halt) = manager(context)
    val outwards = nodes.toSeq.sortBy { case (kind, _) => kind.place }
    (in, outwards.foldLeft(out) { case (inner, (_, behind)) => behind(context, inner) }, halt)
  }
}

/** Wraps coherence managers. */
private[compat] object InterposedManager {
  type Manager = CoherencePoint.Context => (TLInwardNode, TLOutwardNode, Option[IntOutwardNode])
  type Behind = (CoherencePoint.Context, TLOutwardNode) => TLOutwardNode

  def has(manager: Manager, kind: CoherenceKind): Boolean = manager match {
    case interposed: InterposedManager => interposed.has(kind)
    case _ => false
  }

  /** Puts a node behind a manager. Refuses a second one of the same kind. */
  def apply(manager: Manager, kind: CoherenceKind)(behind: Behind): Manager = {
    require(
      !has(manager, kind),
      s"there would be two: a ${kind.name} behind another: leave out one of the fragments that bring one (${kind.others})"
    )
    manager match {
      case interposed: InterposedManager => interposed.and(kind, behind)
      case bare => new InterposedManager(bare, Map(kind -> behind))
    }
  }

  /** Why a node would be missing without a word. */
  def unattached(manager: Manager, kind: CoherenceKind): Seq[String] = Refusal.broken(
    has(manager, kind) ->
      (s"a ${kind.name} is configured but something replaced the coherence manager it wraps: " +
        s"put ${kind.fragment} to the left of what does")
  )
}
