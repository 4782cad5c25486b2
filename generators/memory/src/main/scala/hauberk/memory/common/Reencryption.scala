package hauberk.memory.common

import chisel3._

/** A block to be read and written back under a fresh counter and, it may be, another key. */
class Reencryption(val p: Geometry) extends Bundle {
  val block = UInt(p.core.blockIndexBits.W)

  /** Which one of those under way: its number is free until it is complete. */
  val slot = UInt(p.reencryptionBits.W)
}
