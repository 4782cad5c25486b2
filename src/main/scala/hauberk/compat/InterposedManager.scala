package hauberk.compat

import freechips.rocketchip.interrupts.IntOutwardNode
import freechips.rocketchip.tilelink.{TLInwardNode, TLOutwardNode}

/** A coherence manager with a node behind it: [[CoherencePoint.interpose]] replaces a manager by one.
  *
  * @param behind connects the node to the manager's outward node, and returns it
  */
private[compat] class InterposedManager(
    manager: InterposedManager.Manager,
    behind: (CoherencePoint.Context, TLOutwardNode) => TLOutwardNode
) extends InterposedManager.Manager {
  def apply(context: CoherencePoint.Context): (TLInwardNode, TLOutwardNode, Option[IntOutwardNode]) = {
    val (in, out, halt) = manager(context)
    (in, behind(context, out), halt)
  }
}

/** Wraps a coherence manager, once. */
private[compat] object InterposedManager {
  type Manager = CoherencePoint.Context => (TLInwardNode, TLOutwardNode, Option[IntOutwardNode])

  def is(manager: Manager): Boolean = manager.isInstanceOf[InterposedManager]

  /** Refuses a manager that has a node behind it already. */
  def apply(manager: Manager)(behind: (CoherencePoint.Context, TLOutwardNode) => TLOutwardNode): Manager = {
    require(
      !is(manager),
      "there would be two memory protectors, one behind the other: leave out one of the fragments that bring one " +
        "(WithMemoryProtection and the schemes); WithProtection changes the scheme of what is there"
    )
    new InterposedManager(manager, behind)
  }
}
