package hauberk.memory.cache

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.port.MemoryPort

/** Ports of every store of guarded lines in untrusted memory, beside its look-ups. */
abstract class GuardedStoreIO(geometry: Geometry) extends Bundle {
  val memory = new MemoryPort(geometry.memory)

  /** Write back every line that is dirty now; they stay. */
  val flush = Input(Bool())
  val flushing = Output(Bool())

  /** Memory refused a line. */
  val refused = Output(Bool())

  /** `refused`, because of the chip's own memory. */
  val faulty = Output(Bool())

  /** The guard found the line at this address wrong. */
  val failed = Valid(UInt(geometry.memory.addressBits.W))

  /** A line is in use that the guard has not settled; for longer than the verdict timeout, for one cycle. */
  val unverified, late = Output(Bool())

  /** A pulse, and one that answers it: the lines in use at the first are settled. */
  val fence = Input(Bool())
  val fenced = Output(Bool())

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
  val hit = Output(Bool())
  val miss = Output(Bool())

  /** Connects all of these but `hit` and `miss` to the cache of the lines, the first of which is at `base`. */
  def connect(cache: LineCache[_ <: Data], base: BigInt): Unit = {
    memory <> cache.io.memory
    cache.io.flush := flush
    flushing := cache.io.flushing
    refused := cache.io.refused
    faulty := cache.io.faulty
    failed.valid := cache.io.failed.valid
    failed.bits := base.U +& (cache.io.failed.bits << geometry.memory.blockOffsetBits)
    unverified := cache.io.unsettled.orR
    fenced := fence
    late := false.B
    if (geometry.speculates) {
      val lines = Module(new Fence(cache.io.unsettled.getWidth))
      lines.io.start := fence
      lines.io.pending := cache.io.unsettled
      fenced := lines.io.done
      val timer = Module(new VerdictTimer(cache.io.unsettled.getWidth, geometry.verdictTimeout))
      timer.io.pending := cache.io.unsettled
      late := timer.io.late.orR
    }
    busy := cache.io.busy
  }
}
