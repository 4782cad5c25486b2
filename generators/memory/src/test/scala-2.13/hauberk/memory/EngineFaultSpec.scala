package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.fault.DetectFaults
import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.memory.engine.EngineIO
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.{Elaborate, FaultInjector, FaultSite, Flip, Simulation, StoredState, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** An engine whose protected state can be flipped. */
private class FaultyEngine(val p: Protection, val sites: Seq[FaultSite]) extends Module {
  private val engine = Module(new MemoryProtectionEngine(p))
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits))
  io <> engine.io
  val flip: Valid[Flip] = IO(Flipped(Valid(new Flip)))
  FaultInjector(sites.map(_.within("engine"))) := flip
}

/** Single flips anywhere in an engine's protected state, while it works: no answer is wrong, and an alarm says `chip fault` and halts. */
class EngineFaultSpec extends AnyFunSuite with Simulation {
  private val seed = 63
  private def protection(params: ProtectionParams) =
    Protection(SmallCaches(params).copy(faults = DetectFaults), Bank(localBytes = 1 << 15))

  /** What docs/faults.md lists, by module and name. */
  private def isProtected(module: String, name: String): Boolean = module.replaceFirst("_\\d+$", "") match {
    case "LineCache" => name.matches("(tags|fills|evictions|data)(_\\d+)?_ext")
    case "RootTable" | "HashRoot" => name.endsWith("_ext")
    case "MemoryProtectionEngine" => Set("armed", "halted")(name)
    case "ReadUnit" => name.matches("(denied|judged|zero)_\\d+")
    case "MacVerifier" => name.matches("zero_\\d+")
    case "KeyTable" => name.matches(".*(key|written)_\\d+|hasStart.*")
    case _ => false
  }

  /** Flips so many bits, of which half are of a random site and half of a random bit. */
  private def campaign(params: ProtectionParams, flips: Int): Unit = {
    val p = protection(params)
    val sites = StoredState.in(Elaborate(new MemoryProtectionEngine(p)), "MemoryProtectionEngine")(isProtected)
    for (name <- Seq("tags", "fills", "evictions", "data", "armed", "halted", "judged", "zero", "key"))
      assert(sites.exists(_.path.split("\\.").exists(_.contains(name))), s"$name is not among ${sites.map(_.path)}")
    simulate(new FaultyEngine(p, sites)) { dut =>
      val random = new Random(seed)
      val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
      val bits = sites.map(site => site.rows * site.bits)
      var alarms, quiet, done = 0
      var last = "none"
      while (done < flips) {
        resetDesign(dut)
        val bench = new EngineBench(this, dut.io, p, SteadyMemory(4))
        bench.start(keys)
        var wait = -1
        def tick(): Unit = {
          dut.flip.valid.poke(wait == 0)
          wait -= 1
          bench.tick()
        }
        val plain = Array.fill(p.layout.dataBlocks.toInt)(Option.empty[Seq[Byte]])
        def work(transfers: Int): Unit = {
          val limit = bench.cycle + 20000
          val asked = Seq.fill(transfers) {
            val block = random.nextInt(plain.length)
            val write = plain(block).isEmpty || random.nextBoolean()
            val data = if (write) Transfer.randomBytes(random, 64) else Nil
            val ticket = bench.ask(Transfer(write, 64 * block, 6, data))
            val expected = plain(block)
            if (write) plain(block) = Some(data)
            (ticket, write, expected)
          }
          // A halted engine without a key need not answer
          var halted = 0
          while (!bench.idle && halted < 200) {
            tick()
            if (dut.io.status.halted.peekBoolean()) halted += 1
            assert(bench.cycle < limit, s"unanswered without an alarm after flip $done, of $last")
          }
          for {
            (ticket, write, expected) <- asked
            answer <- bench.answers.get(ticket)
          } {
            if (!answer.denied && !write)
              assert(expected.contains(answer.data), s"a wrong answer after flip $done, of $last")
            assert(
              !answer.denied || dut.io.status.halted.peekBoolean(),
              s"denied without an alarm after flip $done, of $last"
            )
          }
        }
        work(12)
        assert(!dut.io.status.halted.peekBoolean(), "an alarm without a flip")
        while (done < flips && !dut.io.status.halted.peekBoolean()) {
          val site = if (done % 2 == 0) random.nextInt(sites.size)
          else {
            val bit = random.nextInt(bits.sum)
            bits.scanLeft(0)(_ + _).lastIndexWhere(_ <= bit)
          }
          last = sites(site).path
          dut.flip.bits.site.poke(site)
          dut.flip.bits.row.poke(random.nextInt(sites(site).rows))
          dut.flip.bits.bit.poke(random.nextInt(sites(site).bits))
          // In the middle of traffic, at a random cycle
          wait = random.nextInt(60)
          work(6)
          while (wait >= 0) tick()
          if (!dut.io.status.halted.peekBoolean()) work(2)
          done += 1
          if (dut.io.status.halted.peekBoolean()) {
            alarms += 1
            assert(dut.io.status.alarm.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.chipFault)
            val ticket = bench.ask(Transfer(write = false, 0, 6))
            for (_ <- 0 until 100) bench.tick()
            assert(bench.answers.get(ticket).forall(_.denied), s"a halted engine answers after a flip of $last")
          } else quiet += 1
        }
      }
      info(
        s"$done flips in ${sites.size} places of ${bits.sum} bits: $alarms alarmed, $quiet corrected or not used, no wrong answer"
      )
      assert(alarms > flips / 10 && quiet > flips / 10)
    }
  }

  for {
    flips <- Seq(40, 1000)
    name <- Seq("BonsaiTreeBlocking", "AegisHashTree")
  }
    test(s"$flips flips, $name", Thorough.unless(flips == 40 && name == "BonsaiTreeBlocking"): _*) {
      campaign(ProtectionParams.presets(name), flips)
    }
}
