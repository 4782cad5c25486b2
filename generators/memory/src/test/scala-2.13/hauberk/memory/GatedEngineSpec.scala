package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot, RegionParams}
import hauberk.memory.counter.{SplitCounters, TimestampUpdate, Timestamps}
import hauberk.memory.integrity.{BonsaiTree, LogHash}
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Gated engines: in every cycle the same as engines without a gate, whatever happens after however long a rest; and they do rest. */
class GatedEngineSpec extends AnyFunSuite with Simulation {
  private val seed = 2003
  import ProtectionParams._

  private def schemes: Map[String, ProtectionParams] = presets.map { case (name, params) =>
    name -> SmallCaches(params)
  } ++ Map(
    "AegisOtp, posted writes" -> SmallCaches(aegisOtp).copy(postedWrites = true),
    "AegisOtp, regions" -> SmallCaches(aegisOtp).copy(regions = RegionParams(entries = 2, contexts = 2)),
    "AegisOtp, re-encryption" ->
      SmallCaches(aegisOtp).copy(counters = Timestamps(7, SmallCaches.cache, reserve = Some(90))),
    "AegisHashTree, re-encryption" ->
      SmallCaches(aegisHashTree).copy(counters = Timestamps(7, SmallCaches.cache, reserve = Some(90))),
    "AegisLogHash, short versions" -> {
      val params = SmallCaches(aegisLogHash)
      params.copy(integrity = params.integrity.asInstanceOf[LogHash].copy(versionBits = 10))
    },
    "mixed timestamps under a counter tree" -> SmallCaches(
      aegisOtp.copy(counters = Timestamps(28, update = TimestampUpdate.Mixed), integrity = BonsaiTree())
    )
  )

  /** Drives a pair at random and compares it in every cycle. */
  private class Driver(dut: GatedEnginePair, random: Random) {
    private val p = dut.p
    private val timing = if (random.nextBoolean()) new HastyMemory(random, 30) else SteadyMemory(12)
    private val bench = new EngineBench(GatedEngineSpec.this, dut.io, p, timing)
    private val dataBlocks = (p.layout.dataBytes / 64).toInt.min(96)
    private var lastEvent = "nothing"

    /** A minor counter has 7 bits. */
    private val writesToTurnAPage = if (p.params.counters.isInstanceOf[SplitCounters]) 140 else 20

    /** Slots with a key of each context. */
    private val slots =
      Seq(KeySlot.static, KeySlot.dynamic) ++ (if (p.regions.contexts > 1) Seq(KeySlot.spare) else Nil)
    private def isUsable(slot: Int) = dut.io.status.usable(slot).peekBoolean()

    /** Of the two keys of a scheme that goes from one to the other, one is enough. */
    private def hasKey(slot: Int) =
      isUsable(slot) || (slot == KeySlot.dynamic && p.params.counters.rekeys && isUsable(KeySlot.spare))

    /** Nothing keeps the engine from coming to rest: all keys are there, and no re-encryption is under way or due. */
    private def isWell =
      slots.forall(hasKey) && !dut.io.status.halted.peekBoolean() && !dut.io.status.rekeying.peekBoolean() &&
        !dut.io.keyWanted.valid.peekBoolean()
    bench.onTick = () => {
      val differences = dut.io.differences.peek()
      val names = GatedEnginePair.outputs.indices.filter(differences.testBit).map(GatedEnginePair.outputs)
      assert(names.isEmpty, s"${names.mkString(", ")} differ in cycle ${bench.cycle} of seed $seed, after $lastEvent")
    }
    private def bytes(n: Int) = Transfer.randomBytes(random, n).toArray

    private def tick(): Unit = {
      bench.tick()
      if (dut.io.keyWanted.valid.peekBoolean() && random.nextInt(20) == 0)
        bench.loadKey(dut.io.keyWanted.bits.peek().toInt, bytes(16))
    }

    /** Until the clock stands, and some cycles more or less: what comes then meets it as it stops, or stopped. */
    private def rest(): Unit = {
      def waitFor(cycles: Int): Unit = {
        val limit = bench.cycle + cycles
        while ((!bench.idle || dut.io.running.peekBoolean()) && bench.cycle < limit) tick()
      }
      waitFor(300)
      // Without a key, and when it has halted, an engine may wait for ever
      if (isWell) {
        waitFor(20000)
        assert(!isWell || !dut.io.running.peekBoolean(), s"the clock runs for nothing after $lastEvent")
      }
      for (_ <- 0 until random.nextInt(4)) tick()
    }
    private def pause(): Unit = random.nextInt(3) match {
      case 0 => rest()
      case 1 => for (_ <- 0 until random.nextInt(60)) tick()
      case _ =>
        // As many cycles after the last answer as a clock runs on, give or take a few
        for (_ <- 0 until 2000 if !bench.idle) tick()
        for (_ <- 0 until random.nextInt(14)) tick()
    }

