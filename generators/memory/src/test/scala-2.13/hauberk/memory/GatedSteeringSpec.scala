package hauberk.memory

import chisel3._
import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

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
      simulate(new GatedEnginePair(p)) { dut =>
        for (round <- 0 until 2) {
          resetDesign(dut)
          val random = new Random(round)
          val timing = if (round % 2 == 0) SteadyMemory(12) else new UnsteadyMemory(random, 30)
          val s = new SteeringBench(this, dut.io, p, random, timing)
          import s.{bench, hint, quiet}
          bench.onBlockWritten = (_, _) => ()
          bench.onTaken = _ => ()
          quiet()
          bench.onTick = () => {
            val differences = dut.io.differences.peek()
            val groups =
              GatedEnginePair.outputs.zipWithIndex.collect { case (name, i) if differences.testBit(i) => name }
            assert(differences == 0, s"${groups.mkString(", ")} in cycle ${bench.cycle}")
          }
          bench.start(s.keys)
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
