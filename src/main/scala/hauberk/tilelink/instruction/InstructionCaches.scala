package hauberk.tilelink.instruction

import freechips.rocketchip.rocket.ICache
import freechips.rocketchip.tilelink.TLClientParameters

/** Marks an instruction cache other than Rocket's as one whose fetches may be decrypted: no load reads its contents, and it is empty after the
  * cycle in which its core's trace port says that FENCE.I retires.
  */
trait DecryptableInstructionCache

/** Which masters at a tile's port are instruction caches: those whose node is that of one, by its class, or by its mark. */
private[tilelink] object InstructionCaches {
  def is(client: TLClientParameters): Boolean = client.nodePath.lastOption.exists { node =>
    node.lazyModule match {
      case _: ICache | _: DecryptableInstructionCache => true
      case _ => false
    }
  }
}
