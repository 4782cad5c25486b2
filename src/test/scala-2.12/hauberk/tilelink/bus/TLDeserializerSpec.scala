package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.bus._
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** Takes the command apart, for scenarios: `command` is what it is in the message. */
private class DeserializerPorts(p: BusParams, edge: TLEdgeIn) extends Module {
  private val unit = Module(new TLDeserializer(p, edge, new TLBundleA(edge.bundle)))
  val io = IO(new Bundle {
    val valid, astray, inFlight = Input(Bool())
    val command = Input(new TLBundleA(edge.bundle))
    val beats = Input(UInt(p.beatsBits.W))
    val data = Input(UInt(p.lineBits.W))
    val ready, begins, malformed = Output(Bool())
    val out = Decoupled(new TLBundleA(edge.bundle))
  })
  unit.io.message.valid := io.valid
  unit.io.message.bits := 0.U.asTypeOf(new BusMessage(p))
  unit.io.message.bits.command := TLCommand.pack(io.command, false.B)
  unit.io.message.bits.beats := io.beats
  unit.io.message.bits.data := io.data
  unit.io.astray := io.astray
  unit.io.inFlight := io.inFlight
  io.ready := unit.io.message.ready
  io.begins := unit.io.begins
  io.malformed := unit.io.malformed
  io.out <> unit.io.beats
}

/** Messages of the bus for beats of eight bytes, on a bus of sixteen. */
// covers: soc.bus-alarm
class TLDeserializerSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val line = 6
  private val lineBeats = 4
  private val words = Seq.tabulate(8)(i => BigInt(0x1111) * (i + 1))
  private val data = words.zipWithIndex.map { case (word, i) => word << (64 * i) }.sum
  private val (astray, inFlight) = ("astray" -> BigInt(1), "inFlight" -> BigInt(1))

  private def message(opcode: Int, size: Int, busBeats: Int) = Cycle(
    "valid" -> 1,
    "out.ready" -> 1,
    "command.opcode" -> opcode,
    "command.size" -> size,
    "command.source" -> 1,
    "command.address" -> 0x40,
    "beats" -> busBeats,
    "data" -> data
  )
  private val idle = Cycle("out.ready" -> 1).gives("malformed" -> 0, "out.valid" -> 0, "begins" -> 0)
  private def flag(is: Boolean): BigInt = if (is) 1 else 0
  private def beat(cycle: Cycle, first: Boolean, last: Boolean, word: BigInt) = cycle.gives(
    "out.valid" -> 1,
    "malformed" -> 0,
    "out.opcode" -> cycle.in("command.opcode"),
    "out.size" -> cycle.in("command.size"),
    "out.source" -> 1,
    "out.address" -> 0x40,
    "out.data" -> word,
    "begins" -> flag(first),
    "ready" -> flag(last)
  )

  /** A message of so many beats of TileLink, one of which waits. Once it has begun, its own source is in flight. */
  private def taken(sent: Cycle, count: Int) = (0 until count).flatMap { i =>
    val cycle = beat(if (i == 0) sent else sent.also(inFlight), i == 0, i == count - 1, words(i))
    if (i == count - 1) Seq(cycle.also("out.ready" -> 0).gives("begins" -> 0, "ready" -> 0), cycle) else Seq(cycle)
  }

  /** It is held for good: nothing comes of it. */
  private def held(sent: Cycle) =
    Seq.fill(2)(sent.gives("malformed" -> 1, "out.valid" -> 0, "ready" -> 0, "begins" -> 0))

  private val kinds = (3 to line).map(size => (putFull, size, math.max(1, (1 << size) / 16), beats(size))) ++
    Seq((get, line, 0, 1), (get, 3, 0, 1), (acquireBlock, line, 0, 1), (acquirePerm, line, 0, 1), (hint, line, 0, 1)) ++
    Seq((arithmetic, 3, 1, 1), (logical, 3, 1, 1), (putPartial, 3, 1, 1))
  private val wellFormed = kinds.flatMap { case (opcode, size, busBeats, count) =>
    taken(message(opcode, size, busBeats), count) :+ idle
  }
  private val ofAnotherLength = kinds.flatMap { case (opcode, size, busBeats, count) =>
    (0 to lineBeats).filter(_ != busBeats).flatMap(wrong => held(message(opcode, size, wrong)) :+ idle) ++
      taken(message(opcode, size, busBeats), count)
  }
  private val tooLarge = (0 to lineBeats).flatMap(busBeats =>
    Seq(putFull, putPartial).flatMap(opcode => held(message(opcode, line + 1, busBeats)))
  ) ++ Seq(get, hint, acquireBlock, acquirePerm).flatMap(opcode => held(message(opcode, line + 1, 0))) :+ idle
  private val ofAnotherGroup = kinds.filter(_._3 > 0).flatMap { case (opcode, size, busBeats, _) =>
    held(message(opcode, size, busBeats).also(astray)) :+ Cycle(astray).gives("malformed" -> 0)
  }
  private val second = kinds.flatMap { case (opcode, size, busBeats, _) =>
    held(message(opcode, size, busBeats).also(inFlight)) :+ Cycle(inFlight).gives("malformed" -> 0)
  }

  // Each beat of a partial write is a message: each may be of another group, and only the first begins anything
  private val apart = {
    val sent = message(putPartial, line, 1)
    (0 until 8).flatMap { i =>
      val now = if (i == 0) sent else sent.also(inFlight)
      held(now.also(astray)) ++ Seq(idle, beat(now, i == 0, last = true, words.head))
    } ++ held(sent.also(inFlight)) ++ taken(message(get, 3, 0), 1)
  }
  private val scenarios = Seq(wellFormed, ofAnotherLength, tooLarge, ofAnotherGroup, second, apart)
  private lazy val deserializer = play("deserializer", scenarios, IdleEdge.cache("cache", 0, 4))((in, _) => {
    val width = TLCommand.width(new TLBundleA(in.bundle))
    val shape = BusParams(3, width, sharedBus = SharedBusParams(ratio = 4, widthBits = 128))
    val unit = Module(new DeserializerPorts(shape, in))
    unit.io
  })
  private def follow(scenario: Seq[Cycle]): Unit = deserializer.run(limit = 1000, select = scenarios.indexOf(scenario))

  "a message of the bus" should "be laid out in beats once" in follow(wellFormed)
  it should "be held if its data have not the length of its command" in follow(ofAnotherLength)
  it should "be held if it is longer than a line, whatever its data" in follow(tooLarge)
  it should "be held if its data are of another group" in follow(ofAnotherGroup)
  it should "be held if its source waits for an answer" in follow(second)
  it should "be looked at for itself if it is a beat of a partial write" in follow(apart)
}
