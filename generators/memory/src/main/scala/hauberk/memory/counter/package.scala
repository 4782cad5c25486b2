package hauberk.memory

/** Where a block's counter comes from, and where it is kept. */
package object counter {
  @deprecated("it is called Timestamps", "0.1.0")
  type GlobalTimer = Timestamps
  @deprecated("it is called Timestamps", "0.1.0")
  val GlobalTimer: Timestamps.type = Timestamps
}
