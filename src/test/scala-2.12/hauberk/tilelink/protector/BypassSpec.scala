package hauberk.tilelink.protector

import chisel3._
import chisel3.util.random.LFSR
import freechips.rocketchip.diplomacy.{AddressSet, BufferParams, DisableMonitors, IdRange}
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common._
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
class BypassSpec extends AnyFlatSpec with CycleTest {

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

  import Opcode._
  private val (first, line) = (8, 6)
  private def asks(opcode: Int, source: Int, size: Int) = Cycle(
    "request.valid" -> 1,
    "request.opcode" -> opcode,
    "request.source" -> source,
    "request.size" -> size,
    "memoryRequest.ready" -> 1
  )
  private def goes(id: Int, cycle: Cycle) =
    cycle.gives("request.ready" -> 1, "memoryRequest.valid" -> 1, "memoryRequest.source" -> (first + id))
  private def waits(cycle: Cycle) = cycle.gives("request.ready" -> 0, "memoryRequest.valid" -> 0)
  private def comes(id: Int, opcode: Int, size: Int, data: Int = 0) = Cycle(
    "memoryResponse.valid" -> 1,
    "memoryResponse.source" -> (first + id),
    "memoryResponse.opcode" -> opcode,
    "memoryResponse.size" -> size,
    "memoryResponse.data" -> data,
    "response.ready" -> 1
  )
  private def answers(source: Int, opcode: Int, size: Int, data: Int = 0)(cycle: Cycle) = cycle.gives(
    "response.valid" -> 1,
    "response.source" -> source,
    "response.opcode" -> opcode,
    "response.size" -> size,
    "response.data" -> data
  )
  private def dropped(cycle: Cycle) = cycle.gives("memoryResponse.ready" -> 1, "response.valid" -> 0)

  // A burst with the last identifier goes on; the next request waits for one
  private val lastIdentifier = (0 until 3).map(i => goes(i, asks(get, i, 3))) ++
    Seq.fill(beats(line))(goes(3, asks(putFull, 3, line))) ++ Seq(waits(asks(get, 4, 3))) ++
    Seq(waits(asks(get, 4, 3).and(answers(1, accessAckData, 3, 7)(comes(1, accessAckData, 3, 7))))) ++
    Seq(goes(1, asks(get, 4, 3)), answers(4, accessAckData, 3, 8)(comes(1, accessAckData, 3, 8)))

  // What memory sends in the cycle of the request is its answer, and leaves a cycle later
  private val early =
    Seq(goes(0, asks(get, 5, 3)).and(comes(0, accessAckData, 3, 9)).gives("response.valid" -> 0)) ++
      Seq(answers(5, accessAckData, 3, 9)(Cycle("response.ready" -> 1)), dropped(comes(0, accessAckData, 3, 9)))

  // Of two answers that memory mixes, one remains; the other has all of its beats yet to come. Neither has another size, kind or length
  private val mixed = {
    def beat(id: Int, i: Int) = comes(id, accessAckData, size = 3, data = 16 * id + i)
    def taken(id: Int, i: Int) = answers(5 + id, accessAckData, line, 16 * id + i)(beat(id, i))
    Seq(goes(0, asks(get, 5, line)), goes(1, asks(get, 6, line))) ++
      (0 until beats(line)).flatMap(i =>
        if (i == 0) Seq(dropped(comes(0, accessAck, line)), taken(0, 0)) else Seq(dropped(beat(1, i)), taken(0, i))
      ) ++ Seq(dropped(beat(0, 0))) ++ (0 until beats(line)).map(taken(1, _)) ++ Seq(dropped(beat(1, 0)))
  }
  private val cycles = Seq(lastIdentifier, early, mixed)
  private lazy val bypass = play("bypass", cycles, IdleEdge.master("master", 0, 16))((in, out) =>
    Module(new Bypass(in, out, first)).io
  )

  it should "go on as a burst with the last identifier" in bypass.run(limit = 200, select = 0)
  it should "wait a cycle for an answer in the cycle of its request" in bypass.run(limit = 200, select = 1)
  it should "get one answer of its size and kind, whose beats nothing comes between" in bypass.run(
    limit = 200,
    select = 2
  )
}
