package hauberk.memory.cache

import chisel3._
import chisel3.util._

/** Tree pseudo-LRU: a binary tree over a power-of-two number of ways, whose nodes point to the side used less recently. Node 1 is the root
  * and node n has the children 2n and 2n+1; bit n of the state is node n, and bit 0 is not used. All zero is a state to begin with.
  */
object TreePlru {
  def stateBits(ways: Int): Int = math.max(2, ways)

  /** The way to replace. */
  def victim(state: UInt, ways: Int): UInt =
    if (ways == 1) 0.U(1.W)
    else {
      val root: UInt = 1.U(1.W)
      val leaf = (0 until log2Ceil(ways)).foldLeft(root)((node, _) => Cat(node, (state >> node)(0)))
      leaf(log2Ceil(ways) - 1, 0)
    }

  /** The state after a use of `way`: every node above it points away from it. */
  def use(state: UInt, way: UInt, ways: Int): UInt = {
    val levels = log2Ceil(ways)
    (0 until levels).foldLeft(state) { (before, level) =>
      val node = if (level == 0) 1.U(1.W) else Cat(1.U(1.W), way(levels - 1, levels - level))
      val here = UIntToOH(node, stateBits(ways))
      Mux(way(levels - 1 - level), before & (~here).asUInt, before | here)
    }
  }
}
