package hauberk.tilelink

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.instruction._

/** Offsets of the registers of instruction decryption, each of 64 bits and accessed whole. What is written to those that are not said to be
  * readable reads as zero.
  */
object InstructionOffset {

  /** Readable. */
  val id = 0x00

  /** Readable: [15:0] pages, [31:16] key slots, [39:32] instruction caches. */
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

  def apply(
      p: EmuParams,
      state: InstructionState,
      mapping: Valid[RegisterWrite],
      request: Valid[KeyRequest]
  ): Seq[RegField.Map] = {
    val geometryValue = BigInt(p.pages) | (BigInt(p.keySlots) << 16) | (BigInt(state.caches) << 32)
    mapping.valid := false.B
    mapping.bits := 0.U.asTypeOf(mapping.bits)
    val pageRegisters = (0 until PageRegister.count).map { number =>
      (page + 8 * number) -> write { (valid, data) =>
        when(valid) {
          mapping.valid := true.B
          mapping.bits.register := number.U
          mapping.bits.data := data
        }
      }
    }
    val scratchpad = RegInit(VecInit(Seq.fill(5)(0.U(64.W))))
    request.bits.application.secret := Cat(scratchpad(0), scratchpad(1))
    request.bits.application.check := Cat(scratchpad(2), scratchpad(3))
    request.bits.keyId := scratchpad(4)
    request.valid := false.B
    request.bits.slot := 0.U
    val scratchpadRegisters = scratchpad.zipWithIndex.map { case (word, i) =>
      (application + 8 * i) -> Seq(RegField.w(64, RegWriteFn(word)))
    }
    val most = (BigInt(1) << PageMapping.numberBits) - 1
    Seq(
      id -> read(BigInt("4861756265726b33", 16).U(64.W)), // "Hauberk3"
      geometry -> read(geometryValue.U(64.W)),
      status -> read(Cat(state.stale, 0.U((8 - EmuError.width).W), state.mappingError)),
      // What a credential was is gone with the request
      key -> write { (valid, data) =>
        when(valid) { scratchpad.foreach(_ := 0.U) }
        request.valid := valid
        request.bits.slot := Mux((data >> PageMapping.numberBits).orR, most.U, data)
      },
      keyStatus -> read(Cat(state.keyError, 0.U(3.W), state.keyBusy))
    ) ++ pageRegisters ++ scratchpadRegisters
  }

  private def read(value: UInt): Seq[RegField] = Seq(RegField.r(64, value + 0.U(64.W)))
  private def write(take: (Bool, UInt) => Unit): Seq[RegField] = Seq(RegField.w(
    64,
    RegWriteFn { (valid, data) =>
      take(valid, data)
      true.B
    }
  ))
}
