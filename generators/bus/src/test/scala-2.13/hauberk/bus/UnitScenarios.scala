package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Drives the unit of member 1 alone, in place of the shared bus and of all other members, whose part the reference model says.
  *
  * Groups 0 and 1 are this member's; group 2 is of others, and there is no group 3.
  */
class UnitBench(simulation: Simulation, val dut: SecurityHardwareUnit, random: Random) {
  import simulation._
  private val p = dut.p
  val (io, bus, control) = (dut.io, dut.io.sharedBus, dut.io.control)
  private val groups =
    new GroupControl(simulation, control.command, control.refusal, control.keyWrite, control.keyRefusal)

  /** By group. */
  var members: Seq[Set[Int]] = UnitBench.usual
  val models: mutable.Map[Int, ReferenceGroup] = mutable.Map.empty
  val padKeys: mutable.Map[Int, BigInt] = mutable.Map.empty
  val pid = 1

  def reset(): Unit = {
    for (input <- Seq(bus.tick, bus.granted, bus.shown, bus.commit, io.globalAlarm, io.send.valid)) input.poke(false)
    for (input <- Seq(control.command.valid, control.keyWrite.valid, control.contextIn.valid)) input.poke(false)
    control.fault.poke(0)
    io.pads.get.transmit.valid.poke(false)
    io.pid.poke(pid)
    for (input <- Seq(io.accepts, io.pads.get.receive.ready, control.random.valid)) input.poke(true)
    resetDesign(dut)
    models.clear()
    padKeys.clear()
    members = UnitBench.usual
  }
  def command(operation: Int, group: Int, interval: BigInt = 0): Int =
    groups.command(operation, group, members(group).map(1 << _).sum, interval)

  /** The end of a bus cycle, in which nothing passes unless the wires say so. */
  def tick(cycles: Int = 3): Unit = {
    step(cycles)
    bus.tick.poke(true)
    step()
    bus.tick.poke(false)
  }

  def frame(kind: Int, group: Int, source: Int, data: BigInt, channel: Int = 0, destination: Int = 0): Frame =
    Frame(kind, group, source, destination, channel, 0, hasData = false, last = true, data)
  def seen: Frame = Frame.seen(simulation, bus.beat)
  private def put(beat: BusBeat, frame: Frame): Unit = {
    for (
      (port, value) <- Seq(beat.kind, beat.group, beat.source, beat.destination, beat.channel)
        .zip(Seq(frame.kind, frame.group, frame.source, frame.destination, frame.channel))
    ) port.poke(value)
    beat.command.poke(frame.command)
    beat.hasData.poke(frame.hasData)
    beat.last.poke(frame.last)
    beat.data.poke(frame.data)
  }

  /** Others' beat is on the lines until `hidden`. */
  def shown(frame: Frame): Unit = {
    put(bus.received, frame)
    bus.shown.poke(true)
  }
  def hidden(): Unit = {
    shown(UnitBench.nothing)
    bus.shown.poke(false)
  }

  /** The beat that is shown is taken, whether the unit accepts it or not; `look` sees the unit in that cycle. */
  def commit(look: => Unit = ()): Unit = {
    bus.tick.poke(true)
    bus.commit.poke(true)
    look
    step()
    bus.tick.poke(false)
    bus.commit.poke(false)
  }
  def hear(frame: Frame, limit: Int = 300): Unit = {
    shown(frame)
    stepUntil(bus.accepts, limit)
    commit()
    hidden()
  }
  def grant(look: => Unit = ()): Frame = {
    bus.tick.poke(true)
    bus.granted.poke(true)
    look
    val beat = seen
    step()
    bus.tick.poke(false)
    bus.granted.poke(false)
    beat
  }

  /** What this member has to say is this, with this urgency. */
  def speaks(kind: Int, group: Int, urgency: Int, limit: Int = 300): BigInt = {
    stepUntil(bus.request, limit)
    bus.urgency.expect(urgency)
    val beat = grant()
    assert(beat == frame(kind, group, pid, beat.data))
    beat.data
  }
  def allocate(group: Int, interval: BigInt): BigInt = allocate(group, interval, BigInt(128, random))
  def allocate(group: Int, interval: BigInt, key: BigInt): BigInt = {
    assert(command(GroupOperation.allocate, group, interval) == GroupRefusal.none)
    if (members(group)(pid)) for (word <- 0 to 1)
      assert(groups.word(group, word, (key >> (64 * (1 - word))) & ((BigInt(1) << 64) - 1)) == GroupRefusal.none)
    key
  }
  def open(group: Int): BigInt = {
    val nonce = BigInt(64, random)
    control.random.bits.poke(nonce)
    assert(command(GroupOperation.open, group) == GroupRefusal.none)
    nonce
  }

  /** A set-up to where data pass, by shares and MACs that are right. */
  def setUp(group: Int, interval: BigInt = 1000): BigInt = {
    val key = allocate(group, interval)
    setUpWith(group, key)
    key
  }
  def setUpWith(group: Int, key: BigInt): Unit = {
    val nonce = open(group)
    val all = members(group).toSeq.sorted
    val shares = all.map { member =>
      val share =
        if (member == pid) {
          val urgency = if (member == all.head) 0 else 8
          val share = speaks(FrameKind.setUp, group, urgency)
          assert(share == nonce)
          share
        } else {
          val share = BigInt(64, random)
          hear(frame(FrameKind.setUp, group, member, share))
          share
        }
      member -> share
    }
    val model = new ReferenceGroup(p, group, key, shares.toMap)
    models(group) = model
    padKeys(group) =
      if (group == 0) padKeys.getOrElse(0, ReferenceGroup.padKey(key, shares.toMap))
      else ReferenceGroup.padKeyOf(group, key, members(group), padKeys(0))
    step(300)
    tick()
    tick()
    for (member <- all.take(2)) showMac(group, member, model.takeTag())
    assert(control.agreed.peek().testBit(group))
  }

  /** This member has a beat to send, to member 2. */
  def offer(group: Int, channel: Int, data: Option[BigInt], last: Boolean): Frame = {
    val frame =
      Frame(0, group, 1, 2, channel, BigInt(40, random), data.nonEmpty, last, data.getOrElse(BigInt(0)))
    io.send.valid.poke(true)
    put(io.send.bits, frame)
    frame
  }
  def showMac(group: Int, member: Int, tag: BigInt): Unit =
    if (member == pid) assert(speaks(FrameKind.authentication, group, 8) == tag)
    else hear(frame(FrameKind.authentication, group, member, tag))
}

object UnitBench {
  val usual: Seq[Set[Int]] = Seq(Set(0, 1, 2), Set(1, 2), Set(0, 2))
  val nothing: Frame = Frame(0, 0, 0, 0, 0, 0, hasData = false, last = false, 0)
  val params: BusParams =
    SmallBus(3, 128, SmallBus.secure.copy(groups = 3, heartbeat = 1000, timeout = 2000, authenticateCommands = true))
      .copy(pads = Some(PadParams(4, countBits = 8, groups = 3)))
}

/** Scenarios of one unit, each behind a reset. */
abstract class UnitScenarios extends AnyFunSuite with Simulation {
  private val seed = 81
  protected val random = new Random(seed)
  protected def scenarios(all: (String, UnitBench => Unit)*): Unit =
    test(all.map(_._1).mkString("; ")) {
      simulate(new SecurityHardwareUnit(UnitBench.params)) { dut =>
        val bench = new UnitBench(this, dut, random)
        for ((scenario, body) <- all) withClue(s"$scenario, seed $seed: ") {
          bench.reset()
          body(bench)
        }
      }
    }
}
