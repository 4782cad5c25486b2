package hauberk.tilelink.protector

import chisel3._
import chisel3.util.random.LFSR
import freechips.rocketchip.diplomacy.{AddressSet, BufferParams, DisableMonitors, IdRange}
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

/** Hostile memory: between the honest answers it sends such as nobody waits for, and answers of the wrong kind. */
class TLUnasked(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val sent = IO(Output(UInt(32.W)))
    private val count = RegInit(0.U(32.W))
    sent := count
    node.in.zip(node.out).foreach { case ((in, edgeIn), (out, edgeOut)) =>
      out.a.valid := in.a.valid
      out.a.bits := in.a.bits
      in.a.ready := out.a.ready
      val waits = RegInit(VecInit(Seq.fill(Bypass.ids)(false.B)))
      val reads = Reg(Vec(Bypass.ids, Bool()))
      when(edgeIn.first(in.a) && in.a.fire()) {
        waits(in.a.bits.source) := true.B
        reads(in.a.bits.source) := in.a.bits.opcode === TLMessages.Get
      }
      when(edgeOut.last(out.d) && out.d.fire()) { waits(out.d.bits.source) := false.B }

      val random = LFSR(64)
      val source = random(1, 0)
      val wrong = WireInit(out.d.bits)
      val offered = in.a.valid && in.a.bits.source === source
      wrong.source := source
      wrong.opcode := Mux(Mux(waits(source), !reads(source), random(2)), TLMessages.AccessAckData, TLMessages.AccessAck)
      wrong.size := random(5, 3)
      wrong.data := random
      val sends = random(7, 6) === 0.U && !offered
      in.d.valid := sends || out.d.valid
      in.d.bits := Mux(sends, wrong, out.d.bits)
      out.d.ready := in.d.ready && !sends
      when(sends && in.d.ready) { count := count + 1.U }
      UncachedPort.tieOff(in, out)
    }
  }
}

/** A client that checks its answers, with more requests at a time than there are identifiers. Before honest memory, Rocket Chip's monitor finds an
  * identifier that is used twice; hostile memory is no case for it.
  */
class BypassBench(hostile: Boolean)(implicit p: Parameters) extends LazyModule {
  private val fuzzer = LazyModule(new TLFuzzer(2000, inFlight = 4 * Bypass.ids))
  private val model = LazyModule(new TLRAMModel)
  private val around = LazyModule(new TLAllAround)
  private val unasked = if (hostile) Some(LazyModule(new TLUnasked)) else None
  private val buffer = TLBuffer(BufferParams(4 * Bypass.ids))
  private val ram = LazyModule(new TLRAM(address = AddressSet(0, 0x3ff), beatBytes = 8))
  around.node := model.node := fuzzer.node
  unasked match {
    case Some(memory) =>
      DisableMonitors { implicit p => memory.node := around.node }
      buffer := memory.node
    case None => buffer := around.node
  }
  ram.node := TLFragmenter(8, 64) := TLDelayer(0.5) := buffer

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    finished := fuzzer.module.io.finished
    for (memory <- unasked)
      when(finished) { assert(memory.module.sent > 1000.U, "memory sent nothing that was not asked for") }
  }
}

// covers: soc.bypass
class BypassSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  private def run(name: String, hostile: Boolean): Unit = {
    val simulator = verilate(name) {
      val bench = LazyModule(new BypassBench(hostile))
      bench.module
    }
    Seq(1, 2).foreach(seed => simulator.run(limit = 1000000, seed = seed))
  }

  "what passes around an engine" should "be answered as memory answers it, and wait for an identifier" in
    run("around", hostile = false)

  it should "get no answer that it did not ask for" in run("unasked", hostile = true)
}
