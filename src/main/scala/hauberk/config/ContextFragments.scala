package hauberk.config

import hauberk.compat.{CoherenceKind, CoherencePoint, InterposedKind, TilePorts}
import hauberk.tilelink.contexts.{AttachContextGuards, ContextGuardKey, ContextGuardParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Gives pages of memory owners, and lets tiles and other masters access only pages that are nobody's or their own (AEGIS, section 3). Cores get pipelined
  * multipliers, whose time tells nothing of keys.
  *
  * Must stand right of the fragments that change it, left of every fragment that chooses a coherence manager, makes tiles, or matches on how they are
  * attached.
  */
class WithContextGuard
    extends Config(
      Parameters((_, _, _) => { case ContextGuardKey => Some(ContextGuardParams()) }) ++
        CoherencePoint.interpose(CoherenceKind.ContextGuard)(AttachContextGuards.before) ++
        TilePorts.interpose(InterposedKind.ContextGuards, AttachContextGuards(_)) ++
        TilePorts.pipelinedMultipliers ++
        Complain((site, _) => AttachContextGuards.complaints(site))
    )

/** So many secure contexts at a time, 1 to 255. */
class WithSecureContexts(contexts: Int)
    extends Edit(ContextGuardKey, "WithSecureContexts", "a guard of secure contexts")((params: ContextGuardParams) =>
      params.copy(contexts = contexts)
    )
