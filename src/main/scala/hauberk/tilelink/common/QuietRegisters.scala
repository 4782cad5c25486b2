package hauberk.tilelink.common

import freechips.rocketchip.diplomacy.AddressSet

/** A device whose registers do nothing outside the chip when they are read: whether and when, nobody sees there. */
trait QuietRegisters {

  /** Registers of which this is not true. */
  def shown: Seq[AddressSet] = Nil
}
