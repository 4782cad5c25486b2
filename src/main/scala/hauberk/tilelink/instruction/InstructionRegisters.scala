package hauberk.tilelink.instruction

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.instruction._

/** State that the registers show. */
private[tilelink] class InstructionState(val caches: Int) extends Bundle {
  val mappingError = UInt(EmuError.width.W)
  val keyError = UInt(EmuError.width.W)
  val keyBusy = Bool()
  val stale = UInt(caches.W)
}

/** The control interface unit (section III-E): both control units' registers on the bus, laid out by [[InstructionMap]]. */
private[tilelink] object InstructionRegisters {
  import InstructionMap._

  def apply(
      p: EmuParams,
      state: InstructionState,
      mapping: Valid[RegisterWrite],
      request: Valid[KeyRequest]
  ): Seq[RegField.Map] = {
    val pageWrites = Seq.fill(PageRegister.count)(Wire(Valid(UInt(64.W))))
    mapping.valid := pageWrites.map(_.valid).reduce(_ || _)
    mapping.bits.register := OHToUInt(pageWrites.map(_.valid))
    mapping.bits.data := Mux1H(pageWrites.map(write => write.valid -> write.bits))
    val pageRegisters = pageTable.zip(pageWrites).map { case (register, written) => register.write(written) }

    val words = RegInit(VecInit(Seq.fill(scratchpad.size)(0.U(64.W))))
    val scratchpadRegisters = scratchpad.zip(words).map { case (register, word) => register.held(word) }
    val asked = Wire(Valid(UInt(64.W)))
    request.valid := asked.valid
    request.bits.application.secret := Cat(words(0), words(1))
    request.bits.application.check := Cat(words(2), words(3))
    request.bits.keyId := words(4)
    request.bits.slot := PageMapping.number(asked.bits)
    // The credential's words do not outlive the request
    when(asked.valid) { words.foreach(_ := 0.U) }
    Seq(
      id.readConstant,
      geometry.readFields(pages -> p.pages, keySlots -> p.keySlots, caches -> state.caches, mode -> p.mode.code),
      status.read(Cat(state.stale, 0.U((stale.low - EmuError.width).W), state.mappingError)),
      key.write(asked),
      keyStatus.read(Cat(state.keyError, 0.U((keyError.low - keyBusy.width).W), state.keyBusy))
    ) ++ pageRegisters ++ scratchpadRegisters
  }
}
