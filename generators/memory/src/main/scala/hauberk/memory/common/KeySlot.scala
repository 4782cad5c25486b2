package hauberk.memory.common

import chisel3._

/** The key slots: the two of AEGIS section 3.3.1, and one for the next key. */
object KeySlot {

  /** K_static: decrypts the encrypted image, which is blocks whose counter is zero. */
  val static = 0

  /** K_dynamic: everything written since. */
  val dynamic = 1

  /** The next K_dynamic, when all memory is re-encrypted (AEGIS section 6.3); it then changes roles with the slot before. */
  val spare = 2

  /** Where a context of a [[RegionTable]] has its K_dynamic. The second has it in the spare slot, under schemes that never re-encrypt. */
  def ofContext(context: UInt): UInt = Mux(context === 0.U, dynamic.U(width.W), spare.U(width.W))
  val count = 3
  val width = 2
}
