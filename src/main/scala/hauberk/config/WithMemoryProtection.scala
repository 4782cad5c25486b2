package hauberk.config

import hauberk.compat.{CoherenceKind, CoherencePoint, InterposedKind, TilePorts}
import hauberk.tilelink.protector.{AttachExportGates, AttachMemoryProtector, MemoryProtectionKey, MemoryProtectorParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Keeps external memory encrypted, by a protector on the memory side of the coherence manager.
  *
  * Must stand left of every fragment that chooses a coherence manager, because it wraps what it finds, and right of those that change the
  * scheme ([[WithProtection]]). If cores use what is not verified yet, it also puts export gates at the tiles, and must stand left of every fragment that
  * makes tiles: one that is attached further left gets verified data only.
  *
  * @param params the scheme, the region and the address of the control registers
  */
class WithMemoryProtection(params: MemoryProtectorParams = MemoryProtectorParams())
    extends Config(
      Parameters((_, _, _) => { case MemoryProtectionKey => Some(params) }) ++
        CoherencePoint.interpose(CoherenceKind.MemoryProtector)(AttachMemoryProtector(_)) ++
        TilePorts.interpose(InterposedKind.ExportGates, AttachExportGates(_), where = AttachExportGates.wanted) ++
        Complain((site, _) => AttachMemoryProtector.complaints(site))
    )
