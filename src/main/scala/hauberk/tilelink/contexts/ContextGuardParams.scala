package hauberk.tilelink.contexts

import hauberk.contexts.ContextParams
import org.chipsalliance.cde.config.Field

/** The guard of secure contexts of a subsystem; none means no hardware. */
case object ContextGuardKey extends Field[Option[ContextGuardParams]](None)

/** User parameters of [[TLContextGuards]].
  *
  * @param contexts secure contexts at a time, 1 to 255
  * @param owners   pages whose owner a port knows without asking the table
  * @param address  where the control registers are
  */
case class ContextGuardParams(contexts: Int = 8, owners: Int = 8, address: BigInt = ContextMap.all.base)

object ContextGuardParams {

  /** The hardware for some memory. */
  private[contexts] def shape(params: ContextGuardParams, memory: OwnedMemory): ContextParams =
    ContextParams(params.contexts, memory.pages, params.owners)
}
