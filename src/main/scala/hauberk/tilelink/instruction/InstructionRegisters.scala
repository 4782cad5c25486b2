package hauberk.tilelink.instruction

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.instruction._
import hauberk.tilelink.common.WholeRegister

/** Offsets of the registers of instruction decryption, each of 64 bits and accessed whole. What is written to those that are not said to be
  * readable reads as zero.
  */
object InstructionOffset {

  /** Readable. */
  val id = 0x00

  /** Readable: [15:0] pages, [31:16] key slots, [39:32] instruction caches, [47:40] mode: 1 counter, 2 direct. */
  val geometry = 0x08

  /** The registers of the page table control unit, in the order of [[hauberk.instruction.PageRegister]]. */
  val page = 0x10

  /** Readable: [3:0] error of the last mapping, from 8 on: the instruction caches that must be flushed. */
  val status = 0x38

  /** The scratchpad of the key unit: the application's secret and its check value, two words each, the more significant first; then the key's id. */
  val application = 0x40
  val check = 0x50
  val keyId = 0x60

  /** The slot the key is for: asks the key unit for it, unless that is busy. */
  val key = 0x68

  /** Readable: [0] busy, [7:4] error of the last key. */
  val keyStatus = 0x70
  val blockBytes = 0x1000
}

/** What the registers show. */
private[tilelink] class InstructionState(val caches: Int) extends Bundle {
  val mappingError = UInt(EmuError.width.W)
  val keyError = UInt(EmuError.width.W)
  val keyBusy = Bool()
  val stale = UInt(caches.W)
}

/** The control interface unit (section III-E): both control units' registers on the bus. */
private[tilelink] object InstructionRegisters {
  import InstructionOffset._
  import WholeRegister._

  def apply(
      p: EmuParams,
      state: InstructionState,
      mapping: Valid[RegisterWrite],
      request: Valid[KeyRequest]
  ): Seq[RegField.Map] = {
    val geometryValue = BigInt(p.pages) | (BigInt(p.keySlots) << 16) | (BigInt(state.caches) << 32) |
      (BigInt(p.mode.code) << 40)
    val pageWrites = Seq.fill(PageRegister.count)(Wire(Valid(UInt(64.W))))
    mapping.valid := pageWrites.map(_.valid).reduce(_ || _)
    mapping.bits.register := OHToUInt(pageWrites.map(_.valid))
    mapping.bits.data := Mux1H(pageWrites.map(write => write.valid -> write.bits))
    val pageRegisters = pageWrites.zipWithIndex.map { case (written, i) => (page + 8 * i) -> write(written) }

    val scratchpad = RegInit(VecInit(Seq.fill(5)(0.U(64.W))))
    val scratchpadRegisters = scratchpad.zipWithIndex.map { case (word, i) => (application + 8 * i) -> held(word) }
    val asked = Wire(Valid(UInt(64.W)))
    request.valid := asked.valid
    request.bits.application.secret := Cat(scratchpad(0), scratchpad(1))
    request.bits.application.check := Cat(scratchpad(2), scratchpad(3))
    request.bits.keyId := scratchpad(4)
    request.bits.slot := PageMapping.number(asked.bits)
    // What a credential was is gone with the request
    when(asked.valid) { scratchpad.foreach(_ := 0.U) }
    Seq(
      id -> read(BigInt("4861756265726b33", 16).U(64.W)), // "Hauberk3"
      geometry -> read(geometryValue.U(64.W)),
      status -> read(Cat(state.stale, 0.U((8 - EmuError.width).W), state.mappingError)),
      key -> write(asked),
      keyStatus -> read(Cat(state.keyError, 0.U(3.W), state.keyBusy))
    ) ++ pageRegisters ++ scratchpadRegisters
  }
}
