package hauberk.config

import hauberk.compat.{CoherenceKind, CoherencePoint, InterposedKind, TilePorts}
import hauberk.memory.integrity.Verification
import hauberk.tilelink.contexts.{AttachContextGuards, ContextGuardKey, ContextGuardParams}
import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryProtectorParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Gives pages of memory owners, and lets tiles and other masters access only pages that are nobody's or their own (AEGIS, section 3). Cores get pipelined
  * multipliers, whose time tells nothing of keys. A scheme that verifies after use verifies pages with an owner before their use.
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
        ContextVerification.change(Verification.Speculative, Verification.ByOwner) ++
        Complain((site, _) => AttachContextGuards.complaints(site))
    )

/** Leaves secure contexts to a scheme that verifies after use: who holds DRAM reads a context's secrets off the addresses of forged code, until the verdict
  * timeout. To compare with, and for nothing else.
  */
class WithUnverifiedContexts
    extends Config(
      ContextVerification.change(Verification.ByOwner, Verification.Speculative) ++
        new Edit(ContextGuardKey, "WithUnverifiedContexts", "a guard of secure contexts")(
          (params: ContextGuardParams) =>
            params.copy(unverified = true)
        )
    )

private[config] object ContextVerification {

  /** Another verification, where there is this one. The log hash has no verdict to wait for. */
  def change(from: Verification, to: Verification): Parameters =
    Edit(MemoryProtectionKey)((params: MemoryProtectorParams) => {
      val scheme = params.protection
      if (scheme.verification == from && !scheme.integrity.takesOldValues)
        params.copy(protection = scheme.copy(verification = to))
      else params
    })
}

/** So many secure contexts at a time, 1 to 255. */
class WithSecureContexts(contexts: Int)
    extends Edit(ContextGuardKey, "WithSecureContexts", "a guard of secure contexts")((params: ContextGuardParams) =>
      params.copy(contexts = contexts)
    )
