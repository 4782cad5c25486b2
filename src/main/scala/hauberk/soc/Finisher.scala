package hauberk.soc

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources._
import freechips.rocketchip.tilelink.TLRegisterNode
import hauberk.tilelink.common.QuietRegisters
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** The `sifive,test0` device by which software ends the run.
  *
  * A store shows on `finish` for one cycle: 0x5555 means success, `0x3333 | (code << 16)` failure, 0x7777 reset.
  * A 16-bit store is a whole command (OpenSBI uses one), so the word is two fields of 16 bits.
  *
  * @param base      address of the command word; the device takes 4 KiB
  * @param beatBytes width in bytes of the bus it sits on
  */
class Finisher(base: BigInt, beatBytes: Int)(implicit p: Parameters) extends LazyModule with QuietRegisters {
  val device = new SimpleDevice("test", Seq("sifive,test1", "sifive,test0"))
  val node = TLRegisterNode(Seq(AddressSet(base, 0xfff)), device, "reg", beatBytes = beatBytes)

  lazy val module = new Impl

  /** A register of a 16-bit command and a 16-bit code; a command is valid on `finish` for one cycle. */
  class Impl extends LazyModuleImp(this) {
    val finish = IO(Output(Valid(UInt(32.W))))

    private val command, code = Wire(UInt(16.W))
    command := 0.U
    code := 0.U
    finish.valid := false.B
    finish.bits := Cat(code, command)

    node.regmap(
      0 -> Seq(
        RegField.w(
          16,
          RegWriteFn((valid: Bool, data: UInt) => {
            when(valid) {
              finish.valid := true.B
              command := data
            }
            true.B
          })
        ),
        RegField.w(
          16,
          RegWriteFn((valid: Bool, data: UInt) => {
            when(valid) { code := data }
            true.B
          })
        )
      )
    )
  }
}
