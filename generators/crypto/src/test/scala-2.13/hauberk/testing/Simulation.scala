package hauberk.testing

import chisel3._
import chisel3.reflect.DataMirror
import chisel3.util.ReadyValidIO
import java.nio.file.Path
import scala.collection.mutable

/** Runs test bodies on Chisel's own simulator with Verilator, spelled the same on every Chisel that has one.
  *
  * `simulate(new Dut)(dut => ...)` elaborates, builds and resets the design and then runs the body, in which ports of the
  * design are driven and read as unsigned `BigInt`s. Inputs are zero until they are driven. Registers and memories start
  * with random values (`tests/stored/verilator`), so a missing reset shows.
  * A failed assertion of the design ends the body with an exception that carries the simulator's message.
  * One simulation at a time per thread; they do not nest. Pokes take effect at once for combinational paths.
  */
trait Simulation {
  private val running = new ThreadLocal[RunningSimulation]

  private def current: RunningSimulation = {
    require(running.get != null, "poke, peek and step work inside the body of simulate(...) only")
    running.get
  }

  /** Build the design, hold reset for two cycles, run `body`. */
  def simulate[T <: Module](dut: => T)(body: T => Unit): Unit =
    SimulatorLog.withFolder(run(_, isTraced = false, dut)(body))

  /** As `simulate`; what each `look` of the body has seen. */
  def looks[T <: Module](dut: => T)(body: T => Unit): Seq[Map[String, BigInt]] =
    SimulatorLog.withFolder { folder =>
      var times = Seq.empty[Long]
      run(folder, isTraced = true, dut) { module: T =>
        body(module)
        times = current.traced.toSeq
      }
      Trace.values(folder, times)
    }

  /** In the body of `looks`: see all signals and all words of memories, by their names in the hierarchy, while all inputs are zero. */
  def look(dut: Module): Unit = {
    val before = inputs(dut).map(input => input -> current.valueOf(input))
    before.foreach { case (input, _) => current.set(input, 0) }
    current.trace()
    before.foreach { case (input, value) => current.set(input, value) }
  }

  private def run[T <: Module](folder: Path, isTraced: Boolean, dut: => T)(body: T => Unit): Unit = {
    require(running.get == null, "simulations do not nest: end the outer simulate(...) first")
    val simulator = KeptSimulators.in(folder)(SimulatorBackend.built(folder, isTraced, dut))
    KeptSimulators.runs(folder)
    simulator.run { (module: T, simulation: RunningSimulation) =>
      running.set(simulation)
      try {
        simulation.open(module.clock)
        inputs(module).foreach(simulation.set(_, 0))
        resetDesign(module)
        body(module)
        simulation.flush()
      } finally running.remove()
    }
  }

  /** All inputs but the clock, and but those without bits, which Verilog does not have. */
  private def inputs(module: Module): Seq[Element] = DataMirror.fullModulePorts(module).map(_._2).collect {
    case port: Element
        if DataMirror.directionOf(port) == ActualDirection.Input && port.getWidth > 0 && !port.isInstanceOf[Clock] =>
      port
  }

  /** Hold the module's reset for `cycles` clock cycles. */
  def resetDesign(module: Module, cycles: Int = 2): Unit = {
    current.set(module.reset, 1)
    step(cycles)
    current.set(module.reset, 0)
  }

  /** Advance the clock by `cycles`, 0 or more. */
  def step(cycles: Int = 1): Unit = if (cycles > 0) current.step(cycles)

  /** Advance the clock until `signal` is true, at most `limit` cycles; the number of cycles it took.
    * Fails if the signal is still false then. The signal is looked at before the first step.
    */
  def stepUntil(signal: Bool, limit: Int): Int = {
    val cycles = if (signal.peekBoolean()) 0 else current.stepUntil(signal, limit)
    if (!signal.peekBoolean()) throw new AssertionError(s"$signal is still false after $limit cycles")
    cycles
  }

  implicit class SimulatedSignal(signal: Element) {
    def poke(value: BigInt): Unit = current.set(signal, value)
    def poke(value: Boolean): Unit = current.set(signal, if (value) 1 else 0)
    def peek(): BigInt = current.get(signal)
    def peekBoolean(): Boolean = peek() != 0
    def expect(value: BigInt): Unit = {
      val seen = peek()
      if (seen != value)
        throw new AssertionError(s"$signal is 0x${seen.toString(16)}, expected 0x${value.toString(16)}")
    }
    def expect(value: Boolean): Unit = expect(if (value) BigInt(1) else BigInt(0))
  }

