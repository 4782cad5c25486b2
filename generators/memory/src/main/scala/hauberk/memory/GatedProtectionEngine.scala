package hauberk.memory

import chisel3._
import hauberk.crypto.GatedClock
import hauberk.memory.engine.EngineIO

/** A [[MemoryProtectionEngine]] whose clock stops while it is idle. The same cycle by cycle.
  *
  * Each unit of the engine says whether it is busy. The clock runs while one is, in each cycle in which something comes in, and for
  * `runOn` cycles after both. While it stands, the engine offers nothing and is ready for what it would be ready for.
  */
class GatedProtectionEngine(val p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.regions, p.takesHints, asksOwners = p.asksOwners) {

    /** The clock runs in this cycle. */
    val running = Output(Bool())
  })
  private val engine = GatedClock(io.running)(Module(new MemoryProtectionEngine(p)))
  engine.io.client <> io.client
  io.memory <> engine.io.memory
  engine.io.keyWrite := io.keyWrite
  engine.io.keyZeroize := io.keyZeroize
  engine.io.control := io.control
  for ((inner, outer) <- engine.io.regionWrite.zip(io.regionWrite)) { inner := outer }
  for ((inner, outer) <- engine.io.hint.zip(io.hint)) { inner := outer }
  for ((outer, inner) <- io.owner.zip(engine.io.owner)) { outer <> inner }
  io.keyWanted := engine.io.keyWanted
  io.status := engine.io.status
  io.statistics := engine.io.statistics

  private val comesIn = Seq(
    io.client.request.valid,
    io.memory.response.valid,
    io.keyWrite.valid,
    io.keyZeroize.valid,
    io.control.arm,
    io.control.flush,
    io.control.check
  ) ++ io.regionWrite.map(_.valid) ++ io.hint.map(_.valid) ++ io.owner.map(_.answer.valid)
  private val works = engine.io.busy.get || comesIn.reduce(_ || _)
  io.running := GatedClock.runOn(works, GatedProtectionEngine.runOn)
}

/** How long a clock runs on. */
object GatedProtectionEngine {

  /** Cycles after the last in which a unit was busy or something came in: more than registers need to follow each other. */
  val runOn = 4
}
