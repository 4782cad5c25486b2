package hauberk.tilelink.instruction

import freechips.rocketchip.rocket.ICache
import freechips.rocketchip.tilelink.TLClientParameters

/** Marks an instruction cache other than Rocket's as one whose fetches may be decrypted: no load reads its contents, and it is empty after the
  * cycle in which its core's trace port says that FENCE.I retires.
  */
trait DecryptableInstructionCache

/** Which masters at a tile's port are instruction caches: those whose node is that of one, by its class, or by its mark. One that can be made a
  * memory, which loads read, is refused.
  */
private[tilelink] object InstructionCaches {
  def is(client: TLClientParameters): Boolean = client.nodePath.lastOption.exists { node =>
    node.lazyModule match {
      case cache: ICache =>
        require(
          cache.icacheParams.itimAddr.isEmpty,
          "an instruction cache that is a memory, too, shows loads what it holds in plaintext: leave itimAddr out, or WithInstructionDecryption"
        )
        true
      case _: DecryptableInstructionCache => true
      case _ => false
    }
  }
}
