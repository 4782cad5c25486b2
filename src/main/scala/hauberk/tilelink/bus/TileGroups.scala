package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.bus._

/** What both ends of an edge know of groups: the table of pages' groups, and the groups that are agreed between the tile and the home node. */
private[tilelink] class GroupView(val p: BusParams) extends Bundle {
  val ranges = Vec(p.secure.pageRanges, new PageRange(p))
  val agreed = UInt(p.secure.groups.W)

  /** The group of a message about a page of `group`. The home node probes all tiles, and a tile that is outside the group answers: such messages
    * are of group 0, for they carry no data. One that does carry data waits until its tile is in the group.
    */
  def carry(group: UInt, hasData: Bool): UInt = Mux(hasData || (agreed >> group)(0), group, 0.U)
}

/** Ports of [[TileGroups]]. */
private[tilelink] class TileGroupsIO(val p: BusParams, val shape: TLBundleParameters) extends Bundle {
  val view = Input(new GroupView(p))

  /** What the tile sends and is asked, and what comes for it, with the group of that message. */
  val a = Flipped(Valid(new TLBundleA(shape)))
  val b = Input(new TLBundleB(shape))
  val c = Input(new TLBundleC(shape))
  val d = Flipped(Valid(new TLBundleD(shape)))
  val e = Input(new TLBundleE(shape))
  val groupOfD = Input(UInt(p.gidBits.W))

  /** The groups of its messages, and of the page that it is asked for. */
  val ofA, ofB, ofC, ofE = Output(UInt(p.gidBits.W))

  /** Data come in another group than that of their page. */
  val astray = Output(Bool())

  def seeTile(in: TLBundle, requests: DecoupledIO[TLBundleA], coherent: Boolean): Unit = {
    a.valid := requests.valid
    a.bits := requests.bits
    b := (if (coherent) in.b.bits else 0.U.asTypeOf(b))
    c := (if (coherent) in.c.bits else 0.U.asTypeOf(c))
    e := (if (coherent) in.e.bits else 0.U.asTypeOf(e))
  }
  def seeAnswers(answers: TLDeserializer[TLBundleD]): Unit = {
    d.valid := answers.io.message.valid
    d.bits := answers.io.beats.bits
    groupOfD := answers.io.message.bits.group
    answers.io.astray := astray
  }
}

/** The groups of the messages of a tile's edge, at the tile.
  *
  * A request, a release or the answer to a probe is of the group of its page; a GrantAck is of that of the grant. Data that come must be of
  * the group of the page that was asked for: else whoever forges commands, which nothing authenticates, brings data of one page to another, and
  * in time to another group. Adds no cycle.
  */
private[tilelink] class TileGroups(p: BusParams, edge: TLEdgeIn) extends Module {
  val io = IO(new TileGroupsIO(p, edge.bundle))
  private val pages = new PageGroups(io.view.ranges)
  io.ofA := pages.of(io.a.bits.address)
  io.ofB := pages.of(io.b.address)
  io.ofC := io.view.carry(pages.of(io.c.address), edge.hasData(io.c))

  private val asked = Reg(Vec(1 << io.a.bits.source.getWidth, UInt(p.gidBits.W)))
  when(io.a.valid) { asked(io.a.bits.source) := io.ofA }
  io.astray := edge.hasData(io.d.bits) && asked(io.d.bits.source) =/= io.groupOfD

  // A cache may acknowledge a grant in the cycle of its first beat
  private val granted = Reg(Vec(1 << io.e.sink.getWidth, UInt(p.gidBits.W)))
  private val grants = io.d.valid && edge.isRequest(io.d.bits)
  when(grants) { granted(io.d.bits.sink) := io.groupOfD }
  io.ofE := Mux(grants && io.d.bits.sink === io.e.sink, io.groupOfD, granted(io.e.sink))
}
