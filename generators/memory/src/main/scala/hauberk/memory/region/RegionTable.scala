package hauberk.memory.region

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPortParams
import hauberk.memory.common.RegionParams

/** Properties of a block by its address. */
class RegionKind(val params: RegionParams) extends Bundle {

  /** In plaintext in memory: no pad, no counter, no tag (Yang section 4.3: shared libraries, program input). */
  val plain = Bool()

  /** Whose block it is, which names its dynamic key. */
  val context = UInt(params.contextBits.W)
}

/** A region on its way into the table: granules `first` to `last`, both included; none if `last` is below `first`. */
class RegionWrite(val params: RegionParams, val granuleBits: Int) extends Bundle {
  val index = UInt(params.indexBits.W)
  val first = UInt(granuleBits.W)
  val last = UInt(granuleBits.W)
  val kind = new RegionKind(params)
}

/** A look-up, answered in the same cycle. */
class RegionPort(val params: RegionParams, val blockIndexBits: Int) extends Bundle {
  val block = Output(UInt(blockIndexBits.W))
  val kind = Input(new RegionKind(params))
}

/** Which blocks stay in plaintext and whose the others are (Yang section 4.3). A block in no region is protected and of context 0; in
  * several, the one with the lowest index counts. A write that names an index or a context that does not exist is ignored. The
  * table cannot be read back, and an engine takes no write from arming on: software that runs behind it can neither expose a block nor give
  * it away.
  *
  * @param lookups blocks looked up at the same time
  */
class RegionTable(val params: RegionParams, val memory: MemoryPortParams, val lookups: Int) extends Module {
  require(
    params.granuleBytes >= memory.blockBytes,
    s"granuleBytes is ${params.granuleBytes}, less than a block of ${memory.blockBytes} bytes: enlarge the granule"
  )
  private val shift = log2Ceil(params.granuleBytes / memory.blockBytes)
  private val granuleBits = RegionTable.granuleBits(params, memory)
  val io = IO(new Bundle {
    val write = Flipped(Valid(new RegionWrite(params, granuleBits)))
    val lookup = Vec(lookups, Flipped(new RegionPort(params, memory.blockIndexBits)))
  })

  private val used = RegInit(VecInit(Seq.fill(math.max(1, params.entries))(false.B)))
  private val regions = Reg(Vec(math.max(1, params.entries), new RegionWrite(params, granuleBits)))
  private val exists = io.write.bits.kind.context <= (params.contexts - 1).U
  when(io.write.valid && exists) {
    for (i <- 0 until params.entries) {
      when(io.write.bits.index === i.U) {
        used(i) := true.B
        regions(i) := io.write.bits
      }
    }
  }

  for (port <- io.lookup) {
    val granule = (port.block + 0.U((shift + granuleBits).W)) >> shift
    val inside = (0 until params.entries).map { i =>
      (used(i) && granule >= regions(i).first && granule <= regions(i).last) -> regions(i).kind
    }
    port.kind := MuxCase(0.U.asTypeOf(new RegionKind(params)), inside)
  }
}

/** Widths that follow from the size of a granule. */
object RegionTable {

  /** Width of a granule number of a bank. */
  def granuleBits(params: RegionParams, memory: MemoryPortParams): Int =
    math.max(1, memory.addressBits - log2Ceil(params.granuleBytes))
}
