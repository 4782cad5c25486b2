package hauberk.tilelink

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** A device of one register, that shows when it is read and written. */
class TLRegister(address: BigInt)(implicit p: Parameters) extends LazyModule {
  val node = TLRegisterNode(Seq(AddressSet(address, 0xff)), new SimpleDevice("register", Nil), "reg", beatBytes = 8)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val reads, writes = IO(Output(Bool()))
    private val register = RegInit(0.U(64.W))
    reads := false.B
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
      )
    )
  }
}

/** A gate before a device, and a script of accesses to it.
  *
  * @param scripts the first while something is pending for `pendingCycles`, the second while exports are forbidden
  */
class ExportGateBench(scripts: Seq[Access]*)(implicit p: Parameters) extends LazyModule {
  private val pendingCycles = 200
  private val script = LazyModule(new TLScript(scripts: _*))
  private val gate = LazyModule(new TLExportGate)
  private val device = LazyModule(new TLRegister(0x1000))
  device.node := gate.node := TLFragmenter(8, 64) := script.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val cycle = RegInit(0.U(16.W))
    cycle := cycle + 1.U
    private val forbidden = select === 1.U
    gate.module.exports.pending := forbidden || cycle < pendingCycles.U
    gate.module.exports.forbidden := forbidden
    script.module.select := select
    finished := script.module.finished

    private val readWhilePending = RegInit(false.B)
    when(device.module.reads && gate.module.exports.pending) { readWhilePending := true.B }
    assert(!(device.module.writes && gate.module.exports.pending), "a write passed that had to wait")
    assert(!finished || readWhilePending, "a read waited for no reason")
    assert(!finished || forbidden || cycle > pendingCycles.U, "a write was answered before it was allowed")
  }
}

class ExportGateSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  private def read = Access.read(0x1008, 0, mask = 0)
  private val whilePending = Seq(read, Access.write(0x1008, 0x1234), Access.read(0x1008, 0x1234))
  private val whileForbidden = Seq(read, Access.deniedWrite(0x1008), read, Access.deniedWrite(0x1010), read)
  private lazy val simulator = verilate("export-gate") {
    val bench = LazyModule(new ExportGateBench(whilePending, whileForbidden))
    bench.module
  }

  "an export gate" should "hold writes back while something is pending, and let reads pass" in
    simulator.run(limit = 1000, select = 0)
  it should "deny writes for good when exports are forbidden, without the device seeing them" in
    simulator.run(limit = 1000, select = 1)
}
