package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.QuietRegisters
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A device of two registers, of which the second is seen outside the chip when it is read. Shows when they are read, and the first written. */
class TLRegister(address: BigInt)(implicit p: Parameters) extends LazyModule with QuietRegisters {
  override def shown: Seq[AddressSet] = Seq(AddressSet(address + 16, 7))
  val node = TLRegisterNode(Seq(AddressSet(address, 0xff)), new SimpleDevice("register", Nil), "reg", beatBytes = 8)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val reads, readsShown, writes = IO(Output(Bool()))
    private val register = RegInit(0.U(64.W))
    reads := false.B
    readsShown := false.B
    writes := false.B
    node.regmap(
      8 -> Seq(
        RegField(
          64,
          RegReadFn((ready: Bool) => {
            reads := ready
            (true.B, register)
          }),
          RegWriteFn((valid: Bool, data: UInt) => {
            writes := valid
            when(valid) { register := data }
            true.B
          })
        )
      ),
      16 -> Seq(RegField.r(
        64,
        RegReadFn((ready: Bool) => {
          readsShown := ready
          (true.B, 0.U)
        })
      ))
    )
  }
}
