package hauberk.config

import hauberk.tilelink.common.Provisioning

/** [[WithProvisioning]] by the SoC itself. For simulators and studies on FPGAs: it keeps nothing secret from an owner of the Verilog, and nothing
  * at all over a reset ([[hauberk.tilelink.common.Provisioning.TestKeys]]).
  *
  * @param seed another seed gives other keys
  */
class WithTestKeys(seed: Int) extends WithProvisioning("WithTestKeys", Provisioning.TestKeys(seed))
