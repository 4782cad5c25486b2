package hauberk.tilelink.exports

import chisel3._
import chisel3.util.random.LFSR
import freechips.rocketchip.amba.axi4._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Asserts that no data go on that are not verified since they came. The beats of a source are counted: it may ask again when the first beat of its answer
  * is there.
  *
  * @param sources how many
  */
class TLVerifiedOnly(sources: Int)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val verified = IO(Input(Bool()))

    /** A beat of data for this source came from memory. */
    val came = IO(Input(chisel3.util.Valid(UInt(8.W))))
    private val ((in, edge), (out, _)) = (node.in.head, node.out.head)
    out <> in
    private def counts = RegInit(VecInit(Seq.fill(sources)(0.U(16.W))))
    private val arrived, sure, left = counts
    when(came.valid) { arrived(came.bits) := arrived(came.bits) + 1.U }
    when(verified) { sure := arrived }
    private val carries = in.d.valid && edge.hasData(in.d.bits)
    when(carries && in.d.ready) { left(in.d.bits.source) := left(in.d.bits.source) + 1.U }
    assert(!carries || verified || left(in.d.bits.source) =/= sure(in.d.bits.source), "data left unverified")
  }
}

/** Shows the data that come from memory. */
class TLArrivals(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val came = IO(Output(chisel3.util.Valid(UInt(8.W))))
    private val ((in, edge), (out, _)) = (node.in.head, node.out.head)
    out <> in
    came.valid := in.d.valid && in.d.ready && edge.hasData(in.d.bits)
    came.bits := in.d.bits.source
  }
}

/** Random accesses of all kinds and sizes, whose answers are checked, while data are unverified now and then.
  *
  * @param gated the master is a tile, and uses memory and what is outside; else it reads memory through the data gate
  */
class ExportFuzz(gated: Boolean)(implicit p: Parameters) extends LazyModule {
  private val inFlight = 8
  private val fuzz = LazyModule(new TLFuzzer(if (gated) 1000 else 2000, inFlight))
  private val model = LazyModule(new TLRAMModel("exports"))
  private val gates = LazyModule(new TLRequestGates)
  private val gate = LazyModule(new TLDataGate)
  private val memory = LazyModule(new AXI4RAM(AddressSet(0x8000, 0xfff), beatBytes = 8))
  private val watch = LazyModule(new TLVerifiedOnly(inFlight))
  private val arrivals = LazyModule(new TLArrivals)
  private val xbar = LazyModule(new TLXbar)
  gate.connect(gates)
  model.node := fuzz.node
  private val port = gates.port()
  if (gated) {
    val outside = LazyModule(new AXI4RAM(AddressSet(0x2000, 0xfff), beatBytes = 8))
    xbar.node := port := TLDelayer(0.1) := model.node
    outside.node := AXI4Fragmenter() := AXI4UserYanker() := AXI4Deinterleaver(64) := TLToAXI4() := TLDelayer(
      0.2
    ) := watch.node := xbar.node
  } else xbar.node := TLDelayer(0.3) := watch.node := model.node
  memory.node := AXI4Fragmenter() := AXI4UserYanker() := AXI4Deinterleaver(64) := TLToAXI4() := TLDelayer(
    0.2
  ) := arrivals.node := gate.node := xbar.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    finished := fuzz.module.io.finished
    private val random = LFSR(16)
    private val left = RegInit(0.U(8.W))
    private val unverified = RegInit(false.B)
    left := Mux(left === 0.U, random(5, 0), left - 1.U)
    when(left === 0.U) { unverified := random(15) }
    gate.module.exports.unverified := unverified
    gate.module.exports.checking := false.B
    gate.module.exports.forbidden := false.B
    watch.module.verified := gated.B || !unverified
    watch.module.came := arrivals.module.came
  }
}
