package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.bus._
import hauberk.tilelink.common.{IdleEdge, VerilatedTest}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** What both ends of an edge remember of groups, alone: for every identifier, and every pair of a page before and a page now, a message and what answers it
  * come in one cycle, one after the other, and with another's between.
  */
class GroupTablesSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  behavior of "The groups of messages at an edge"

  private lazy val tables = verilate("group-tables") {
    val bench = LazyModule(new GroupTablesBench)
    bench.module
  }

  they should "be those of the last page asked for or granted, from that very cycle on" in tables.run(limit = 10000)

  they should "stay those of a request that has no answer, whatever its source asks for then" in
    tables.run(limit = 10000, select = 1)
}

/** [[TileGroups]] and [[HomeGroups]] of an edge that nothing else uses. */
class GroupTablesBench(implicit p: Parameters) extends LazyModule {
  private val lineBytes = 64
  private val idle = LazyModule(new IdleEdge(IdleEdge.cache("cache", 0, 4)))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val edge = idle.in
    private val shape = BusParams(3, 64, security = Some(BusSecurityParams(groups = 3)))
    private val view = Wire(new GroupView(shape))
    // Group n has page n
    for ((range, i) <- view.ranges.zipWithIndex) {
      range.group := (if (i < 2) i + 1 else 0).U
      range.size := (if (i < 2) PageRange.lgPage else 0).U
      range.page := (if (i < 2) i + 1 else 0).U
    }
    view.agreed := ~0.U(3.W)
    private def in(page: UInt): UInt = (page << PageRange.lgPage) + lineBytes.U

    // Every case takes four cycles
    private val time = RegInit(0.U(11.W))
    time := time + 1.U
    finished := time.andR
    private val step :: id :: before :: now :: Nil =
      Seq((1, 0), (3, 2), (5, 4), (7, 6)).map { case (high, low) => time(high, low) }.toList
    private val valid = before < 3.U && now < 3.U
    private val other = id + 1.U
    private val isFirst = step === 0.U
    private val isThird = step === 2.U
    private val isLast = step === 3.U

    private val tile = Module(new TileGroups(shape, edge))
    tile.io := DontCare
    tile.io.view := view
    tile.io.a.valid := false.B
    // Grants; in the last step a ReleaseAck
    tile.io.d.valid := true.B
    tile.io.d.bits := 0.U.asTypeOf(tile.io.d.bits)
    tile.io.d.bits.opcode := Mux(isLast, TLMessages.ReleaseAck, TLMessages.Grant)
    tile.io.d.bits.sink := Mux(isThird, other, id)
    tile.io.groupOfD := Mux(step === 1.U, now, before)
    tile.io.e.sink := id
    when(valid) {
      assert(tile.io.ofE === Mux(isFirst, before, now), "a GrantAck is not of its grant's group")
    }

    private val home = Module(new HomeGroups(shape, edge))
    home.io := DontCare
    home.io.view := view
    home.io.a.valid := !isLast
    home.io.a.bits := 0.U.asTypeOf(home.io.a.bits)
    home.io.a.bits.opcode := TLMessages.AcquireBlock
    home.io.a.bits.source := Mux(isThird, other, id)
    home.io.a.bits.address := in(Mux(step === 1.U, now, before))
    home.io.begins := false.B
    home.io.ends := false.B
    home.io.c.valid := isThird || isLast
    home.io.c.bits := 0.U.asTypeOf(home.io.c.bits)
    home.io.c.bits.opcode := Mux(isLast, TLMessages.ProbeAck, TLMessages.Release)
    home.io.c.bits.source := id
    home.io.c.bits.address := in(Mux(isThird, before, now))
    home.io.d := 0.U.asTypeOf(home.io.d)
    private val acknowledges = isLast || (isThird && time(8))
    home.io.d.opcode := Mux(acknowledges, TLMessages.ReleaseAck, TLMessages.Grant)
    home.io.d.source := id
    when(valid && select === 0.U) {
      assert(
        home.io.ofD === Mux(isFirst || acknowledges, before, now),
        "an answer is not of the group of what was asked for"
      )
    }
    // A request is taken in the first cycle, and its source asks for another page in the second; its answer ends in the third, or a ReleaseAck does
    when(select === 1.U) {
      val acknowledged = time(8)
      home.io.begins := isFirst
      home.io.a.bits.source := id
      home.io.d.opcode := Mux(isThird && acknowledged, TLMessages.ReleaseAck, TLMessages.Grant)
      home.io.ends := isThird || isLast
      when(valid) {
        assert(home.io.inFlight === Mux(isLast, acknowledged, !isFirst), "what is in flight")
        assert(
          home.io.d.opcode === TLMessages.ReleaseAck || isLast || home.io.ofD === before,
          "an answer is of another page's group"
        )
      }
    }
  }
}
