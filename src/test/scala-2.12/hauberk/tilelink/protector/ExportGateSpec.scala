package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.{Access, TLScript, VerilatedTest}
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

/** A gate before a device, and scripts of accesses to it: while something is unverified for `unverifiedCycles`, while exports are
  * forbidden, and while something is unverified for ever.
  *
  * @param checkCycles how long a check of the log takes; none for a scheme without a log
  */
class ExportGateBench(checkCycles: Option[Int], scripts: Seq[Access]*)(implicit p: Parameters) extends LazyModule {
  private val unverifiedCycles = 200
  private val script = LazyModule(new TLScript(scripts: _*))
  private val gate = LazyModule(new TLExportGate(checkCycles.isDefined))
  private val device = LazyModule(new TLRegister(0x1000))
  device.node := gate.node := TLFragmenter(8, 64) := script.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val cycle = RegInit(0.U(16.W))
    cycle := cycle + 1.U
    private val forbidden = select === 1.U
    private val state = gate.module.exports
    state.unverified := select =/= 0.U || cycle < unverifiedCycles.U
    state.forbidden := forbidden
    script.module.select := select
    finished := script.module.finished

    // As an engine does: a check begins in the next cycle
    private val checkLeft = RegInit(0.U(16.W))
    private val checks = RegInit(0.U(8.W))
    checkLeft := Mux(gate.module.check, checkCycles.getOrElse(0).U, Mux(checkLeft === 0.U, 0.U, checkLeft - 1.U))
    state.checking := checkLeft =/= 0.U
    private val checked = RegInit(false.B)
    when(checkLeft === 1.U) { checked := true.B }
    when(gate.module.check) { checks := checks + 1.U }

    private val writes = device.module.writes
    when(writes) { checked := false.B }
    private val readEarly = RegInit(false.B)
    when(device.module.reads && state.unverified) { readEarly := true.B }
    private val allowed = !state.forbidden && (checked || !state.unverified)
    assert(!writes || allowed, "a write passed that had to wait")
    assert(!finished || readEarly, "a read waited for no reason")
    private val expected = Mux(select === 2.U, 2.U, 0.U)
    if (checkCycles.isDefined) assert(!finished || select === 0.U || checks === expected, "a check too many or too few")
    else assert(checks === 0.U, "a check was asked for, of a log there is not")
    assert(
      !finished || forbidden || checkCycles.isDefined.B || cycle > unverifiedCycles.U,
      "a write was answered early"
    )
  }
}

class ExportGateSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  private def read = Access.read(0x1008, 0, mask = 0)
  private val whileUnverified = Seq(read, Access.write(0x1008, 0x1234), Access.read(0x1008, 0x1234))
  private val whileForbidden = Seq(read, Access.deniedWrite(0x1008), read, Access.deniedWrite(0x1010), read)
  private val forEver = Seq(read, Access.write(0x1008, 1), Access.write(0x1008, 2), Access.read(0x1008, 2))
  private def gate(name: String, checkCycles: Option[Int]) = verilate(name) {
    val bench = LazyModule(new ExportGateBench(checkCycles, whileUnverified, whileForbidden, forEver))
    bench.module
  }
  private lazy val plain = gate("export-gate", None)
  private lazy val logged = gate("export-gate-log", Some(50))

  "an export gate" should "hold writes back while something is unverified, and let reads pass" in
    plain.run(limit = 1000, select = 0)
  it should "deny writes for good when exports are forbidden, without the device seeing them" in
    plain.run(limit = 1000, select = 1)
  it should "ask for a check of the log for every write that waits, and hold it back until then" in
    logged.run(limit = 1000, select = 2)
  it should "ask for no check when exports are forbidden" in logged.run(limit = 1000, select = 1)
}
