package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.integrity.NoIntegrity
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Each command of an engine with each other one, in the same cycle and soon after, while reads and writes are under way: what is read is right, or
  * denied and zero, all is answered once the key is there again, and the engine goes on unless it was told to halt.
  */
class EngineEventsSpec extends AnyFunSuite with Simulation {
  private val blocks = 6

  /** A command, in a cycle: `off` ends it. */
  private case class Event(name: String, on: () => Unit, off: () => Unit)

  private class Events(dut: MemoryProtectionEngine) {
    private def pulse(name: String, port: chisel3.Bool) = Event(name, () => port.poke(true), () => port.poke(false))
    private def zeroizes(slot: Int) = Event(
      s"zeroize $slot",
      () => {
        dut.io.keyZeroize.valid.poke(true)
        dut.io.keyZeroize.bits.poke(slot)
      },
      () => dut.io.keyZeroize.valid.poke(false)
    )
    private val control = dut.io.control
    private val word = Event(
      "a word of a key",
      () => {
        dut.io.keyWrite.valid.poke(true)
        dut.io.keyWrite.bits.slot.poke(KeySlot.dynamic)
        dut.io.keyWrite.bits.word.poke(1)
        dut.io.keyWrite.bits.data.poke(77)
      },
      () => dut.io.keyWrite.valid.poke(false)
    )
    // It stays
    val halt: Event = Event("halt", () => control.halt.poke(true), () => ())
    val ofAll: Seq[Event] = Seq(pulse("arm", control.arm), pulse("flush", control.flush), halt)
    val check: Event = pulse("check", control.check)
    val ofKeys: Seq[Event] = Seq(zeroizes(KeySlot.static), zeroizes(KeySlot.dynamic), word)
  }

  private def content(block: Int) = Seq.tabulate(64)(i => (37 * block + i + 1).toByte)
  private def read(block: Int) = Transfer(write = false, 64 * block, 6)
  private def write(block: Int) = Transfer(write = true, 64 * block, 6, content(block))

  private def pair(
      dut: MemoryProtectionEngine,
      events: Events,
      first: Event,
      second: Event,
      after: Int,
      seed: Int
  ): Unit = {
    resetDesign(dut)
    val random = new Random(seed)
    val bench = new EngineBench(this, dut, new HastyMemory(random, 30))
    val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
    bench.start(keys)
    for (answer <- bench.runAll((0 until blocks).map(write))) assert(!answer.denied)
    val traffic =
      Seq.fill(16)(random.nextInt(blocks)).map(block => if (random.nextInt(3) == 0) write(block) else read(block))
    val tickets = traffic.map(bench.ask)
    for (_ <- 0 until random.nextInt(60)) bench.tick()
    first.on()
    if (after > 0) {
      bench.tick()
      first.off()
      for (_ <- 1 until after) bench.tick()
    }
    second.on()
    bench.tick()
    Seq(first, second).foreach(_.off())
    for (_ <- 0 until 40) bench.tick()
    val slots = Seq(KeySlot.static, KeySlot.dynamic)
    if (!slots.forall(dut.io.status.usable(_).peekBoolean())) {
      // Of a key that is written in part nothing may be left
      slots.foreach(bench.zeroize)
      bench.loadKeys(keys)
    }
    bench.drain(20000)
    val halts = Seq(first, second).contains(events.halt)
    val refuses = halts || Seq(first, second).exists(events.ofKeys.contains)
    def assertNoFinding(): Unit = {
      val cause = dut.io.status.cause.peek()
      assert(cause == AlarmCause.none || refuses && cause == AlarmCause.notArmed, s"cause $cause")
    }
    for ((asked, ticket) <- traffic.zip(tickets)) {
      val answer = bench.answers(ticket)
      assert(answer.denied || asked.write || answer.data == content(asked.address / 64), s"$asked is ${answer.data}")
    }
    // It halts for another engine, and does not say so of itself
    assert(!dut.io.status.halted.peekBoolean())
    assertNoFinding()
    val limit = bench.cycle + 20000
    while (dut.io.status.flushing.peekBoolean() || dut.io.status.checking.peekBoolean()) {
      bench.tick()
      assert(bench.cycle < limit, "a flush or a check does not end")
    }
    for (block <- 0 until blocks) {
      val answers = bench.runAll(Seq(write(block), read(block)))
      if (halts) assert(answers.forall(_.denied), s"block $block is served behind a halt")
      else assert(answers.forall(!_.denied) && answers(1).data == content(block), s"block $block")
    }
    assertNoFinding()
  }

  private def pairs(name: String, params: ProtectionParams)(of: Events => Seq[Event]): Unit =
    test(s"$name: any two commands") {
      val p = Protection(SmallCaches(params), Bank(localBytes = 1 << 15, idBits = 4))
      simulate(new MemoryProtectionEngine(p)) { dut =>
        val events = new Events(dut)
        val all = of(events)
        var seed = 0
        for {
          first <- all
          second <- all
          after <- Seq(0, 1, 2, 9) if after > 0 || all.indexOf(first) < all.indexOf(second)
        } withClue(s"${first.name}, and ${second.name} after $after cycles: ") {
          seed += 1
          pair(dut, events, first, second, after, seed)
        }
      }
    }

  // Without integrity a key may come back; all that was verified under it would be lost
  pairs("one-time pads", ProtectionParams.aegisOtp.copy(integrity = NoIntegrity))(events =>
    events.ofAll ++ events.ofKeys
  )
  pairs("Bonsai tree", ProtectionParams.bonsaiTree)(events => events.ofAll :+ events.check)
}
