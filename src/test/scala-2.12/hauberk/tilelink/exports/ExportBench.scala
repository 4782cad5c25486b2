package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.amba.axi4._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.{Access, ReadsForTiles, TLScript, TilesOnly}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Shows when requests pass, and which, and data. */
class TLWatch(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val requested, written, data, denied = IO(Output(Bool()))
    private val ((in, edge), (out, _)) = (node.in.head, node.out.head)
    out <> in
    requested := in.a.valid && in.a.ready
    written := requested && in.a.bits.opcode =/= TLMessages.Get
    data := in.d.valid && in.d.ready && edge.hasData(in.d.bits)
    denied := in.d.bits.denied
  }
}

/** Before memory that only tiles reach. */
private class TLOfTiles(implicit p: Parameters) extends LazyModule with TilesOnly {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    node.in.zip(node.out).foreach { case ((in, _), (out, _)) => out <> in }
  }
}

/** What happens in a run.
  *
  * @param unverified cycles for which something is unverified; none for ever
  * @param tile       accesses of a tile, whose requests pass a gate
  * @param dma        accesses of a master without a gate
  * @param reader     accesses of a master that reads for tiles
  * @param stuck      the master's accesses do not end
  * @param ownCheck   cycle in which a check begins that no gate asked for
  */
case class Scenario(
    unverified: Option[Int],
    tile: Seq[Access],
    dma: Seq[Access] = Nil,
    reader: Seq[Access] = Nil,
    forbidden: Boolean = false,
    stuck: Boolean = false,
    ownCheck: Option[Int] = None
)

/** Addresses of an [[ExportBench]]. */
object ExportBench {
  val register = BigInt(0x1008)

  /** A register whose reads are seen outside the chip. */
  val shown = BigInt(0x1010)
  val outside = BigInt(0x2000)
  val scratchpad = BigInt(0x4000)

  /** Memory on the chip that only tiles reach. */
  val ofTiles = BigInt(0x5000)
  val memory = BigInt(0x8000)
}

/** A tile, another master, and one that reads for tiles, before memory, two memories on the chip, a device, and a memory outside the chip, with gates between them.
  *
  * @param checkCycles how long a check takes
  */
class ExportBench(checkCycles: Int, scenarios: Seq[Scenario])(implicit p: Parameters) extends LazyModule {
  private val tile = LazyModule(new TLScript(scenarios.map(_.tile): _*))
  private val dma = LazyModule(new TLScript(scenarios.map(_.dma): _*))
  private val reader = LazyModule(new TLScript(scenarios.map(_.reader): _*) with ReadsForTiles)
  private val gates = LazyModule(new TLRequestGates)
  private val gate = LazyModule(new TLDataGate)
  private val xbar = LazyModule(new TLXbar)
  private val device = LazyModule(new TLRegister(0x1000))
  private val outside = LazyModule(new AXI4RAM(AddressSet(ExportBench.outside, 0xfff), beatBytes = 8))
  private val atOutside = LazyModule(new TLWatch)
  private val atScratchpad = LazyModule(new TLWatch)
  private val atDma = LazyModule(new TLWatch)
  private val scratchpad = LazyModule(new TLRAM(AddressSet(ExportBench.scratchpad, 0xfff), beatBytes = 8))
  private val ofTiles = LazyModule(new TLRAM(AddressSet(ExportBench.ofTiles, 0xfff), beatBytes = 8))
  private val onlyTiles = LazyModule(new TLOfTiles)
  private val memory = LazyModule(new AXI4RAM(AddressSet(ExportBench.memory, 0xfff), beatBytes = 8))
  gate.connect(gates)
  xbar.node := gates.port() := tile.node
  xbar.node := atDma.node := dma.node
  xbar.node := reader.node
  device.node := TLFragmenter(8, 64) := xbar.node
  outside.node := AXI4Fragmenter() := AXI4UserYanker() := AXI4Deinterleaver(
    64
  ) := TLToAXI4() := atOutside.node := xbar.node
  scratchpad.node := atScratchpad.node := TLFragmenter(8, 64) := xbar.node
  ofTiles.node := TLFragmenter(8, 64) := onlyTiles.node := xbar.node
  memory.node := AXI4Fragmenter() := AXI4UserYanker() := AXI4Deinterleaver(64) := TLToAXI4() := gate.node := xbar.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private def chosen[T <: Data](of: Scenario => T): T = VecInit(scenarios.map(of))(select)
    private val cycle = RegInit(0.U(16.W))
    cycle := cycle + 1.U
    private val limit = chosen(_.unverified.fold(BigInt(0xffff))(BigInt(_)).U(16.W))
    private val forbidden = chosen(_.forbidden.B)
    private val state = gate.module.exports
    state.unverified := cycle < limit
    state.forbidden := forbidden
    tile.module.select := select
    dma.module.select := select
    reader.module.select := select
    private val stuck = chosen(_.stuck.B)
    finished := tile.module.finished && reader.module.finished && (dma.module.finished || (stuck && cycle > 1000.U))
    assert(!(stuck && dma.module.finished), "the master without a gate got what is not verified")

    private val checks = Module(new EngineChecks(checkCycles))
    checks.io.ask := gate.module.check
    checks.io.own := chosen(_.ownCheck.fold(false.B)(cycle === _.U))
    state.checking := checks.io.checking
    private val checked = RegInit(false.B)
    when(checks.io.ends) { checked := true.B }
    private val expected = chosen { s =>
      val exports = s.tile.count(a => a.address < ExportBench.ofTiles && a.write.isDefined || isOutside(a)) +
        s.dma.count(a => a.address >= ExportBench.memory && a.write.isEmpty)
      (if (!s.forbidden && s.unverified.isEmpty) exports else 0).U(8.W)
    }
    assert(!finished || limit =/= 0xffff.U || checks.io.asked === expected, "a check too many or too few")
    private def isOutside(access: Access) =
      access.address >= ExportBench.outside && access.address < ExportBench.scratchpad

    private val verified = !ExportState.lately(state.unverified)
    private val mayExport = !forbidden && (checked || verified)
    private val exports =
      device.module.writes || device.module.readsShown || atOutside.module.requested || atScratchpad.module.written
    assert(!exports || mayExport, "something left that had to wait")
    assert(!atDma.module.data || forbidden || mayExport, "data were given out that had to wait")
    assert(!atDma.module.data || atDma.module.denied === forbidden, "a read was wrongly denied or wrongly allowed")
    when(exports || atDma.module.data) { checked := false.B }
    private val readEarly = RegInit(false.B)
    when(device.module.reads && state.unverified) { readEarly := true.B }
    assert(!tile.module.finished || readEarly || limit === 0.U, "a read of a register waited for no reason")
  }
}
