package hauberk.tilelink.exports

import freechips.rocketchip.diplomacy.{AddressSet, RefusedDesign, RegionType, TransferSizes}
import freechips.rocketchip.subsystem.RocketTilesKey
import freechips.rocketchip.tilelink.{TLFragmenter, TLIdentityNode, TLManagerParameters, TLRAM, TLWidthWidget}
import hauberk.config.BonsaiTreeRocketConfig
import hauberk.soc.{LoneSystem, RocketSystem}
import hauberk.tilelink.common.{Access, TLScript, VerilatedTest}
import org.chipsalliance.cde.config.{Config, Parameters}
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

// covers: soc.export-gates
class ExportGateSpec extends AnyFlatSpec with VerilatedTest {
  import ExportBench._
  implicit private val p: Parameters = Parameters.empty
  private def read = Access.read(register, 0, mask = 0)
  private val inside = Seq(
    Access.write(memory, 1),
    Access.read(memory, 1),
    Access.read(scratchpad, 0, mask = 0),
    Access.write(ofTiles, 5),
    Access.read(ofTiles, 5)
  )
  private val dmaMemory = memory + 0x800
  private val scenarios = Seq(
    // Something is unverified for a while
    Scenario(
      unverified = Some(300),
      tile = (read +: inside) ++ Seq(Access.write(register, 0x1234), Access.read(register, 0x1234)) ++
        Seq(Access.write(outside, 3), Access.read(outside, 3), Access.write(scratchpad, 2), Access.read(scratchpad, 2)),
      dma = Seq(Access.write(dmaMemory, 4), Access.read(dmaMemory, 4), Access.read(dmaMemory, 4))
    ),
    // The first that leaves is a read outside the chip: its address is
    Scenario(unverified = Some(300), tile = Seq(read, Access.read(outside, 0, mask = 0))),
    Scenario(
      unverified = None,
      tile = (read +: inside) ++ Seq(
        Access.deniedWrite(register),
        read,
        Access.deniedWrite(register + 8),
        Access.deniedRead(outside),
        Access.deniedWrite(outside),
        Access.deniedWrite(scratchpad)
      ) ++ inside,
      dma = Seq(Access.write(dmaMemory, 4), Access.deniedRead(dmaMemory), Access.deniedRead(dmaMemory)),
      reader = Seq.fill(4)(Access.read(dmaMemory, 0, mask = 0)),
      forbidden = true
    ),
    // The first that leaves is a read of a register that may be seen outside
    Scenario(unverified = Some(300), tile = Seq(read, Access.read(shown, 0, mask = 0))),
    // For ever: what stays on the chip goes on
    Scenario(
      unverified = None,
      tile = read +: (inside ++ inside),
      dma = Seq(Access.read(dmaMemory, 0, mask = 0)),
      reader = Seq.fill(4)(Access.read(dmaMemory, 0, mask = 0)),
      stuck = true
    )
  )
  private val checkedScenarios = scenarios.take(3) :+ Scenario(
    unverified = None,
    tile = (read +: inside) ++ Seq(Access.write(register, 1), Access.write(register, 2), Access.read(register, 2)) ++
      Seq(Access.write(outside, 3), Access.read(outside, 3), Access.write(scratchpad, 2), Access.read(scratchpad, 2)),
    dma = Seq(Access.write(dmaMemory, 4), Access.read(dmaMemory, 4), Access.read(dmaMemory, 4))
  )
  // A check that ends before anything waits, and one that began before
  private val exporting = Seq.fill(12)(inside).flatten ++ Seq(Access.write(register, 1), Access.write(scratchpad, 2))
  private val checkScenarios = Seq(5, 80, 100, 120, 140, 160, 180, 200).map(cycle =>
    Scenario(unverified = None, tile = read +: exporting, ownCheck = Some(cycle))
  )
  private def bench(name: String, checkCycles: Int, scenarios: Seq[Scenario]) = verilate(name) {
    val bench = LazyModule(new ExportBench(checkCycles, scenarios))
    bench.module
  }
  private lazy val plain = bench("export-gate", 3000, scenarios)
  private lazy val checked = bench("export-gate-checks", 50, checkedScenarios ++ checkScenarios)

  /** Why a design is refused. */
  private def refusal(module: => chisel3.RawModule): String =
    RefusedDesign.why(chisel3.Driver.elaborate(() => module))
  private def fuzz(name: String, gated: Boolean) = verilate(name) {
    val fuzz = LazyModule(new ExportFuzz(gated))
    fuzz.module
  }

