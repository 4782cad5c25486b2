package hauberk.memory.cache

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** A line that a miss of a [[LineCache]] fetches. */
class LineOfMiss(val missBits: Int, val lineBits: Int) extends Bundle {
  val miss = UInt(missBits.W)
  val line = UInt(lineBits.W)
}

/** As memory gave it: nothing in it is to be trusted. */
class FetchedLine(val missBits: Int, val lineBits: Int, val dataBits: Int) extends Bundle {
  val miss = UInt(missBits.W)
  val line = UInt(lineBits.W)
  val data = UInt(dataBits.W)
}

/** As the guard lets it in. */
class ReleasedLine(val missBits: Int, val dataBits: Int) extends Bundle {
  val miss = UInt(missBits.W)
  val data = UInt(dataBits.W)
}

/** The verdict on a fetched line. */
class SettledLine(val missBits: Int) extends Bundle {
  val miss = UInt(missBits.W)
  val ok = Bool()
}

/** A dirty line on its way to memory. */
class LeavingLine(val lineBits: Int, val dataBits: Int) extends Bundle {
  val line = UInt(lineBits.W)
  val data = UInt(dataBits.W)
}

/** Between a [[LineCache]] and the guard of its lines, seen from the cache. The lowest address is in the least significant byte.
  *
  * A line that is fetched goes through `opened`, `fetched`, `released` and `settled`, in this order, of which the last three may fall
  * into one cycle; different misses may overtake each other from `fetched` on. A line that leaves goes through `seal` and `sealedLine`, which
  * may fall into one cycle, and no other is offered in between.
  */
class LineGuardPort(val p: Geometry, val mshrs: Int, val lineBits: Int) extends Bundle {
  private def missBits = math.max(1, log2Ceil(mshrs))
  private def dataBits = p.bank.blockBytes * 8

  /** A fetch begins, so that the guard can fetch its own metadata in parallel. Never refused. */
  val opened = Valid(new LineOfMiss(missBits, lineBits))

  /** The fetch is back. While it is not taken it holds up the responses of memory: the guard must take it without anything further from
    * memory, and therefore has room for a line of every miss, or passes them on at once.
    */
  val fetched = Decoupled(new FetchedLine(missBits, lineBits, dataBits))

  /** The line may be used; once for every miss, whatever the verdict is. A blocking guard releases when it settles, a speculative one
    * before. At most one a cycle.
    */
  val released = Flipped(Valid(new ReleasedLine(missBits, dataBits)))

  /** Verified, or not. Once for every miss, not before its release; the line is neither evicted nor flushed until then. */
  val settled = Flipped(Valid(new SettledLine(missBits)))

  /** A line is about to be written back. */
  val seal = Decoupled(new LeavingLine(lineBits, dataBits))

  /** The sealed line, as memory is to hold it. */
  val sealedLine = Flipped(Valid(UInt(dataBits.W)))
}

/** Ports of every guard; a guard extends it by its own. */
class LineGuardIO(val p: Geometry, val mshrs: Int, val lineBits: Int) extends Bundle {
  val cache = Flipped(new LineGuardPort(p, mshrs, lineBits))

  /** Registers may change in the next cycle, though neither the cache nor memory asks for anything. */
  val busy = Output(Bool())
}

/** Protects the lines of a [[LineCache]] in untrusted memory: lines are sealed when written back and verified when fetched. */
abstract class LineGuard(val p: Geometry) extends Module {
  def io: LineGuardIO
}

/** Passes every line in the cycle of its arrival: for unprotected lines. */
class NoGuard(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuard(p) {
  val io = IO(new LineGuardIO(p, mshrs, lineBits))
  private val cache = io.cache
  cache.fetched.ready := true.B
  cache.released.valid := cache.fetched.valid
  cache.released.bits.miss := cache.fetched.bits.miss
  cache.released.bits.data := cache.fetched.bits.data
  cache.settled.valid := cache.fetched.valid
  cache.settled.bits.miss := cache.fetched.bits.miss
  cache.settled.bits.ok := true.B
  cache.seal.ready := true.B
  cache.sealedLine.valid := cache.seal.valid
  cache.sealedLine.bits := cache.seal.bits.data
  io.busy := false.B
}
