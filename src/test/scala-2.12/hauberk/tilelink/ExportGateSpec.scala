package hauberk.tilelink

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** A gate before some memory that stands for a device, and a script of accesses to it.
  *
  * @param scripts the first while something is pending for `pendingCycles`, the second while exports are forbidden
  */
class ExportGateBench(scripts: Seq[Access]*)(implicit p: Parameters) extends LazyModule {
  private val pendingCycles = 200
  private val script = LazyModule(new TLScript(scripts: _*))
  private val gate = LazyModule(new TLExportGate)
  private val ram = LazyModule(new TLRAM(address = AddressSet(0x1000, 0xff), beatBytes = 8))
  ram.node := gate.node := TLFragmenter(8, 64) := script.node

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

    private val (device, _) = ram.node.in.head
    private val writes = device.a.valid && device.a.bits.opcode =/= TLMessages.Get
    private val reads = device.a.valid && device.a.bits.opcode === TLMessages.Get
    private val readWhilePending = RegInit(false.B)
    when(reads && gate.module.exports.pending) { readWhilePending := true.B }
    assert(!(writes && gate.module.exports.pending), "a write passed that had to wait")
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