  "export gates" should "hold what leaves the chip while something is unverified, and nothing else" in
    plain.run(limit = 2000, select = 0)
  they should "hold a read outside the chip, too, and of a register that does something there" in {
    plain.run(limit = 2000, select = 1)
    plain.run(limit = 2000, select = 3)
  }
  they should "deny what leaves the chip for good when exports are forbidden, and give out no data" in {
    plain.run(limit = 4000, select = 2)
    checked.run(limit = 4000, select = 2)
  }
  they should "let tiles, and who reads for them, use memory while other masters wait for it" in plain.run(
    limit = 4000,
    select = 4
  )
  they should "ask for a check for all that waits, and hold it back until then" in
    checked.run(limit = 4000, select = 3)
  they should "count no check that began before something waits" in
    checkScenarios.indices.foreach(i => checked.run(limit = 4000, select = checkedScenarios.size + i))
  they should "let no request leave by the check of another that it took the place of" in
    verilate("export-swap") {
      val swap = LazyModule(new ExportSwap)
      swap.module
    }.run(limit = 1000, select = 0)
  they should "give out nothing more of an answer once exports are forbidden, and deny the next" in
    verilate("export-cut") {
      val cut = LazyModule(new ExportCut)
      cut.module
    }.run(limit = 1000, select = 0)
  they should "change nothing of the random accesses of a tile" in fuzz("export-fuzz-tile", gated = true).run(limit =
    400000
  )
  they should "give other masters nothing that is not verified, and all in the end" in {
    val ungated = fuzz("export-fuzz", gated = false)
    (1 to 10).foreach(seed => ungated.run(limit = 400000, seed))
  }
  they should "refuse memory that tiles cache past the coherence manager" in {
    val cached = TLManagerParameters(
      Seq(AddressSet(memory, 0xfff)),
      regionType = RegionType.TRACKED,
      supportsAcquireB = TransferSizes(64),
      supportsGet = TransferSizes(1, 64)
    )
    val refused = intercept[IllegalArgumentException](new Destinations(Seq(cached)))
    assert(refused.getMessage.contains("is cached, but not behind the coherence manager"))
  }
  they should "refuse accelerators that get operands past the gates" in {
    val refused = refusal {
      val system = LazyModule(new LazyModule {
        private val accelerator = LazyModule(new rerocc.Accelerator)
        private val gate = LazyModule(new TLDataGate)
        private val scratchpad = LazyModule(new TLRAM(AddressSet(memory, 0xfff), beatBytes = 8))
        scratchpad.node := TLFragmenter(8, 64) := gate.node := accelerator.node
        lazy val module = new LazyModuleImp(this)
      })
      system.module
    }
    assert(refused.contains("leave out WithReRoCC"), refused)
  }
  they should "refuse a master that reads memory on the chip past the coherence manager" in {
    def system(attached: Boolean) = {
      val system = LazyModule(new RocketSystem()(LoneSystem(new BonsaiTreeRocketConfig)) {
        private val memory = LazyModule(new TLRAM(AddressSet(0x60000000, 0xfff), beatBytes = mbus.beatBytes))
        // The two identity nodes are equal, as all nodes of a kind with the same parameters are
        mbus.coupleTo("memory") {
          memory.node := TLFragmenter(mbus.beatBytes, mbus.blockBytes) := TLIdentityNode() := _
        }
        if (attached) {
          val master = LazyModule(new TLScript(Seq(read)))
          mbus.coupleFrom("master") { _ := TLIdentityNode() := TLWidthWidget(8) := master.node }
        }
      })
      system.module
    }
    chisel3.Driver.elaborate(() => system(attached = false))
    val refused = refusal(system(attached = true))
    assert(refused.contains("master is a master past the coherence manager"), refused)
  }
  they should "refuse memory in a tile" in {
    val scratchpads = new Config((_, _, up) => {
      case RocketTilesKey =>
        up(RocketTilesKey).map { tile =>
          val data = tile.dcache.map(_.copy(nSets = 64, nWays = 1, scratch = Some(BigInt(0x70000000))))
          tile.copy(core = tile.core.copy(useVM = false, haveCFlush = false), dcache = data)
        }
    })
    val config = LoneSystem(scratchpads ++ new BonsaiTreeRocketConfig)
    val refused = refusal {
      val system = LazyModule(new RocketSystem()(config))
      system.module
    }
    assert(refused.contains("is in a tile, where other masters could read"), refused)
  }
}
