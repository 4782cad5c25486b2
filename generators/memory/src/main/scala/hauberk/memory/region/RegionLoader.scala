package hauberk.memory.region

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPortParams
import hauberk.memory.common.RegionParams

/** A region's entry in a [[RegionTable]]: granules `first` to `last` of the bank, both included; none if `last` is below `first`.
  *
  * @param plain   left in plaintext
  * @param context whose memory it is
  */
case class BankRegion(first: BigInt, last: BigInt, plain: Boolean, context: Int)

/** The region without a granule. */
object BankRegion {

  /** No granule at all, for a region that is wholly in other banks. */
  val none: BankRegion = BankRegion(first = 1, last = 0, plain = false, context = 0)
}

/** Writes the regions that an SoC was built with into an engine's table, one a cycle from reset on. Regions are thus a matter of
  * construction: nothing else is connected to the table, and no software can add to it.
  *
  * @param regions one for each entry of the table; of those that overlap, the first counts
  */
class RegionLoader(params: RegionParams, memory: MemoryPortParams, regions: Seq[BankRegion]) extends Module {
  private val granuleBits = RegionTable.granuleBits(params, memory)
  require(
    regions.size == params.entries && params.entries > 0,
    s"${regions.size} regions are not what a table of ${params.entries} entries holds: give it one region for each entry"
  )
  for (region <- regions) {
    require(
      region.first >= 0 && region.last >= 0 && (region.first.max(region.last) >> granuleBits) == 0,
      s"granules ${region.first} to ${region.last} are beyond the bank, which has ${BigInt(1) << granuleBits}"
    )
    require(
      region.context >= 0 && region.context < params.contexts,
      s"a region is of context ${region.context}, and there are ${params.contexts} contexts"
    )
  }
  val io = IO(new Bundle {
    val write = Valid(new RegionWrite(RegionLoader.this.params, RegionLoader.this.granuleBits))

    /** The table holds every region, until the next reset. */
    val done = Output(Bool())
  })
  private val index = RegInit(0.U(log2Ceil(regions.size + 1).W))
  io.done := index === regions.size.U
  io.write.valid := !io.done
  io.write.bits := 0.U.asTypeOf(io.write.bits)
  for ((region, i) <- regions.zipWithIndex) {
    when(index === i.U) {
      io.write.bits.index := i.U
      io.write.bits.first := region.first.U
      io.write.bits.last := region.last.U
      io.write.bits.kind.plain := region.plain.B
      io.write.bits.kind.context := region.context.U
    }
  }
  when(!io.done) { index := index + 1.U }
}
