package hauberk.memory.tree

import chisel3._
import hauberk.memory.common.KeySlot

/** The slots under which the hashes of a tree are. */
class TreeKeys extends Bundle {

  /** Of every hash that is made. */
  val current = UInt(KeySlot.width.W)

  /** All memory is being re-encrypted: a hash in memory may still be under `previous`. */
  val changing = Bool()
  val previous = UInt(KeySlot.width.W)
}

/** Slots of trees that no change of keys concerns. */
object TreeKeys {
  def one: TreeKeys = {
    val keys = Wire(new TreeKeys)
    keys.current := KeySlot.dynamic.U
    keys.changing := false.B
    keys.previous := KeySlot.dynamic.U
    keys
  }
}
