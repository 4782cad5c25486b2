package hauberk.tilelink

import freechips.rocketchip.rocket.ICache
import freechips.rocketchip.tilelink.TLClientParameters

/** Which masters at a tile's port are instruction caches: those whose node is that of one, by its class. One that can be made a memory, which
  * loads read, is refused.
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
      // Other cores' have a class of that name of their own, which we cannot name without depending on them
      case other => other.getClass.getSimpleName == "ICache"
    }
  }
}
