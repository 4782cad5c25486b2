package hauberk.config

import hauberk.compat.{CoherenceKind, CoherencePoint}
import hauberk.tilelink.protector.{AttachMemoryProtector, MemoryProtectionKey, MemoryProtectorParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Keeps external memory encrypted, by a protector on the memory side of the coherence manager.
  *
  * Must stand left of every fragment that chooses a coherence manager, because it wraps what it finds, and right of those that change the
  * scheme ([[WithProtection]]).
  *
  * @param params the scheme, the region and the address of the control registers
  */
class WithMemoryProtection(params: MemoryProtectorParams = MemoryProtectorParams())
    extends Config(
      Parameters((_, _, _) => { case MemoryProtectionKey => Some(params) }) ++
        CoherencePoint.interpose(CoherenceKind.MemoryProtector)(AttachMemoryProtector(_)) ++
        Complain((site, _) => AttachMemoryProtector.complaints(site))
    )
