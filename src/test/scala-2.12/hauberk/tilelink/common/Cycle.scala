package hauberk.tilelink.common

import chisel3._
import chisel3.experimental.DataMirror
import chisel3.util._
import freechips.rocketchip.diplomacy.{AddressSet, IdRange, TransferSizes}
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** One clock cycle of a module: its inputs, and the outputs it must have. Inputs without a name here are 0; outputs without one are not checked.
  *
  * The name of a port is its path in the module's `io`, without `bits`, such as `response.in.opcode`.
  */
class Cycle private (val in: Map[String, BigInt], val out: Map[String, BigInt]) {

  /** More inputs, and more outputs. */
  def also(more: (String, BigInt)*): Cycle = new Cycle(in ++ more, out)
  def gives(more: (String, BigInt)*): Cycle = new Cycle(in, out ++ more)

  /** Both in one cycle. */
  def and(other: Cycle): Cycle = new Cycle(in ++ other.in, out ++ other.out)
}

object Cycle {
  def apply(in: (String, BigInt)*): Cycle = new Cycle(in.toMap, Map.empty)

  /** Drives a module by one of several scenarios, from the first cycle after reset on, and checks its outputs.
    *
    * @return the scenario is over
    */
  def play(io: Bundle, scenarios: Seq[Seq[Cycle]], select: UInt): Bool = {
    val cycles = scenarios.flatten
    val ends = scenarios.scanLeft(0)(_ + _.size)
    val index = RegInit(0.U(log2Ceil(cycles.size + 1).W))
    def at(table: Seq[Int]): UInt = VecInit(table.map(_.U(index.getWidth.W)))(select)
    val started = RegNext(true.B, false.B)
    val over = started && index === at(ends.tail)
    val runs = started && !over
    index := Mux(started, index + runs, at(ends.init))

    val (inputs, outputs) =
      leaves("", io).partition { case (_, port) => DataMirror.directionOf(port) == ActualDirection.Input }
    def known(names: Iterable[String], ports: Seq[(String, Data)]): Unit = {
      val wrong = names.toSet -- ports.map(_._1)
      require(wrong.isEmpty, s"${wrong.mkString(", ")} is none of ${ports.map(_._1).mkString(", ")}")
    }
    known(cycles.flatMap(_.in.keys), inputs)
    known(cycles.flatMap(_.out.keys), outputs)
    def column(width: Int, of: Cycle => BigInt) = VecInit(cycles.map(of(_).U(width.W)))(index)
    for ((name, port) <- inputs)
      port := Mux(runs, column(port.getWidth, _.in.getOrElse(name, 0)), 0.U).asTypeOf(port)
    for ((name, port) <- outputs if cycles.exists(_.out.contains(name))) {
      val checked = VecInit(cycles.map(_.out.contains(name).B))(index)
      val right = port.asUInt === column(port.getWidth, _.out.getOrElse(name, 0))
      assert(!(runs && checked) || right, s"$name is wrong")
    }
    over
  }

  private def leaves(name: String, data: Data): Seq[(String, Data)] = data match {
    case bundle: Record =>
      bundle.elements.toSeq.flatMap { case (part, field) =>
        leaves(if (part == "bits") name else if (name.isEmpty) part else s"$name.$part", field)
      }
    case vec: Vec[_] => vec.toSeq.zipWithIndex.flatMap { case (field, i) => leaves(s"$name.$i", field) }
    case port => if (port.getWidth == 0) Nil else Seq(name -> port)
  }
}

/** An edge that nothing uses, before memory with a coherence manager: parameters for modules that are tested alone.
  *
  * @param clients the masters of the edge
  */
class IdleEdge(clients: TLClientParameters*)(implicit p: Parameters) extends LazyModule {
  private val client = TLClientNode(Seq(TLClientPortParameters(clients)))
  private val node = TLIdentityNode()
  private val ram = LazyModule(new TLRAM(AddressSet(0, 0xffff), beatBytes = 8))
  ram.node := TLFragmenter(8, 64) := TLBroadcast(64, 3) := node := client

  def in: TLEdgeIn = node.edges.in.head
  def out: TLEdgeOut = node.edges.out.head

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    private val (bus, _) = client.out.head
    for (channel <- Seq(bus.a, bus.c, bus.e)) {
      channel.valid := false.B
      channel.bits := 0.U.asTypeOf(channel.bits)
    }
    bus.b.ready := true.B
    bus.d.ready := true.B
  }
}

/** Masters by their identifiers. */
object IdleEdge {
  def master(name: String, first: Int, end: Int): TLClientParameters =
    TLClientParameters(name, sourceId = IdRange(first, end))
  def cache(name: String, first: Int, end: Int): TLClientParameters =
    TLClientParameters(name, sourceId = IdRange(first, end), supportsProbe = TransferSizes(64, 64))
}

/** Plays scenarios to a module between or beside edges.
  *
  * @param unit gets the idle edge and makes the module, and gives its `io`
  */
private class CycleBench(
    clients: Seq[TLClientParameters],
    scenarios: Seq[Seq[Cycle]]
)(unit: (TLEdgeIn, TLEdgeOut) => Bundle)(
    implicit p: Parameters
) extends LazyModule {
  private val edge = LazyModule(new IdleEdge(clients: _*))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    finished := Cycle.play(unit(edge.in, edge.out), scenarios, select)
  }
}

/** Tests of modules alone, cycle by cycle. */
trait CycleTest extends VerilatedTest {
  implicit protected val p: Parameters = Parameters.empty

  /** A simulator that plays the scenarios, chosen by `select`, to a module.
    *
    * @param clients masters of the idle edge that the module gets
    * @param unit    makes the module, and gives its `io`
    */
  def play(name: String, scenarios: Seq[Seq[Cycle]], clients: TLClientParameters*)(
      unit: (TLEdgeIn, TLEdgeOut) => Bundle
  ): Simulator = verilate(name) {
    val bench = LazyModule(new CycleBench(clients, scenarios)(unit))
    bench.module
  }
}
