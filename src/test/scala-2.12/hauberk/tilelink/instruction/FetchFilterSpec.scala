package hauberk.tilelink.instruction

import freechips.rocketchip.diplomacy.IdRange
import hauberk.instruction.EmuParams
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** A filter alone, cycle by cycle, without pages that are encrypted. Sources 2 and 3 are the instruction cache's. */
class FetchFilterSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val line = 6

  private def asks(opcode: Int, source: Int, size: Int = line) = Cycle(
    "tileA.valid" -> 1,
    "tileA.opcode" -> opcode,
    "tileA.source" -> source,
    "tileA.size" -> size,
    "tileA.address" -> 0x1040,
    "tileA.mask" -> 0xff,
    "tileA.data" -> 0x77,
    "busA.ready" -> 1
  ).gives(
    "tileA.ready" -> 1,
    "busA.valid" -> 1,
    "busA.opcode" -> opcode,
    "busA.source" -> source,
    "busA.size" -> size,
    "busA.address" -> 0x1040,
    "busA.mask" -> 0xff
  )

  /** A beat of memory's, and what the tile gets of it. */
  private case class Beat(data: Int, denied: Int = 0, corrupt: Int = 0)
  private def comes(opcode: Int, source: Int, of: Beat, as: Beat, size: Int = line) = Cycle(
    "busD.valid" -> 1,
    "busD.opcode" -> opcode,
    "busD.source" -> source,
    "busD.size" -> size,
    "busD.data" -> of.data,
    "busD.denied" -> of.denied,
    "busD.corrupt" -> of.corrupt,
    "tileD.ready" -> 1
  ).gives(
    "busD.ready" -> 1,
    "tileD.valid" -> 1,
    "tileD.opcode" -> opcode,
    "tileD.source" -> source,
    "tileD.size" -> size,
    "tileD.data" -> as.data,
    "tileD.denied" -> as.denied,
    "tileD.corrupt" -> as.corrupt
  )
  private def good(i: Int) = Beat(0x30 + i)
  private def corrupted(i: Int) = Beat(0x30 + i, corrupt = 1)
  private val all = 0 until beats(line)
  private def fetch(source: Int)(of: Int => Beat, as: Int => Beat) =
    asks(get, source) +: all.map(i => comes(accessAckData, source, of(i), as(i)))

  // From each beat on: what comes behind it is lost, and the next fetch is whole. The bad one comes before, so that nothing is remembered
  private val lost = Beat(0, corrupt = 1)
  private val nothing = Beat(0, denied = 1, corrupt = 1)
  private val spoilt = Seq(2, 3).flatMap(source =>
    all.tail.flatMap(bad =>
      fetch(source)(i => if (i == bad) corrupted(i) else good(i), i => if (i < bad) good(i) else lost) ++
        fetch(source)(good, good)
    )
  )
  private val refused = Seq[Int => Beat](
    i => Beat(0x30 + i, denied = 1, corrupt = 1),
    i => Beat(0x30 + i, denied = 1),
    i => if (i == 0) corrupted(i) else good(i)
  ).flatMap(of => fetch(3)(of, _ => nothing) ++ fetch(2)(good, good))

  // Other sources, next to them, get what comes, and so do writes of the instruction cache's identifiers
  private val others = Seq(1, 4).flatMap(source =>
    fetch(source)(i => if (i == 1) corrupted(i) else good(i), i => if (i == 1) corrupted(i) else good(i)) ++
      fetch(source)(_ => Beat(0x44, denied = 1, corrupt = 1), _ => Beat(0x44, denied = 1, corrupt = 1))
  ) ++ Seq(2, 3).flatMap(source =>
    Seq(
      asks(putFull, source, size = 3).gives("busA.data" -> 0x77),
      comes(accessAck, source, Beat(0, denied = 1), Beat(0, denied = 1), size = 3)
    ) ++ fetch(source)(good, good)
  )

  // Both fetches are under way, of each pair of sizes, and are answered the other way round
  private val sizes = for {
    one <- 3 to line
    other <- 3 to line
    cycle <- Seq(asks(get, 2, one), asks(get, 3, other)) ++
      (0 until beats(other)).map(i => comes(accessAckData, 3, good(i), good(i), other)) ++
      (0 until beats(one)).map(i => comes(accessAckData, 2, good(i), good(i), one))
  } yield cycle

  private val clients = Seq("below" -> 0, "fetches" -> 2, "above" -> 4).map { case (name, first) =>
    IdleEdge.cache(name, first, first + 2)
  }
  private lazy val filter = play("fetch-filter", Seq(spoilt, refused, others, sizes), clients: _*)((in, out) => {
    val shape = EmuParams(
      pages = 2,
      keySlots = 2,
      addressBits = in.bundle.addressBits,
      beatBytes = in.manager.beatBytes,
      ids = 2
    )
    val filter = chisel3.Module(new FetchFilter(shape, in, out, Seq(IdRange(2, 4))))
    filter.io
  })

  "a fetch" should "bring nothing behind a beat that is corrupt and not denied" in filter.run(limit = 1000, select = 0)
  it should "be denied as a whole from its first beat on" in filter.run(limit = 1000, select = 1)
  it should "keep its size and source beside another" in filter.run(limit = 1000, select = 3)

  // covers: soc.instruction-cache
  "what is no fetch of the instruction cache" should "pass as it is" in filter.run(limit = 1000, select = 2)
}
