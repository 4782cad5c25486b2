package hauberk.memory

import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.memory.counter.CompilerCounters
import hauberk.testing.{Figure, Simulation}
import scala.util.Random

/** Figures of [[EngineFigures]] for words whose counters a program steers, with the memory and the cipher of Nagarajan et al.: 12 and 14 cycles. */
private[memory] object SteeringFigures extends Simulation {
  import Figure._
  private val latency = 12
  private val cipherLatency = 14
  private val p = Protection(
    ProtectionParams.compilerCounters.copy(
      counters = CompilerCounters(lastPairs = 256, ahead = true),
      cipher = AesParams().withLatency(cipherLatency)
    ),
    Bank(localBytes = 1 << 14, blockBytes = 8)
  )

  def all: Seq[Figure] = {
    var result = Seq.empty[Figure]
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val s = new SteeringBench(this, dut, new Random(1), SteadyMemory(latency))
      s.start()
      val last = p.layout.dataBlocks.toInt - 1
      def added(store: Option[Int], load: Option[Int]): Int = s.latency(last, 7, store, load) - latency
      val hinted = added(store = Some(2), load = Some(2))
      val known = added(store = None, load = None)
      val wrong = added(store = Some(2), load = Some(3))
      def answered(t: Transfer): Int = {
        val answer = s.bench.run(t)
        answer.beats.head - answer.asked
      }
      val byte = answered(s.writeByte(last, Seq.fill(8)(7), 3, 1))
      s.idle(2 * latency)
      val inFlight = answered(s.read(last))
      s.fill(5, 0)
      val writes = s.writes
      (0 until 8).foldLeft(Seq.fill(8)(0.toByte)) { (old, n) =>
        s.bench.run(s.writeByte(5, old, n, 9))
        old.updated(n, 9.toByte)
      }
      s.idle(100)
      val at = s"memory latency $latency"
      result = Seq(
        atMost(s"steered words, hinted read, $at: cycles added", hinted, 1, "the pair comes a cycle before the word"),
        atMost(
          s"steered words, read whose pair the table of last pairs has, $at: cycles added",
          known,
          cipherLatency - latency,
          s"the AES latency is $cipherLatency"
        ),
        reported(s"steered words, read whose pair was not expected, $at: cycles added", wrong),
        atMost(s"steered words, write of a byte, $at: cycles to its acknowledgement", byte, 1),
        atMost(s"steered words, read of a word whose write is in flight, $at: cycles", inFlight, 1),
        atMost(
          s"steered words, eight writes of a byte of one word in a row, $at: writes of memory",
          s.writes - writes,
          1
        )
      )
    }
    result
  }
}
