package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.contexts._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Clears pages for the microcode (AEGIS section 3.1, what a program leaves behind): a master that writes zeros, whoever owns the pages, and coherently. Its
  * registers are those of [[ClearerMap]].
  *
  * @param memory    what it may clear
  * @param address   of the control registers
  * @param beatBytes width in bytes of the bus of the control registers
  */
class TLPageClearer(memory: OwnedMemory, address: BigInt, beatBytes: Int)(implicit p: Parameters)
    extends MicrocodeMaster("page-clearer", PageClearer.slots, address, beatBytes) {
  lazy val module = new Impl

  /** The clearer between its registers and memory. */
  class Impl extends LazyModuleImp(this) {
    private val (out, edge) = port
    private val lgLine = log2Ceil(RangeHasher.lineBytes)
    private val clearer = Module(new PageClearer(edge.bundle.addressBits - ContextParams.pageBits))
    private val beat = clearer.io.beat
    out.a.valid := beat.valid
    out.a.bits := edge.Put(beat.bits.slot, Cat(beat.bits.line, 0.U(lgLine.W)), lgLine.U, 0.U)._2
    beat.ready := out.a.ready
    clearer.io.written.valid := out.d.valid
    clearer.io.written.bits.slot := out.d.bits.source
    clearer.io.written.bits.failed := out.d.bits.denied

    private val pages = Wire(Valid(UInt(64.W)))
    private val refused = RegInit(false.B)
    private val page = ClearerMap.number.of(pages.bits)
    private val exists =
      memory.usable(edge.manager).map(_.contains(Cat(page, 0.U(ContextParams.pageBits.W)))).foldLeft(false.B)(_ || _) &&
        pages.bits(ContextParams.pageBits - 1, 1) === 0.U
    clearer.io.page.valid := pages.valid && exists
    clearer.io.page.bits.page := page
    clearer.io.page.bits.slowly := ClearerMap.slowly.of(pages.bits).asBool
    when(pages.valid) { refused := !(exists && clearer.io.page.ready) }

    private val map = ClearerMap
    controlNode.regmap(
      map.id.readConstant,
      map.status.read(Cat(clearer.io.cleared, 0.U((map.cleared.low - 2).W), refused, !clearer.io.page.ready)),
      map.page.write(pages)
    )
  }
}
