package hauberk.tilelink.exports

import freechips.rocketchip.diplomacy.IdRange
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** A data gate alone, cycle by cycle: sources 0 and 1 are those of a master whose data are held, 2 is a tile's. */
// covers: soc.export-gates
class DataGateSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val tile = 2
  private val lineBeats = beats(6)

  private def asks(opcode: Int, source: Int, size: Int = 6) = Cycle(
    "request.in.valid" -> 1,
    "request.in.opcode" -> opcode,
    "request.in.source" -> source,
    "request.in.size" -> size,
    "request.out.ready" -> 1,
    "response.out.ready" -> 1
  )
  private def passes(asks: Cycle) = asks.gives("request.out.valid" -> 1, "request.in.ready" -> 1)
  private def waits(asks: Cycle) = asks.gives("request.out.valid" -> 0, "request.in.ready" -> 0)

  private def comes(opcode: Int, source: Int, data: Int = 0, size: Int = 6) = Cycle(
    "response.in.valid" -> 1,
    "response.in.opcode" -> opcode,
    "response.in.source" -> source,
    "response.in.size" -> size,
    "response.in.data" -> data,
    "response.out.ready" -> 1
  ).gives("response.in.ready" -> 1)
  private val idle = Cycle("response.out.ready" -> 1).gives("response.out.valid" -> 0)
  private def held(cycle: Cycle) = cycle.gives("response.out.valid" -> 0)
  private def leaves(opcode: Int, source: Int, data: Int) = Cycle("response.out.ready" -> 1).gives(
    "response.out.valid" -> 1,
    "response.out.opcode" -> opcode,
    "response.out.source" -> source,
    "response.out.data" -> data,
    "response.out.corrupt" -> 0,
    "response.out.denied" -> 0
  )
  private def stained(denied: Int) = leaves(accessAckData, 0, data = 0)
    .gives("response.out.corrupt" -> 1, "response.out.denied" -> denied)
  private def forbidden(cycle: Cycle) = cycle.also("exports.forbidden" -> 1)
  private def unverified(cycle: Cycle) = cycle.also("exports.unverified" -> 1)

  // A line of source 0 is asked for and comes; nothing of it leaves before all of it is there
  private def data(beat: Int) = 0x50 + beat
  private val arrives = passes(asks(get, 0)) +: (0 until lineBeats).map(i => held(comes(accessAckData, 0, data(i))))
  private val whole = (0 until lineBeats).map(i => leaves(accessAckData, 0, data(i)))

  /** Exports are forbidden for the time of these beats alone. */
  private def line(forbiddenIn: Range) = arrives ++ (0 until lineBeats).map { i =>
    val isStained = i >= forbiddenIn.head
    val beat = if (isStained) stained(denied = if (forbiddenIn.head == 0) 1 else 0) else whole(i)
    if (forbiddenIn.contains(i)) forbidden(beat) else beat
  }
  private val cuts = (0 until lineBeats).flatMap(i => line(i to i) ++ arrives ++ whole :+ idle) ++ line(0 until 8)

  // A line comes beat by beat with pauses between
  private val pauses =
    (passes(asks(get, 0)) +: (0 until lineBeats).flatMap(i =>
      Seq(held(comes(accessAckData, 0, data(i))), idle)
    )).init ++
      whole

  private val limit = {
    val third = asks(get, 0)
    Seq(asks(get, 0).also("request.out.ready" -> 0).gives("request.in.ready" -> 0)) ++
      Seq.fill(lineBeats)(passes(asks(putFull, 0))) ++ // One request
      Seq(passes(asks(get, tile)), passes(asks(get, tile)), passes(asks(get, 1)), waits(third)) ++
      Seq(passes(asks(get, tile)), waits(third)) ++
      Seq(waits(held(comes(accessAck, 0).also(third.in.toSeq: _*)))) ++
      Seq(waits(leaves(accessAck, 0, 0).also(third.in.toSeq: _*)), passes(third), waits(asks(get, 1))) ++
      (0 until lineBeats).map(i => waits(held(comes(accessAckData, 1, data(i)).also(asks(get, 1).in.toSeq: _*)))) ++
      (0 until lineBeats).map(i => waits(leaves(accessAckData, 1, data(i)).also(asks(get, 1).in.toSeq: _*))) ++
      Seq(passes(asks(get, 1)), waits(asks(get, 1)))
  }

  // What carries no data waits for nothing, nor does a tile's answer; data wait for a check
  private val during = {
    def checks(cycle: Cycle, now: Int) = unverified(cycle).gives("check" -> now)
    val word = leaves(accessAckData, 0, data(3))
    Seq.fill(5)(checks(idle, 0)) ++
      Seq(checks(passes(asks(putFull, 0, size = 3)), 0), checks(comes(accessAck, 0, size = 3), 0)) ++
      Seq(checks(leaves(accessAck, 0, 0), 0)) ++
      Seq(checks(comes(releaseAck, 1).gives("response.out.valid" -> 1, "response.out.opcode" -> releaseAck), 0)) ++
      Seq(checks(passes(asks(get, 0)), 0)) ++
      (0 until lineBeats).map(i => checks(held(comes(accessAckData, 0, data(i))), 0)) ++
      Seq(checks(idle, 1), checks(idle, 0)) ++
      Seq(checks(comes(accessAckData, tile, 7).gives(leaves(accessAckData, tile, 7).out.toSeq: _*), 0)) ++
      Seq.fill(lineBeats - 1)(checks(comes(accessAckData, tile, 7).gives("response.out.valid" -> 1), 0)) ++
      Seq.fill(3)(checks(idle, 0).also("exports.checking" -> 1)) ++
      Seq.fill(ExportState.settling + 1)(checks(idle, 0)) ++ whole.map(checks(_, 0)) ++
      // Nothing more is wanted of a check once exports are forbidden
      Seq(checks(passes(asks(get, 0, size = 3)), 0), checks(comes(accessAckData, 0, 9, size = 3), 0)) ++
      Seq(checks(forbidden(stained(denied = 1)), 0), checks(idle, 0))
  }

  private val scenarios = Seq(cuts, pauses, limit, during)
  private lazy val gate =
    play("data-gate", scenarios, IdleEdge.cache("other", 0, 2), IdleEdge.cache("tile", 2, 4))((in, _) =>
      chisel3.Module(new DataGate(in, Seq(IdRange(0, 2)), blocks = 2)).io
    )

  "a data gate" should "give out nothing more of an answer once exports are forbidden for a cycle, and deny no half of it" in
    gate.run(limit = 1000, select = 0)
  it should "hold an answer until its last beat is there" in gate.run(limit = 1000, select = 1)
  it should "take as many requests as it has room for answers, and no more" in gate.run(limit = 1000, select = 2)
  it should "ask for one check for data, and hold nothing else" in gate.run(limit = 1000, select = 3)
}
