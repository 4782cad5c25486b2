package hauberk.memory.common

/** Why a protector raised its alarm; the first cause is kept until reset. */
object AlarmCause {
  val width = 3
  val none = 0

  /** A request came before arming, which needs initialised metadata and whole keys. */
  val notArmed = 1

  /** A request outside the data region, such as the metadata. */
  val outsideData = 2

  /** No fresh counter is left under this key. */
  val counterOverflow = 3

  /** Memory refused an access to metadata, or a block that was being re-encrypted. */
  val metadataError = 4

  /** A block is not what was last written. */
  val blockMismatch = 5

  /** A line of metadata is not what was last written. */
  val metadataMismatch = 6

  /** The log of accesses does not add up: some block was not what was last written. */
  val logMismatch = 7
}
