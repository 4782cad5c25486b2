package hauberk.instruction

import chisel3._
import chisel3.util._

/** A write of software to a control unit: a 64-bit register, by number. */
class RegisterWrite(val registers: Int) extends Bundle {
  val register = UInt(log2Ceil(registers).max(1).W)
  val data = UInt(64.W)
}

/** Registers of the [[PageTableControl]], by number. */
object PageRegister {
  val page = 0
  val slot = 1
  val ancillaryLow = 2
  val ancillaryHigh = 3
  val index = 4
  val count = 5
}

/** Page table control unit (section III-C): registers for a page, the slot of its key and its ancillary data; a write of the index commits them, at
  * once, to the table units of all processors, or to none of them. The page is a physical address, of which the offset does not count.
  * Written words cannot be read; the result of the last commit can.
  *
  * @param units table units that are written alike
  */
class PageTableControl(val p: EmuParams, units: Int) extends Module {
  val io = IO(new Bundle {
    val write = Flipped(Valid(new RegisterWrite(PageRegister.count)))
    val mapping = Valid(new PageMapping(p))

    /** Of each table unit, in the cycle of the mapping. */
    val errors = Input(Vec(units, UInt(EmuError.width.W)))
    val error = Output(UInt(EmuError.width.W))
  })
  private def register(number: Int): UInt = {
    val held = RegInit(0.U(64.W))
    when(io.write.valid && io.write.bits.register === number.U) { held := io.write.bits.data }
    held
  }
  private val page = register(PageRegister.page)
  private val slot = register(PageRegister.slot)
  private val ancillary = Cat(register(PageRegister.ancillaryHigh), register(PageRegister.ancillaryLow))
  private val commits = io.write.valid && io.write.bits.register === PageRegister.index.U
  private val error = RegInit(EmuError.none.U(EmuError.width.W))
  private val exists = if (p.addressBits == 64) true.B else !(page >> p.addressBits).orR
  private val found = Mux(exists, io.errors.reduce((a, b) => Mux(a =/= EmuError.none.U, a, b)), EmuError.badPage.U)

  io.mapping.valid := commits && exists
  io.mapping.bits.index := PageMapping.number(io.write.bits.data)
  io.mapping.bits.page := page(p.addressBits - 1, EmuParams.pageBits)
  io.mapping.bits.slot := PageMapping.number(slot)
  io.mapping.bits.ancillary := ancillary
  when(commits) { error := found }
  io.error := error
}
