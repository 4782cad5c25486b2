package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.{MemoryPort, MemoryPortParams}
import hauberk.memory.engine.{CounterGroups, MetadataInitializer}
import hauberk.testing.Simulation
import scala.util.Random

/** A [[MetadataInitializer]] whose counter store is a client with identifiers from 0 on. */
class InitializerHarness(val p: Protection) extends Module {
  val clientParams: MemoryPortParams = p.memory.copy(idBits = log2Floor(p.counterMemoryIds))
  val io = IO(new Bundle {
    val counters = Flipped(new MemoryPort(clientParams))
    val memory = new MemoryPort(p.memory)
    val othersServed = Input(Bool())
    val ready = Output(Bool())
    val flush = Input(Bool())
    val halted = Input(Bool())
    val countersFlushing = Input(Bool())
    val flushing = Output(Bool())
    val refused = Output(Bool())
  })
  private val unit = Module(new MetadataInitializer(p))
  io.memory <> unit.io.memory
  unit.io.counters.request.valid := io.counters.request.valid
  unit.io.counters.request.bits := io.counters.request.bits
  unit.io.counters.request.bits.id := io.counters.request.bits.id +& p.counterIds.U
  io.counters.request.ready := unit.io.counters.request.ready
  io.counters.response.valid := unit.io.counters.response.valid
  io.counters.response.bits := unit.io.counters.response.bits
  io.counters.response.bits.id := unit.io.counters.response.bits.id - p.counterIds.U
  unit.io.counters.response.ready := io.counters.response.ready
  unit.io.othersServed := io.othersServed
  unit.io.flush := io.flush
  unit.io.halted := io.halted
  unit.io.countersFlushing := io.countersFlushing
  io.ready := unit.io.ready
  io.flushing := unit.io.flushing
  io.refused := unit.io.refused
}

/** Drives an [[InitializerHarness]] before a memory full of noise, and knows what every counter line must hold. */
class InitializerBench(simulation: Simulation, dut: InitializerHarness, timing: MemoryTiming, random: Random) {
  import simulation._
  private val layout = dut.p.layout
  private val blockBytes = dut.p.bank.blockBytes
  val groups: CounterGroups = CounterGroups(layout.counterLines)
  val lines: Int = groups.lines.toInt
  val perGroup: Int = 1 << groups.offsetBits
  def linesOf(group: Int): Range = group * perGroup until math.min((group + 1) * perGroup, lines)
  val memory = new PortMemory(simulation, dut.io.memory, timing)
  memory.unset = _ => Array.fill(blockBytes)((1 + random.nextInt(255)).toByte)
  val client = new PortClient(simulation, dut.io.counters, timing)
  val expected: Array[Seq[Byte]] = Array.fill(lines)(Seq.fill(blockBytes)(0.toByte))
  dut.io.flush.poke(false)
  dut.io.countersFlushing.poke(false)
  dut.io.othersServed.poke(true)
  dut.io.halted.poke(false)

  def blockOf(line: Int): Int = (layout.counterBase / blockBytes).toInt + line

  /** How often zeros were written to a line; other writes have no zero in their first beat. */
  def zeroings(line: Int): Int = memory.written.count(_ == ((blockOf(line) * blockBytes, BigInt(0))))

  def tick(): Unit = {
    client.drive()
    memory.drive()
    client.settle()
    memory.settle()
    step()
  }
  def tickUntil(condition: => Boolean, limit: Int, failure: => String): Unit = {
    val end = client.cycle + limit
    while (!condition) {
      assert(client.cycle < end, failure)
      tick()
    }
  }

  /** Asks for a line, of which no access is in flight, and notes what it must hold; the check of the answer. */
  def ask(line: Int, write: Boolean): () => Unit = {
    val data = Seq.fill(blockBytes)((1 + random.nextInt(255)).toByte)
    val before = expected(line)
    if (write) expected(line) = data
    val size = Integer.numberOfTrailingZeros(blockBytes)
    val ticket = client.ask(Transfer(write, blockOf(line) * blockBytes, size, if (write) data else Nil))
    () => {
      val answer = client.answers(ticket)
      assert(!answer.denied, s"line $line is denied")
      assert(write || answer.data == before, s"line $line reads as ${answer.data} instead of $before")
    }
  }

  /** Accesses to different lines, all checked. */
  def access(accesses: Seq[(Int, Boolean)]): Unit = {
    val checks = accesses.map { case (line, write) => ask(line, write) }
    tickUntil(client.idle, 2000 + accesses.size * 1000, "a request is not answered")
    checks.foreach(_())
  }
  def pulseFlush(): Unit = {
    dut.io.flush.poke(true)
    tick()
    dut.io.flush.poke(false)
  }
  def flush(): Unit = {
    pulseFlush()
    tickUntil(!dut.io.flushing.peekBoolean(), 2000 + lines * 400, "a flush does not end")
  }

  /** Memory holds what every line must, and each was zeroed once. */
  def checkAll(): Unit = for (line <- 0 until lines) {
    val holds = memory.block(blockOf(line)).toSeq
    assert(holds == expected(line), s"line $line of $lines in memory: $holds instead of ${expected(line)}")
    assert(zeroings(line) == 1, s"line $line of $lines was zeroed ${zeroings(line)} times")
  }
}
