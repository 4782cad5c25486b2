package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.cache.TreePlru

/** A line of the directory. A poisoned line holds data that were written as corrupt: it is never read, only written whole. */
class LastLevelLine(val g: LastLevelGeometry) extends Bundle {
  val valid, dirty, poisoned = Bool()
  val tag = UInt(g.tagBits.W)
}

/** New content of a line of the directory. */
class LastLevelUpdate(val g: LastLevelGeometry) extends Bundle {
  val set = UInt(g.setBits.W)
  val way = UInt(g.wayBits.W)
  val line = new LastLevelLine(g)
}

/** Tags, flags and order of use of all lines, in block RAM: a set is read in one cycle, and is on `lines` in the next alone. A set must not
  * be read while one is written. Clears itself after reset, one set a cycle.
  */
class LastLevelDirectory(g: LastLevelGeometry) extends Module {
  val io = IO(new Bundle {

    /** Lines can be read and written. */
    val ready = Output(Bool())
    val read = Flipped(Valid(UInt(g.setBits.W)))
    val lines = Output(Vec(g.ways, new LastLevelLine(g)))
    val recency = Output(UInt(TreePlru.stateBits(g.ways).W))
    val write = Flipped(Valid(new LastLevelUpdate(g)))

    /** A new order of use, of the set that was read. */
    val use = Flipped(Valid(UInt(TreePlru.stateBits(g.ways).W)))
  })
  private val lineBits = (new LastLevelLine(g)).getWidth
  private val lines = SyncReadMem(g.sets, Vec(g.ways, UInt(lineBits.W)))
  private val recency = SyncReadMem(g.sets, UInt(TreePlru.stateBits(g.ways).W))
  private val ready = RegInit(false.B)
  private val clearing = RegInit(0.U(g.setBits.W))
  io.ready := ready
  when(!ready) {
    clearing := clearing + 1.U
    ready := clearing === (g.sets - 1).U
  }

  io.lines := VecInit(lines.read(io.read.bits, io.read.valid).map(_.asTypeOf(new LastLevelLine(g))))
  io.recency := recency.read(io.read.bits, io.read.valid)
  private val written = Mux(ready, io.write.bits.line.asUInt, 0.U)
  private val mask = (0 until g.ways).map(way => !ready || (if (g.ways == 1) true.B else io.write.bits.way === way.U))
  when(!ready || io.write.valid) {
    lines.write(Mux(ready, io.write.bits.set, clearing), VecInit(Seq.fill(g.ways)(written)), mask)
  }
  private val used = RegEnable(io.read.bits, io.read.valid)
  when(!ready || io.use.valid) {
    recency.write(Mux(ready, used, clearing), Mux(ready, io.use.bits, 0.U))
  }
}
