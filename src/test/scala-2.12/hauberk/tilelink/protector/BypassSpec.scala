package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.diplomacy.{AddressSet, BufferParams, IdRange}
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common.{UncachedPort, VerilatedTest}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** Everything passes around, as if there were no engine. */
class TLAllAround(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode(clientFn =
    port =>
      port.v1copy(clients = Seq(TLMasterParameters.v1(name = "around", sourceId = IdRange(0, Bypass.ids))))
  )

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    node.in.zip(node.out).foreach { case ((in, edgeIn), (out, edgeOut)) =>
      val around = Module(new Bypass(edgeIn, edgeOut, 0)).io
      around.request <> in.a
      in.d <> around.response
      out.a <> around.memoryRequest
      around.memoryResponse <> out.d
      UncachedPort.tieOff(in, out)
    }
  }
}

/** More requests at a time than there are identifiers; Rocket Chip's monitor behind them finds one that is used twice. */
class BypassBench(implicit p: Parameters) extends LazyModule {
  private val fuzzer = LazyModule(new TLFuzzer(2000, inFlight = 4 * Bypass.ids))
  private val model = LazyModule(new TLRAMModel)
  private val around = LazyModule(new TLAllAround)
  private val ram = LazyModule(new TLRAM(address = AddressSet(0, 0x3ff), beatBytes = 8))
  ram.node := TLFragmenter(
    8,
    64
  ) := TLDelayer(0.5) := TLBuffer(BufferParams(4 * Bypass.ids)) := around.node := model.node := fuzzer.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    finished := fuzzer.module.io.finished
  }
}

class BypassSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  "what passes around an engine" should "be answered as memory answers it, and wait for an identifier" in {
    val simulator = verilate("around") {
      val bench = LazyModule(new BypassBench)
      bench.module
    }
    Seq(1, 2).foreach(seed => simulator.run(limit = 1000000, seed = seed))
  }
}
