package hauberk.tilelink.contexts

import freechips.rocketchip.diplomacy.IdRange
import hauberk.contexts.ContextParams
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** A guard alone, cycle by cycle. Sources 0 and 1 are checked, 2 is another master's. The master is context 1. */
// covers: soc.guard
class PortGuardSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val memory = OwnedMemory(0x8000, 8 << 12)
  private val (own, foreign, outside) = (0x8040, 0x9040, 0x1040)
  private val sink = 3
  private val line = 6
  private val ones = (BigInt(1) << 64) - 1
  private val (ofOne, ofTwo) = ("principal.spid" -> BigInt(1), "principal.spid" -> BigInt(2))
  private val (holds, closed, changed) =
    ("holds" -> BigInt(1), "closed" -> BigInt(1), "changed" -> BigInt(1))

  // Channels that nothing blocks
  private val ready = Cycle(
    ofOne,
    "bus.a.ready" -> 1,
    "bus.c.ready" -> 1,
    "bus.e.ready" -> 1,
    "master.d.ready" -> 1,
    "requestOwner.page.ready" -> 1,
    "releaseOwner.page.ready" -> 1
  )
  private val none = Seq[(String, BigInt)]("bus.a.valid" -> 0, "bus.c.valid" -> 0, "master.d.valid" -> 0)
  private val idle = ready.gives(none :+ ("quiet" -> BigInt(1)): _*)
  private def quiet(is: Int)(cycle: Cycle) = cycle.gives("quiet" -> is)
  private def sends(channel: String, opcode: Int, source: Int, address: Int, param: Int = 0, size: Int = line) =
    ready.also(
      s"master.$channel.valid" -> 1,
      s"master.$channel.opcode" -> opcode,
      s"master.$channel.source" -> source,
      s"master.$channel.address" -> address,
      s"master.$channel.param" -> param,
      s"master.$channel.size" -> size,
      s"master.$channel.data" -> 0x99
    ).gives("denial.valid" -> 0)
  private def passes(channel: String, cycle: Cycle) = cycle.gives(
    Seq[(String, BigInt)](s"master.$channel.ready" -> 1, s"bus.$channel.valid" -> 1) ++
      Seq("opcode", "source", "address", "param", "size", "data", "corrupt").map(field =>
        s"bus.$channel.$field" -> cycle.in.getOrElse(s"master.$channel.$field", BigInt(0))
      ): _*
  )
  private def stays(channel: String, cycle: Cycle) =
    cycle.gives(s"master.$channel.ready" -> 0, s"bus.$channel.valid" -> 0)
  private def swallowed(channel: String, cycle: Cycle) =
    cycle.gives(s"master.$channel.ready" -> 1, s"bus.$channel.valid" -> 0)
  private def logged(write: Boolean, cycle: Cycle) = cycle.gives(
    "denial.valid" -> 1,
    "denial.write" -> (if (write) 1 else 0),
    "denial.address" -> cycle.in.getOrElse("master.a.address", cycle.in.getOrElse("master.c.address", BigInt(0)))
  )

  /** Nothing happens until the guard knows the page's owner, which it asks for. */
  private def learns(channel: String, cycle: Cycle, owner: Int) = {
    val table = if (channel == "a") "requestOwner" else "releaseOwner"
    Seq(
      stays(channel, cycle).gives(s"$table.page.valid" -> 1, s"$table.page" -> ((own >> 12) - 8 + owner - 1)),
      stays(channel, cycle.also(s"$table.owner" -> owner))
    )
  }
  private def answered(opcode: Int, source: Int, size: Int = line) = ready.also(
    "bus.d.valid" -> 1,
    "bus.d.opcode" -> opcode,
    "bus.d.source" -> source,
    "bus.d.size" -> size,
    "bus.d.data" -> 0x55
  ).gives("master.d.valid" -> 1, "master.d.opcode" -> opcode, "master.d.source" -> source, "master.d.denied" -> 0)
  private def denied(opcode: Int, source: Int, corrupt: Int) = ready.gives(
    "master.d.valid" -> 1,
    "master.d.opcode" -> opcode,
    "master.d.source" -> source,
    "master.d.denied" -> 1,
    "master.d.corrupt" -> corrupt,
    "master.d.data" -> 0
  )
  private def lines(cycle: Cycle) = Seq.fill(beats(line))(cycle)

  // A burst that may go on goes on, whatever changes, and its answer may come before its end
  private val write = sends("a", putFull, 0, own)
  private val longWrite = {
    val other = Seq(ofTwo, holds, closed, changed)
    learns("a", write, owner = 1).map(quiet(1)) ++ Seq(quiet(0)(passes("a", write))) ++
      Seq.fill(3)(quiet(0)(passes("a", write.also(other: _*)))) ++
      Seq(quiet(0)(passes("a", write.also(other: _*)).and(answered(accessAck, 0).also(other: _*)))) ++
      Seq(quiet(0)(ready.also(other: _*).gives(none: _*))) ++
      Seq.fill(2)(quiet(0)(passes("a", write.also(other: _*)))) :+
      passes("a", write.also(other: _*))
  }
  // And one that must not does not
  private val foreignWrite = sends("a", putFull, 1, foreign)
  private val longDenial = {
    val other = Seq(ofTwo, holds, changed)
    learns("a", foreignWrite, owner = 2) ++ Seq(quiet(0)(logged(write = true, swallowed("a", foreignWrite)))) ++
      lines(quiet(0)(swallowed("a", foreignWrite.also(other: _*)))).tail ++
      Seq(quiet(0)(denied(accessAck, 1, corrupt = 0)))
  }
  private val requests = (longWrite :+ idle) ++ (longDenial :+ idle)

  // No request of a checked master begins while it is held or memory is closed; all that is another's, or not in memory, goes on
  private val read = sends("a", get, 0, own)
  private val holding = {
    val (other, far) = (sends("a", get, 2, foreign), sends("a", get, 0, outside))
    Seq.fill(3)(quiet(1)(stays("a", read.also(holds, "requestOwner.owner" -> 1)))) ++ Seq(quiet(1)(passes(
      "a",
      other.also(holds, closed)
    ))) ++
      lines(quiet(1)(answered(accessAckData, 2).also(holds))) ++
      Seq.fill(2)(quiet(1)(stays("a", far.also(holds)))) ++ Seq(quiet(0)(passes("a", far.also(closed)))) ++
      lines(quiet(0)(answered(accessAckData, 0).also(holds))) ++ Seq(idle) ++
      // It has learnt the owner meanwhile
      Seq(passes("a", read)) ++
      // Acknowledgements of releases are answers to no request
      Seq.fill(2)(quiet(0)(answered(releaseAck, 0))) ++ lines(quiet(0)(answered(accessAckData, 0))) ++ Seq(idle) ++
      Seq(quiet(0)(logged(write = false, swallowed("a", read.also(closed))))) ++
      lines(quiet(0)(denied(accessAckData, 0, corrupt = 1))) :+ idle
  }

  // Only what would change memory is a write
  private val kinds = {
    def grants(opcode: Int, answer: Int, param: Int, write: Boolean) =
      Seq(
        logged(write, swallowed("a", sends("a", opcode, 1, foreign, param))),
        ready.gives("master.d.valid" -> 1, "master.d.opcode" -> answer, "master.d.sink" -> sink, "master.d.denied" -> 0)
      ) ++ Seq.fill(if (answer == grantData) beats(line) - 1 else 0)(
        ready.gives("master.d.valid" -> 1, "master.d.data" -> ones)
      ) :+
        ready.also("master.e.valid" -> 1, "master.e.sink" -> sink, "bus.e.ready" -> 0)
          .gives("bus.e.valid" -> 0, "master.e.ready" -> 1)
    learns("a", sends("a", hint, 0, foreign), owner = 2) ++
      Seq(logged(write = false, swallowed("a", sends("a", hint, 0, foreign))), denied(hintAck, 0, corrupt = 0)) ++
      Seq(logged(write = true, swallowed("a", sends("a", putPartial, 0, foreign, size = 3)))) ++
      Seq(denied(accessAck, 0, corrupt = 0)) ++
      Seq(logged(write = true, swallowed("a", sends("a", arithmetic, 0, foreign, size = 3)))) ++
      Seq(denied(accessAckData, 0, corrupt = 1)) ++
      grants(acquireBlock, grantData, param = 0, write = false) ++
      grants(acquireBlock, grantData, param = 1, write = true) ++
      grants(acquirePerm, grant, param = 2, write = true) ++
      // The manager's own grants
      Seq(passesE(1), idle)
  }
  private def passesE(of: Int) = ready.also("master.e.valid" -> 1, "master.e.sink" -> of)
    .gives("bus.e.valid" -> 1, "bus.e.sink" -> of, "master.e.ready" -> 1)

  // What leaves a cache
  private val releases = {
    val corrupt = "master.c.corrupt" -> BigInt(1)
    val mine = sends("c", probeAckData, 0, own, param = 1).also(corrupt)
    val theirs = sends("c", probeAckData, 0, foreign, param = 1).also(corrupt)
    val empty = sends("c", probeAck, 0, foreign, param = 5)
    val releasedLine = sends("c", releaseData, 1, foreign, param = 1)
    val ack = ready.gives("master.d.valid" -> 1, "master.d.opcode" -> releaseAck, "master.d.source" -> 1)
    // Of data that must not leave, the first beat says that there are none
    val first = logged(write = true, passes("c", theirs.also("master.a.opcode" -> get)))
      .gives("bus.c.opcode" -> probeAck, "bus.c.data" -> 0, "bus.c.corrupt" -> 0)
    val rest = swallowed("c", theirs.also(ofTwo, changed, "bus.c.ready" -> 0))
    learns("c", mine, owner = 1) ++ Seq(passes("c", mine)) ++
      lines(passes("c", mine.also(ofTwo, changed))).tail ++ Seq(passes("c", empty)) ++
      learns("c", theirs, owner = 2) ++ Seq(
        passes("c", theirs.also("bus.c.ready" -> 0)).gives(first.out.toSeq: _*)
          .gives("denial.valid" -> 0, "master.c.ready" -> 0),
        first
      ) ++ lines(rest).tail ++
      Seq(passes("c", empty), idle) ++
      learns("c", releasedLine, owner = 2) ++ Seq(logged(write = true, swallowed("c", releasedLine))) ++
      lines(swallowed("c", releasedLine.also(ofTwo, changed))).tail ++ Seq(ack, idle) ++
      // An uncached request of another source is denied beside it
      learns("c", theirs, owner = 2) ++ learns("a", foreignWrite, owner = 2) ++
      Seq(logged(write = true, first.and(swallowed("a", foreignWrite)))) ++
      lines(swallowed("c", theirs).and(swallowed("a", foreignWrite))).tail ++
      Seq(denied(accessAck, 1, corrupt = 0), idle) ++
      Seq(passes("c", sends("c", releaseData, 2, foreign))) ++ lines(passes(
        "c",
        sends("c", releaseData, 2, foreign)
      )).tail
  }

  private val clients = Seq(IdleEdge.cache("checked", 0, 2), IdleEdge.cache("other", 2, 4))
  private lazy val guard = play("port-guard", Seq(requests, holding, kinds, releases), clients: _*)((in, out) => {
    val shape = ContextParams(contexts = 3, pages = memory.pages, owners = 2)
    val guard = chisel3.Module(new PortGuard(shape, in, out, Seq(IdRange(0, 2)), caches = true, memory, sink))
    guard.io
  })

  "a guard" should "let a burst end as it began, and not be quiet before" in guard.run(limit = 500, select = 0)
  it should "begin no request while it is held or closed, and see to no others" in guard.run(limit = 500, select = 1)
  it should "tell writes from reads among what it denies, and take the GrantAck of its own grants" in
    guard.run(limit = 500, select = 2)
  // covers: soc.coherent-guard
  it should "let no data of another context's lines out, and say so once" in guard.run(limit = 500, select = 3)
}
