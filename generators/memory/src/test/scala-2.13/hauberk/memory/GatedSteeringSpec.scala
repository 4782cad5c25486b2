package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.memory.engine.EngineIO
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A gated engine that takes hints, beside one without a gate, on the same inputs; the outputs are those of the latter. */
class GatedSteeredPair(val p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.regions, p.takesHints) {
    val differs = Output(UInt(3.W))
  })
  private val ungated = p.params.copy(gated = false, cipher = p.params.cipher.copy(gated = false))
  private val g = Module(new GatedProtectionEngine(p)).io
  private val e = Module(new MemoryProtectionEngine(Protection(ungated, p.bank))).io
  io.client <> e.client
  io.memory <> e.memory
  io.keyWanted := e.keyWanted
  io.status := e.status
  io.statistics := e.statistics
  g.client.request.valid := io.client.request.valid
  g.client.request.bits := io.client.request.bits
  g.client.response.ready := io.client.response.ready
  g.memory.request.ready := io.memory.request.ready
  g.memory.response.valid := io.memory.response.valid
  g.memory.response.bits := io.memory.response.bits
  for (engine <- Seq[EngineIO](g, e)) {
    engine.keyWrite := io.keyWrite
    engine.keyZeroize := io.keyZeroize
    engine.control := io.control
    for ((inner, outer) <- engine.hint.zip(io.hint)) { inner := outer }
  }
  private def differ(a: DecoupledIO[_ <: Data], b: DecoupledIO[_ <: Data]): Bool =
    a.valid =/= b.valid || (b.valid && a.bits.asUInt =/= b.bits.asUInt)
  io.differs := VecInit(
    differ(g.client.response, e.client.response) || g.client.request.ready =/= e.client.request.ready,
    differ(g.memory.request, e.memory.request) || g.memory.response.ready =/= e.memory.response.ready,
    g.statistics.asUInt =/= e.statistics.asUInt
  ).asUInt
}

/** Gated engines that take hints: the same cycle by cycle. */
class GatedSteeringSpec extends AnyFunSuite with Simulation {
  private val params = ProtectionParams(
    counters = CompilerCounters(ahead = true),
    cipher = AesParams(extraLatency = 4, gated = true),
    reads = 4,
    writes = 4,
    postedWrites = true,
    gated = true
  )
  private val p = Protection(params, Bank(localBytes = 1 << 14, blockBytes = 8))

  for (waits <- Seq(true, false))
    test(s"a gated engine is the same cycle by cycle${if (waits) ", its tables cleared while the clock ran" else ""}") {
      simulate(new GatedSteeredPair(p)) { dut =>
        for (round <- 0 until 2) {
          resetDesign(dut)
          val random = new Random(round)
          val bench =
            new EngineBench(this, dut.io, p, if (round % 2 == 0) SteadyMemory(12) else new UnsteadyMemory(random, 30))
          def quiet(): Unit = dut.io.hint.foreach(_.valid.poke(false))
          def hint(kind: Int, block: Int, id: Int): Unit = for (port <- dut.io.hint) {
            port.valid.poke(true)
            port.bits.kind.poke(kind)
            port.bits.block.poke(block)
            port.bits.id.poke(id)
          }
          quiet()
          bench.onTick = () =>
            assert(
              dut.io.differs.peek() == 0,
              s"client, memory, statistics: ${dut.io.differs.peek()} in cycle ${bench.cycle}"
            )
          bench.start(ProtectionKeys(
            Transfer.randomBytes(random, 16).toArray,
            Transfer.randomBytes(random, 16).toArray
          ))
          for (_ <- 0 until 400) {
            if (waits) hint(CounterHint.none, 0, 0)
            bench.tick()
          }
          quiet()
          for (_ <- 0 until 120) {
            for (_ <- 0 until random.nextInt(4)) {
              val block = random.nextInt(8)
              random.nextInt(5) match {
                case 0 => hint(CounterHint.next, 0, random.nextInt(3))
                case n => hint(n % 2, block, random.nextInt(3))
              }
              bench.tick()
              quiet()
              for (_ <- 0 until random.nextInt(9)) bench.tick()
            }
            for (_ <- 0 until random.nextInt(3)) bench.ask(Transfer.random(random, p, 8))
            for (_ <- 0 until random.nextInt(50)) bench.tick()
          }
          bench.drain()
          info(
            s"${dut.io.statistics.steeredWrites.peek()} writes steered, ${dut.io.statistics.rightPads.peek()} pads right"
          )
        }
      }
    }
}
