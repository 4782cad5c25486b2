package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.memory.port.{MemoryPort, MemoryPortParams}
import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** A [[BlockEdge]] whose unit is outside. */
private class BlockEdgePorts(region: ProtectedRegion, edgeIn: TLEdgeIn, edgeOut: TLEdgeOut) extends Module {
  private val map = region.bank(edgeOut.manager)
  private val port = MemoryPortParams(log2Ceil(map.localBytes), 8, region.lineBytes, edgeIn.bundle.sourceBits)
  val io = IO(new Bundle {
    val in = Flipped(new TLBundle(edgeIn.bundle))
    val out = new TLBundle(edgeOut.bundle)
    val client = new MemoryPort(port)
    val memory = Flipped(new MemoryPort(port))
  })
  BlockEdge(io.client, io.memory, map, region, BlockEdgeSpec.aroundStart)(io.in, edgeIn, io.out, edgeOut)
}

private object BlockEdgeSpec {
  val aroundStart = 8
}

/** Protected memory of two aligned parts, between other memory. What is asked for in it goes to the engine alone, and all else past it. */
// covers: soc.bypass
class BlockEdgeSpec extends AnyFlatSpec with CycleTest {
  import BlockEdgeSpec.aroundStart
  import Opcode._
  private val region = ProtectedRegion(base = 0x3000, bytes = 0x5000, blockBytes = 64)
  private val (first, end, source, line) = (0x3000, 0x8000, 5, 6)
  private def isInside(address: Int) = first <= address && address < end
  private def flag(is: Boolean): BigInt = if (is) 1 else 0

  private def asks(opcode: Int, address: Int, size: Int) = {
    val inside = isInside(address)
    val common = Cycle(
      "in.a.valid" -> 1,
      "in.a.opcode" -> opcode,
      "in.a.address" -> address,
      "in.a.size" -> size,
      "in.a.source" -> source,
      "client.request.ready" -> flag(inside),
      "out.a.ready" -> flag(!inside)
    ).gives("in.a.ready" -> 1, "client.request.valid" -> flag(inside), "out.a.valid" -> flag(!inside))
    if (inside) common.gives(
      "client.request.address" -> (address - first),
      "client.request.size" -> size,
      "client.request.write" -> flag(opcode == putFull)
    )
    else common.gives(
      "out.a.address" -> address,
      "out.a.size" -> size,
      "out.a.opcode" -> opcode,
      "out.a.source" -> aroundStart
    )
  }

  /** What memory answers to a request past the engine; to one for the engine, it may not answer by itself. */
  private def answer(address: Int, opcode: Int, size: Int) = {
    val inside = isInside(address)
    val comes = Cycle(
      "out.d.valid" -> 1,
      "out.d.opcode" -> opcode,
      "out.d.source" -> aroundStart,
      "out.d.size" -> size,
      "out.d.data" -> 7,
      "in.d.ready" -> 1
    ).gives("memory.response.valid" -> 0, "in.d.valid" -> flag(!inside))
    if (inside) comes else comes.gives("in.d.source" -> source, "in.d.opcode" -> opcode, "in.d.size" -> size)
  }
  private def read(address: Int, size: Int) =
    asks(get, address, size) +: Seq.fill(beats(size))(answer(address, accessAckData, size))
  private def write(address: Int, size: Int) =
    Seq.fill(beats(size))(asks(putFull, address, size)) :+ answer(address, accessAck, size)

  // The first and last bytes of the region and of its parts, and of blocks in the middle; and what is next to them
  private val bounds = Seq(first, first + 0x40, 0x4000, 0x5ac0, end - 0x40, end)
  private val ofEachSize = for {
    bound <- bounds
    size <- 0 to line
    address <- Seq(bound, bound - (1 << size))
    cycle <- read(address, size) ++ write(address, size)
  } yield cycle

  // Every bit of an address
  private val everywhere = (0 to 0xffff by 0x400).flatMap(address => read(address, 3) ++ write(address + 0x3f8, 3))

  // The engine's own answers come back to it, whatever is asked for past it
  private val ofEngine = Seq(asks(get, end, 3)) ++ (0 until aroundStart).map(id =>
    Cycle(
      "out.d.valid" -> 1,
      "out.d.opcode" -> accessAckData,
      "out.d.source" -> id,
      "out.d.size" -> 3,
      "in.d.ready" -> 1
    )
      .gives("memory.response.valid" -> 1, "memory.response.id" -> id, "in.d.valid" -> 0)
  ) :+ answer(end, accessAckData, 3)

  private val scenarios = Seq(ofEachSize, everywhere, ofEngine)
  private lazy val edge = play("block-edge", scenarios, IdleEdge.master("master", 0, 16))((in, out) =>
    Module(new BlockEdgePorts(region, in, out)).io
  )

  "protected memory" should "begin at its first byte and end at its last, for bytes and bursts" in
    edge.run(limit = 2000, select = 0)
  it should "have all of its addresses and no others" in edge.run(limit = 2000, select = 1)
  it should "answer its engine alone" in edge.run(limit = 2000, select = 2)
}