  implicit class SimulatedReadyValid[T <: Data](port: ReadyValidIO[T]) {

    /** Offer one item, whose fields `fill` pokes, until it is taken; leaves `valid` low. At most `limit` cycles of waiting. */
    def send(limit: Int = 1000)(fill: T => Unit): Unit = {
      fill(port.bits)
      port.valid.poke(true)
      stepUntil(port.ready, limit)
      step()
      port.valid.poke(false)
    }

    /** Take one item, read by `look` in the cycle in which it is taken; leaves `ready` low. At most `limit` cycles of waiting. */
    def receive[R](limit: Int = 1000)(look: T => R): R = {
      port.ready.poke(true)
      stepUntil(port.valid, limit)
      val result = look(port.bits)
      step()
      port.ready.poke(false)
      result
    }
  }
}

/** A design that was built. */
private[testing] trait Simulator[T] {

  /** Starts a simulation and runs the body in it. */
  def run(body: (T, RunningSimulation) => Unit): Unit
}

/** The simulation a test body talks to: pokes and steps are queued, a peek settles the design and waits for the answer.
  *
  * Waiting for an answer takes most of the time, and test bodies read the same ports repeatedly. A read therefore also
  * requests the ports that were read after this one the last time.
  */
private[testing] final class RunningSimulation(
    ports: Data => svsim.Simulation.Port,
    controller: svsim.Simulation.Controller
) {
  private val known = new java.util.IdentityHashMap[Data, svsim.Simulation.Port]
  private val driven = new java.util.IdentityHashMap[Data, BigInt]
  private var clock: svsim.Simulation.Port = _
  private var settled = false
  private var queued = 0
  private var time = 0L
  val traced = new mutable.ArrayBuffer[Long]

  /** Since the last change: values of ports, the ports in the order of their reads, and the indexes of the reads that had to ask. */
  private val values = new java.util.IdentityHashMap[Data, BigInt]
  private val read = new mutable.ArrayBuffer[Data]
  private val asked = new mutable.ArrayBuffer[Int]

  /** Ports that were read from this one on, the last time that it had to ask. */
  private val following = new java.util.IdentityHashMap[Data, Seq[Data]]

  /** Commands whose answers were not read fill the simulator's pipe, and then both ends wait for ever. */
  private val mostQueued = 200

  private def port(data: Data): svsim.Simulation.Port = {
    var found = known.get(data)
    if (found == null) {
      found = ports(data)
      known.put(data, found)
    }
    found
  }

  def flush(): Unit = {
    controller.completeInFlightCommands()
    queued = 0
  }

  private def count(): Unit = {
    queued += 1
    if (queued >= mostQueued) flush()
  }

  def open(clockSignal: Clock): Unit = clock = port(clockSignal)

  def set(data: Data, value: BigInt): Unit = {
    val width = data.getWidth
    require(
      value >= 0 && value.bitLength <= width,
      s"0x${value.toString(16)} does not fit the $width bits of $data: poke an unsigned value of that width"
    )
    // Every command crosses a pipe, and most ports keep their values
    if (driven.put(data, value) != value) {
      port(data).set(value)
      changed(isSettled = false)
      count()
    }
  }

  /** Have the trace show all that there is, at the time that is the last of `traced`. */
  def trace(): Unit = {
    controller.setTraceEnabled(true)
    controller.run(1)
    traced += time
    time += 1
    flush()
  }

  /** Of an input, as it was driven. */
  def valueOf(input: Data): BigInt = driven.getOrDefault(input, 0)

  private def changed(isSettled: Boolean): Unit = {
    settled = isSettled
    if (read.nonEmpty) {
      for (at <- asked) following.put(read(at), read.slice(at, at + mostQueued).toSeq)
      values.clear()
      read.clear()
      asked.clear()
    }
  }

  def get(data: Data): BigInt = {
    if (!values.containsKey(data)) {
      if (!settled) controller.run(0)
      settled = true
      asked += read.size
      for (other <- data +: following.getOrDefault(data, Nil) if !values.containsKey(other)) {
        values.put(other, null)
        port(other).check(value => values.put(other, value.asBigInt))
      }
      flush()
    }
    read += data
    values.get(data)
  }

  def step(cycles: Int): Unit = {
    clock.tick(timestepsPerPhase = 1, cycles = cycles, inPhaseValue = 0, outOfPhaseValue = 1)
    time += 2L * cycles
    changed(isSettled = true)
    count()
  }

  /** Step until `signal` is one, at most `limit` cycles; the number of steps. */
  def stepUntil(signal: Data, limit: Int): Int =
    if (limit == 0) 0
    else {
      queued = 0
      changed(isSettled = true)
      val cycles = clock.tick(
        timestepsPerPhase = 1,
        maxCycles = limit,
        inPhaseValue = 0,
        outOfPhaseValue = 1,
        sentinel = Some((port(signal), BigInt(1)))
      ).toInt
      time += 2L * cycles
      cycles
    }
}
