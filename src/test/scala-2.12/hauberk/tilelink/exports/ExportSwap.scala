package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.TestClient
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A tile that takes a write back which is not accepted, and offers another in its place. Each must have a check of the log of its own. */
class ExportSwap(implicit p: Parameters) extends LazyModule {
  private val client = TestClient("swap", sources = 2)
  private val gates = LazyModule(new TLRequestGates)
  private val gate = LazyModule(new TLDataGate)
  private val xbar = LazyModule(new TLXbar)
  private val watch = LazyModule(new TLWatch)
  private val device = LazyModule(new TLRegister(0x1000))
  private val memory = LazyModule(new TLRAM(AddressSet(ExportBench.memory, 0xfff), beatBytes = 8))
  gate.connect(gates)
  xbar.node := gates.port() := client
  device.node := TLFragmenter(8, 64) := watch.node := xbar.node
  memory.node := TLFragmenter(8, 64) := gate.node := xbar.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val (out, edge) = client.out.head
    private val cycle = RegInit(0.U(16.W))
    cycle := cycle + 1.U
    private val swapAt = 20.U
    private val sent, left = RegInit(0.U(2.W))

    // The first is taken back if it still waits then
    private val second = sent =/= 0.U || cycle >= swapAt
    out.a.valid := cycle >= 2.U && Mux(second, !sent(1), true.B)
    out.a.bits := edge.Put(second.asUInt, ExportBench.register.U, 3.U, cycle)._2
    out.d.ready := true.B
    when(out.a.valid && out.a.ready) { sent := Mux(second, 2.U, 1.U) }

    private val checks = Module(new EngineChecks(50))
    checks.io.ask := gate.module.check
    checks.io.own := false.B
    private val asked = checks.io.asked
    private val state = gate.module.exports
    state.unverified := true.B
    state.forbidden := false.B
    state.checking := checks.io.checking
    when(watch.module.requested) { left := left + 1.U }
    private val secondCame = RegInit(0.U(8.W))
    when(second && cycle >= swapAt && sent === 0.U && secondCame === 0.U) { secondCame := asked }
    assert(!watch.module.requested || asked > left, "a request left without a check of its own")
    assert(!watch.module.requested || secondCame === 0.U || asked > secondCame, "a request left by another's check")
    finished := cycle > 300.U
    assert(!finished || left =/= 0.U, "nothing left")
  }
}
