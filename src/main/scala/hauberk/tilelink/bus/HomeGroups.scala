package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.bus._

/** Ports of [[HomeGroups]]. */
private[tilelink] class HomeGroupsIO(val p: BusParams, val shape: TLBundleParameters) extends Bundle {
  val view = Input(new GroupView(p))

  /** What comes from the tile, and the groups of these messages; what it is sent. */
  val a = Flipped(Valid(new TLBundleA(shape)))
  val c = Flipped(Valid(new TLBundleC(shape)))
  val groupOfA, groupOfC = Input(UInt(p.gidBits.W))
  val b = Input(new TLBundleB(shape))
  val d = Input(new TLBundleD(shape))

  /** A request is taken; the last beat of an answer leaves. */
  val begins, ends = Input(Bool())

  val ofB, ofD = Output(UInt(p.gidBits.W))

  /** Data come in another group than that of their page, on channel A or C. */
  val astrayA, astrayC = Output(Bool())

  /** The source of the message on channel A waits for an answer. */
  val inFlight = Output(Bool())

  def seeHome(out: TLBundle, edge: TLEdge, coherent: Boolean): Unit = {
    b := (if (coherent) out.b.bits else 0.U.asTypeOf(b))
    d := out.d.bits
    ends := out.d.valid && out.d.ready && edge.last(out.d)
  }
  def seeMessages(requests: TLDeserializer[TLBundleA], left: Option[TLDeserializer[TLBundleC]]): Unit = {
    a.valid := requests.io.message.valid
    a.bits := requests.io.beats.bits
    groupOfA := requests.io.message.bits.group
    requests.io.astray := astrayA
    requests.io.inFlight := inFlight
    begins := requests.io.begins
    c := 0.U.asTypeOf(c)
    groupOfC := 0.U
    for (left <- left) {
      c.valid := left.io.message.valid
      c.bits := left.io.beats.bits
      groupOfC := left.io.message.bits.group
      left.io.astray := astrayC
    }
  }
}

/** The groups of the messages of a tile's edge, at the home node.
  *
  * A probe is of the group of its page, and an answer of that of the page that the tile asked for, whatever group the request was in: a request
  * that somebody forged in another group brings that group nothing. Data that come must be of the group of their page, for the same reason. And a
  * source has one request in flight: a second one, forged, would have the answer to the first leave in the group of its own page. Adds no cycle.
  */
private[tilelink] class HomeGroups(p: BusParams, edge: TLEdgeIn) extends Module {
  val io = IO(new HomeGroupsIO(p, edge.bundle))
  private val pages = new PageGroups(io.view.ranges)
  io.ofB := io.view.carry(pages.of(io.b.address), edge.hasData(io.b))

  /** Groups by the source of what came; its answer may leave in the cycle in which it comes. */
  private def record(valid: Bool, source: UInt, page: UInt): UInt = {
    val groups = Reg(Vec(1 << source.getWidth, UInt(p.gidBits.W)))
    when(valid) { groups(source) := page }
    Mux(valid && source === io.d.source, page, groups(io.d.source))
  }
  private val pageOfA = pages.of(io.a.bits.address)
  private val pageOfC = pages.of(io.c.bits.address)
  private val waits = RegInit(0.U((1 << io.a.bits.source.getWidth).W))
  io.inFlight := waits(io.a.bits.source)
  private val taken = Mux(io.begins, UIntToOH(io.a.bits.source), 0.U)
  private val answered = Mux(io.ends && io.d.opcode =/= TLMessages.ReleaseAck, UIntToOH(io.d.source), 0.U)
  waits := (waits | taken) & ~answered
  private val asked = record(io.a.valid && !io.inFlight, io.a.bits.source, pageOfA)
  private val released = record(io.c.valid && edge.isRequest(io.c.bits), io.c.bits.source, pageOfC)
  io.ofD := io.view.carry(Mux(io.d.opcode === TLMessages.ReleaseAck, released, asked), edge.hasData(io.d))
  io.astrayA := edge.hasData(io.a.bits) && pageOfA =/= io.groupOfA
  io.astrayC := edge.hasData(io.c.bits) && pageOfC =/= io.groupOfC
}
