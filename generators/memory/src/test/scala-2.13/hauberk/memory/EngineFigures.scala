package hauberk.memory

import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.testing.{Figure, Simulation}

/** Measures the engine alone on the memory model that the peers were measured on (docs/figures.md), writes the figures as JSON and fails
  * if one misses its bound. Deterministic: cycles only.
  *
  * Usage: EngineFigures FILE
  */
object EngineFigures extends Simulation {
  import EngineTiming._
  import Figure._

  private val bank = Bank(localBytes = 1 << 19, idBits = 6)

  /** Measures one build of the engine behind memories of several latencies, with a reset in between. */
  private[memory] def engine(
      params: ProtectionParams,
      latencies: Int*
  )(body: (Protection, EngineBench, Int) => Seq[Figure]) = {
    var result = Seq.empty[Figure]
    val p = Protection(params, bank)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (latency <- latencies) {
        resetDesign(dut)
        val bench = new EngineBench(this, dut, SteadyMemory(latency))
        bench.start(keys)
        bench.flush() // every counter line is initialised
        result ++= body(p, bench, latency)
      }
    }
    result
  }

  private[memory] def reads(blocks: Seq[Int]) = blocks.map(i => read(i))
  private[memory] def writes(blocks: Seq[Int]) = blocks.map(i => write(i))

  /** Of the delays of a read's beats, the most cycles beyond the memory's. */
  private[memory] def mostAdded(delays: Seq[Int], latency: Int) =
    delays.zipWithIndex.map { case (delay, beat) => delay - latency - beat }.max

  private def oneTimePad: Seq[Figure] = engine(ProtectionParams.aegisOtp, 20, 100) { (p, bench, latency) =>
    val perLine = p.layout.countersPerLine
    val misses = (0 until perLine).map { place =>
      val together = (0 until 8).map(latency + 8 + _) // the counter line's eight beats, then the block's
      delays(bench.run(read(perLine * place + place))).zip(together).map { case (is, ideal) => is - ideal }.max
    }
    val hit = delays(bench.run(read(1)))
    val cached = 8 * perLine
    bench.runAll(writes(0 until cached))
    val readStream = cyclesPerLine(bench.runAll(reads((0 until 4 * cached).map(_ % cached))))
    val writeStream = cyclesPerLine(bench.runAll(writes((0 until 4 * cached).map(_ % cached))))
    val partial = cyclesPerLine(bench.runAll(partialWrites(800, cached)))
    // Far beyond the cache, so that every counter line is fetched, and written back if it was written to
    val far = p.layout.dataBlocks.toInt / 2
    val coldRead = cyclesPerLine(bench.runAll(reads(far until far + 64 * perLine)))
    bench.runAll(writes(far until far + 40 * perLine))
    val coldWrite = cyclesPerLine(bench.runAll(writes(far + 40 * perLine until far + 168 * perLine)))
    val readBound = (8.0 * perLine + 8) / perLine
    val writeBound = (8.0 * perLine + 8 + 1) / perLine
    val at = s"memory latency $latency"
    Seq(
      atMost(s"read, counter hit, $at: cycles added to the first beat", hit.head - latency, 0),
      atMost(
        s"read, counter hit, $at: most cycles added to a later beat",
        mostAdded(hit, latency),
        0
      ),
      atMost(
        s"read, counter miss, $at: most cycles added beyond fetching counter line and block together",
        misses.max,
        p.cipher.latency + 1,
        s"over all $perLine places in a counter line; the AES latency is ${p.cipher.latency}, and the request for the counter takes a cycle"
      ),
      atMost(s"read stream, counters cached, $at: cycles per line", readStream, 8.1),
      atMost(s"write stream, counters cached, $at: cycles per line", writeStream, 8.1),
      atMost(
        s"writes of 1 to 8 bytes at random, counters cached, $at: cycles each",
        partial,
        20,
        "each reads its block and writes it back: at least 9 cycles of the request channel"
      ),
      atLeast(
        s"read bandwidth against no engine, counters cached, $at",
        8 / readStream,
        0.99,
        "no engine: 8 cycles a line"
      ),
      atLeast(
        s"write bandwidth against no engine, counters cached, $at",
        8 / writeStream,
        0.99,
        "no engine: 8 cycles a line"
      ),
      atLeast(
        s"read bandwidth, counters not cached, $at, as a share of what metadata leave",
        readBound / coldRead,
        0.97,
        f"bound: a counter line of 8 beats for every $perLine lines read, so $readBound%.4f cycles a line; measured $coldRead%.4f"
      ),
      atLeast(
        s"write bandwidth, counters not cached, $at, as a share of what metadata leave",
        writeBound / coldWrite,
        0.97,
        f"bound: a fetch (1 beat) and a write-back (8 beats) of a counter line for every $perLine lines written, so $writeBound%.4f " +
          f"cycles a line; measured $coldWrite%.4f"
      )
    )
  }

  private def elsewhere(name: String, params: ProtectionParams, latencies: Int*): Seq[Figure] =
    engine(params, latencies: _*) { (p, bench, latency) =>
      bench.runAll(writes(0 until 64))
      val single = delays(bench.run(read(1))).head - latency
      val readStream = cyclesPerLine(bench.runAll(reads((0 until 256).map(_ % 64))))
      val writeStream = cyclesPerLine(bench.runAll(writes((0 until 256).map(_ % 64))))
      val note = s"AES latency ${p.cipher.latency}"
      Seq(
        reported(s"$name, counter hit, memory latency $latency: cycles added to the first beat", single, note),
        reported(s"$name, counters cached, memory latency $latency: cycles per line read", readStream, note),
        reported(s"$name, counters cached, memory latency $latency: cycles per line written", writeStream, note)
      )
    }

  def main(args: Array[String]): Unit = {
    val slowAes = AesParams().withLatency(40)
    record(
      args,
      Seq(
        "one-time pad" -> (() => oneTimePad),
        "one-time pad with an AES of 40 cycles" ->
          (() => elsewhere("one-time pad, AES of 40 cycles", ProtectionParams.aegisOtp.copy(cipher = slowAes), 80)),
        "direct CBC" -> (() => elsewhere("direct CBC", ProtectionParams.xom, 20, 100)),
        "counter tree" -> (() => TreeFigures.all),
        "steered words" -> (() => SteeringFigures.all)
      ),
      "memory_model" -> "read data starts L cycles after the address, then a beat per cycle, in order; write response one cycle after the last beat; 64-bit beats, 64-byte lines"
    )
  }
}
