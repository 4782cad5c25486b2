package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.fault.Secded
import hauberk.memory.tree.{HashRoot, RootTable}
import hauberk.testing.{FaultInjector, FaultSite, Flip}

/** A root whose memory's bits can be flipped. */
private class FaultyRootTable extends Module {
  private val root = Module(new RootTable(FaultyRoots.entries, 3, 2, Secded()))
  val io = IO(chiselTypeOf(root.io))
  io <> root.io
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(Seq(FaultSite.memory("root.table", FaultyRoots.entries, 63))) := flip
}

/** The same of a hash tree. */
private class FaultyHashRoot extends Module {
  private val root = Module(new HashRoot(FaultyRoots.entries, 3, 2, Secded()))
  val io = IO(chiselTypeOf(root.io))
  io <> root.io
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(Seq(FaultSite.memory("root.hashes", FaultyRoots.entries, 72))) := flip
}

private object FaultyRoots { val entries = 8 }
