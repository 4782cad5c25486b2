package hauberk.tilelink.bus

import chisel3._
import freechips.rocketchip.tilelink._
import hauberk.bus._
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** [[HomeGroups]] that see the answers of an edge. */
private class HomeGroupsPorts(p: BusParams, edge: TLEdgeIn) extends Module {
  val io = IO(new Bundle {
    val begins, valid, ready = Input(Bool())
    val source = Input(UInt(edge.bundle.sourceBits.W))
    val d = Input(new TLBundleD(edge.bundle))
    val inFlight = Output(Bool())
  })
  private val groups = Module(new HomeGroups(p, edge))
  groups.io := DontCare
  private val out = WireInit(0.U.asTypeOf(new TLBundle(edge.bundle)))
  out.d.valid := io.valid
  out.d.ready := io.ready
  out.d.bits := io.d
  groups.io.seeHome(out, edge, coherent = true)
  groups.io.begins := io.begins
  groups.io.a.bits.source := io.source
  io.inFlight := groups.io.inFlight
}

/** Both ends' groups alone: messages of every kind, about every page, that come in every group, with every set of agreed groups. Page n is of group n. */
// covers: soc.bus-groups
class GroupDataSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val shape = BusParams(3, 64, security = Some(BusSecurityParams(groups = 3)))
  private val groups = 0 until 3
  private val source = 2
  private def address(page: Int) = (page << PageRange.lgPage) + 0x40
  private def flag(is: Boolean): BigInt = if (is) 1 else 0
  private def view(agreed: Int) = Cycle(
    "view.agreed" -> agreed,
    "view.ranges.0.group" -> 1,
    "view.ranges.0.size" -> PageRange.lgPage,
    "view.ranges.0.page" -> 1,
    "view.ranges.1.group" -> 2,
    "view.ranges.1.size" -> PageRange.lgPage,
    "view.ranges.1.page" -> 2
  )

  /** The group of a message about a page: data are never of another. */
  private def group(page: Int, agreed: Int, hasData: Boolean): Int =
    if (hasData || (agreed >> page) % 2 == 1) page else 0

  private val cases = for {
    agreed <- 0 until 8
    page <- groups
    came <- groups
  } yield (agreed, page, came)
  private val answers = Seq(accessAck -> false, accessAckData -> true, grant -> false, grantData -> true)
  private def other(page: Int) = (page + 1) % groups.size

  // A request and its answer in one cycle; a request of another source, and an answer to an earlier one
  private val home = for {
    (agreed, page, came) <- cases
    i <- 0 until 4
    (request, writes) = Seq(putFull -> true, putPartial -> true, get -> false, acquireBlock -> false)(i)
    (released, leaves) = Seq(probeAck -> false, probeAckData -> true, release -> false, releaseData -> true)(i)
    (answer, hasData) = answers(i)
    d = Seq[(String, BigInt)]("d.opcode" -> answer, "d.source" -> source)
    of = "ofD" -> BigInt(group(page, agreed, hasData))
    cycle <- Seq(
      view(agreed).also(
        "a.valid" -> 1,
        "a.opcode" -> request,
        "a.source" -> source,
        "a.address" -> address(page),
        "groupOfA" -> came,
        "c.valid" -> 1,
        "c.opcode" -> released,
        "c.source" -> source,
        "c.address" -> address(page),
        "groupOfC" -> came,
        "b.opcode" -> 6,
        "b.address" -> address(page)
      ).also(d: _*).gives(
        of,
        "ofB" -> group(page, agreed, hasData = false),
        "astrayA" -> flag(writes && page != came),
        "astrayC" -> flag(leaves && page != came)
      ),
      view(agreed).also("a.valid" -> 1, "a.source" -> (source + 1), "a.address" -> address(other(page)))
        .also(d: _*).gives(of),
      view(agreed).also("a.source" -> source, "a.address" -> address(other(page))).also(d: _*).gives(of)
    )
  } yield cycle

  // A source asks for one page and releases another: each answer is of its own
  private val released = for {
    page <- groups
    of = (opcode: Int) => "ofD" -> BigInt(if (opcode == releaseAck) page else other(page))
    c = (opcode: Int, source: Int, at: Int) =>
      view(7).also("c.valid" -> 1, "c.opcode" -> opcode, "c.source" -> source, "c.address" -> address(at))
    answer <- Seq(releaseAck, grantData)
    d = Seq[(String, BigInt)]("d.opcode" -> answer, "d.source" -> source)
    cycle <- Seq(
      view(7).also(
        "a.valid" -> 1,
        "a.opcode" -> acquireBlock,
        "a.source" -> source,
        "a.address" -> address(other(page))
      ),
      c(releaseData, source, page).also(d: _*).gives(of(answer)),
      c(probeAckData, source, other(other(page))).also(d: _*).gives(of(answer)),
      c(releaseData, source + 1, other(other(page))).also(d: _*).gives(of(answer)),
      c(probeAckData, source + 1, other(page)).also(d: _*).gives(of(answer))
    )
  } yield cycle

  // One request in flight, whose answer may be there in its cycle; a ReleaseAck ends none
  private val inFlight = {
    def a(at: Int = 1) = view(7).also("a.valid" -> 1, "a.opcode" -> get, "a.source" -> at, "a.address" -> address(1))
    def ends(opcode: Int, source: Int) = Seq[(String, BigInt)]("ends" -> 1, "d.opcode" -> opcode, "d.source" -> source)
    val begins = "begins" -> BigInt(1)
    val (waits, free) = (a().gives("inFlight" -> 1), a().gives("inFlight" -> 0))
    Seq(free, free.also(begins).also(ends(accessAckData, 1): _*), free, free.also(begins), waits) ++
      Seq(a(2).also(begins).gives("inFlight" -> 0), waits.also(ends(accessAckData, 2): _*), waits) ++
      Seq(waits.also(ends(releaseAck, 1): _*), waits, a(2).gives("inFlight" -> 0)) ++
      // What is asked for meanwhile changes nothing of the answer
      Seq(waits.also("a.address" -> address(2), "d.source" -> 1, "d.opcode" -> accessAckData).gives("ofD" -> 1)) ++
      Seq(waits.also("d.source" -> 1, "d.opcode" -> accessAckData).gives("ofD" -> 1)) ++
      Seq(waits.also(ends(accessAckData, 1): _*), free)
  }

  // Until the last beat of its answer has gone
  private val untilLast = {
    val waits = Cycle("source" -> 1).gives("inFlight" -> 1)
    val beat = waits.also("valid" -> 1, "d.opcode" -> grantData, "d.source" -> 1, "d.size" -> 6)
    Seq(Cycle("source" -> 1, "begins" -> 1).gives("inFlight" -> 0), beat) ++
      Seq.fill(beats(6))(Seq(waits, beat, beat.also("ready" -> 1))).flatten ++
      Seq(Cycle("source" -> 1).gives("inFlight" -> 0))
  }

  // A request, and then its answer, while others are asked for and offered
  private val tile = for {
    (agreed, page, came) <- cases
    i <- 0 until 4
    (leaving, leaves) = Seq(probeAck -> false, probeAckData -> true, release -> false, releaseData -> true)(i)
    (answer, hasData) = answers(i)
    cycle <- Seq(
      view(agreed).also(
        "a.valid" -> 1,
        "a.source" -> source,
        "a.address" -> address(page),
        "b.address" -> address(page),
        "c.opcode" -> leaving,
        "c.address" -> address(page)
      ).gives("ofA" -> page, "ofB" -> page, "ofC" -> group(page, agreed, leaves)),
      view(agreed).also("a.valid" -> 1, "a.source" -> (source + 1), "a.address" -> address(other(page))),
      // Not valid
      view(agreed).also("a.source" -> source, "a.address" -> address(other(page))),
      view(agreed).also(
        "d.valid" -> 1,
        "d.opcode" -> answer,
        "d.source" -> source,
        "groupOfD" -> came
      ).gives("astray" -> flag(hasData && page != came))
    )
  } yield cycle

  // A GrantAck in the cycle of its grant, and later, whatever else comes
  private val grants = for {
    group <- groups
    opcode <- Seq(grant, grantData)
    sink <- 0 to 3
    d = (opcode: Int, sink: Int, group: Int) =>
      view(7).also("d.valid" -> 1, "d.opcode" -> opcode, "d.sink" -> sink, "groupOfD" -> group)
    cycle <- Seq(
      d(opcode, sink, group),
      d(opcode, (sink + 1) % 4, other(group)),
      d(accessAckData, sink, other(group)),
      d(releaseAck, sink, other(group)),
      d(opcode, sink, other(group)).also("d.valid" -> 0)
    ).map(_.also("e.sink" -> sink).gives("ofE" -> group))
  } yield cycle

  private val atHome = Seq(home, released, inFlight)
  private val atTile = Seq(tile, grants)
  private lazy val homeGroups = play("home-groups", atHome, IdleEdge.cache("cache", 0, 4))((in, _) =>
    Module(new HomeGroups(shape, in)).io
  )
  private lazy val tileGroups = play("tile-groups", atTile, IdleEdge.cache("cache", 0, 4))((in, _) =>
    Module(new TileGroups(shape, in)).io
  )

  private lazy val answering = play("home-groups-edge", Seq(untilLast), IdleEdge.cache("cache", 0, 4))((in, _) =>
    Module(new HomeGroupsPorts(shape, in)).io
  )

  "the home node" should "take data of their page's group alone, and answer in it" in
    homeGroups.run(limit = 10000, select = 0)
  it should "tell the pages apart that a source asked for and released" in homeGroups.run(limit = 1000, select = 1)
  it should "know what is in flight, from the cycle of the request to that of its answer" in
    homeGroups.run(limit = 1000, select = 2)
  it should "take a source to be in flight until the last beat of its answer" in answering.run(limit = 100)

  "a tile" should "take data of their page's group alone, and send in it" in tileGroups.run(limit = 10000, select = 0)
  it should "acknowledge each grant in the grant's group, from its first cycle on" in
    tileGroups.run(limit = 1000, select = 1)
}
