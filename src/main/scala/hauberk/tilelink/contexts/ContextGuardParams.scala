package hauberk.tilelink.contexts

import hauberk.contexts.ContextParams
import hauberk.tilelink.common.Provisioning
import hauberk.tilelink.protector.AttachMemoryProtector
import org.chipsalliance.cde.config.{Field, View}

/** The guard of secure contexts of a subsystem; none means no hardware. */
case object ContextGuardKey extends Field[Option[ContextGuardParams]](None)

/** User parameters of [[TLContextGuards]].
  *
  * @param contexts secure contexts at a time, 1 to 255
  * @param owners   pages whose owner a port knows without asking the table
  * @param address  where the control registers are
  * @param secrets  where the processor's secret and random words come from
  * @param unverified contexts may use what is not verified yet
  */
case class ContextGuardParams(
    contexts: Int = 8,
    owners: Int = 8,
    address: BigInt = ContextMap.all.base,
    secrets: Provisioning = Provisioning.Pins,
    unverified: Boolean = false
)

object ContextGuardParams {

  /** The hardware for some memory, with the fault checks of its protector. */
  private[contexts] def shape(params: ContextGuardParams, memory: OwnedMemory)(implicit p: View): ContextParams =
    ContextParams(params.contexts, memory.pages, params.owners, AttachMemoryProtector.faults)
}