    private def ask(count: Int, blocks: Int): Unit =
      for (_ <- 0 until count) bench.ask(Transfer.random(random, p, blocks))
    private def giveKeys(): Unit = for (slot <- slots if !hasKey(slot)) {
      bench.zeroize(slot)
      bench.loadKey(slot, bytes(16))
    }
    private def event(name: String)(body: => Unit): Unit = {
      lastEvent = name
      body
      pause()
    }
    private def anyEvent(): Unit = random.nextInt(16) match {
      case 0 => event("a flush")(bench.pulseFlush())
      case 1 =>
        event("a check") {
          dut.io.control.check.poke(true)
          tick()
          dut.io.control.check.poke(false)
        }
      case 2 =>
        event("an access outside the data")(bench.ask(Transfer(
          write = false,
          p.layout.dataBytes.toInt.min(p.bank.localBytes.toInt - 8),
          3
        )))
      case 3 =>
        event("writes of one block") {
          for (_ <- 0 until writesToTurnAPage) bench.ask(Transfer(write = true, 64, 6, bytes(64).toSeq))
        }
      case 4 if random.nextInt(4) == 0 =>
        event("a lost key") {
          ask(random.nextInt(3), dataBlocks)
          for (_ <- 0 until random.nextInt(30)) tick()
          bench.zeroize(slots(random.nextInt(slots.size)))
          for (_ <- 0 until random.nextInt(40)) tick()
          giveKeys()
        }
      case 5 if random.nextInt(3) == 0 =>
        event("refusals by memory") {
          for (_ <- 0 until 3) bench.memory.refused += random.nextInt((p.bank.localBytes / 64).toInt)
          ask(10, dataBlocks)
        }
      case 6 if random.nextInt(4) == 0 =>
        event("a key word")(bench.writeKeyWord(random.nextInt(4), random.nextInt(2), 5))
      case 7 => event("accesses to few blocks")(ask(random.nextInt(12), 3))
      case _ => event("accesses")(ask(1 + random.nextInt(8), dataBlocks))
    }

    def run(events: Int): Unit = {
      bench.quiet()
      for (port <- dut.io.regionWrite) port.valid.poke(false)
      dut.io.control.imageBlocks.poke(random.nextInt(4))
      while (!dut.io.status.initialised.peekBoolean()) tick()
      for {
        port <- dut.io.regionWrite
        (context, i) <- Seq(0, 1).zipWithIndex
      } event("a region") {
        port.bits.index.poke(i)
        port.bits.first.poke(i)
        port.bits.last.poke(i)
        port.bits.kind.plain.poke(context == 0)
        port.bits.kind.context.poke(context)
        port.valid.poke(true)
        tick()
        port.valid.poke(false)
      }
      for {
        slot <- slots
        word <- 0 to 1
      } event("a word of a key")(bench.writeKeyWord(slot, word, BigInt(1, bytes(8))))
      while (!slots.forall(isUsable)) tick()
      event("arming")(bench.arm())
      for (_ <- 0 until events) anyEvent()
      giveKeys()
      rest()
      // The last event: it may be held up for good
      lastEvent = "a response that nobody asked for"
      dut.io.memory.response.bits.id.poke(random.nextInt(4))
      dut.io.memory.response.bits.write.poke(false)
      for (valid <- Seq.fill(8)(true) ++ Seq.fill(8)(false)) {
        dut.io.memory.response.valid.poke(valid)
        bench.onTick()
        step()
      }
    }
  }

  private def protection(params: ProtectionParams): Protection = {
    val gated = params.copy(gated = true, cipher = params.cipher.copy(gated = true))
    Protection(gated, Bank(localBytes = 1 << 14, idBits = 4))
  }

  /** Timestamps, and split counters under a tree */
  private val first =
    Set("AegisOtp, posted writes", "BonsaiTree")

  for ((name, params) <- schemes.toSeq.sortBy(_._1))
    // covers: memory.clock-gates
    test(s"$name: a gated engine is the same cycle by cycle, and rests", Thorough.unless(first(name)): _*) {
      val random = new Random(seed)
      simulate(new GatedEnginePair(protection(params))) { dut =>
        for (_ <- 0 until 8) {
          resetDesign(dut)
          new Driver(dut, random).run(events = 30)
        }
      }
    }

  // covers: memory.clock-gates
  test("the clock runs on behind what comes in, and until a lost key has left the cipher") {
    simulate(new GatedProtectionEngine(protection(SmallCaches(aegisOtp)))) { dut =>
      val bench = new EngineBench(this, dut.io, dut.p, SteadyMemory(12))
      val random = new Random(seed)
      def key() = Transfer.randomBytes(random, 16).toArray

      /** Cycles until the clock stands. */
      def untilRest(): Int =
        Iterator.continually(dut.io.running.peekBoolean()).takeWhile(identity).map(_ => bench.tick()).size
      bench.start(ProtectionKeys(key(), key()))
      bench.run(Transfer(write = false, 0, 6))
      untilRest()
      // Without a log there is nothing to check
      dut.io.control.check.poke(true)
      bench.tick()
      dut.io.control.check.poke(false)
      assert(untilRest() == GatedProtectionEngine.runOn)
      bench.zeroize(KeySlot.dynamic)
      assert(untilRest() > dut.p.cipher.latency)
    }
  }
}
