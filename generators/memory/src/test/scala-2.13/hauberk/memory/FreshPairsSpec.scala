package hauberk.memory

import chisel3._
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint, FreshPairs, SteeredPairs}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** What is known of used pairs, against an exact model: it never says of a used pair that it is new. How often it says no of a new one is told. */
// covers: memory.steered-pads
class FreshPairsSpec extends AnyFunSuite with Simulation {
  private val last = (1 << CounterHint.valueBits) - 2

  private class Model(dut: FreshPairs, g: CompilerCounters, blockBits: Int, random: Random) {
    private val used = mutable.Set.empty[(Int, Int, Int)]
    val values: Array[Int] = Array.fill(g.registers)(1)
    var asked, fresh, refused = 0
    val blocks: Int = 1 << blockBits
    def clear(): Unit = {
      dut.io.use.poke(false)
      Seq(dut.io.block, dut.io.id).foreach(_.poke(0))
      dut.io.value.poke(1)
    }
    def start(): Unit = {
      clear()
      // It says no until it is cleared; a use in this time is never asked for
      for (_ <- 0 to math.max(g.ids, g.registers * g.filter)) step()
    }
    def next(register: Int, by: Int = 1): Unit = values(register) = math.min(last, values(register) + by)

    /** A store; taken if it is said to be fresh, unless it only asks. */
    def access(id: Int, block: Int, takes: Boolean = true): Boolean = {
      val value = values(id % g.registers)
      dut.io.block.poke(block)
      dut.io.id.poke(id)
      dut.io.value.poke(value)
      dut.io.use.poke(false)
      val says = dut.io.fresh.peekBoolean()
      val isNew = !used((id, value, block))
      assert(!says || isNew, s"id $id, value $value: block $block is said to be new after $asked accesses")
      asked += 1
      if (isNew) { if (says) fresh += 1 else refused += 1 }
      dut.io.use.poke(says && takes)
      step()
      if (says && takes) used += ((id, value, block))
      says
    }
    def edgy(n: Int): Int = random.nextInt(4) match {
      case 0 => 0
      case 1 => n - 1
      case _ => random.nextInt(n)
    }
  }

  private val points = Seq(
    (8, 128, 32, 20),
    (1, 3, 2, 11),
    (16, 128, 2, 10),
    (16, 100, 64, 7),
    (2, 8, 4, 10),
    (4, 5, 8, 6),
    (1, 128, 16, 5)
  )
  for ((registers, ids, filter, blockBits) <- points) {
    val g = CompilerCounters(registers = registers, ids = ids, filter = filter)
    test(s"never says new of a used pair: $registers registers, $ids ids, filter $filter, $blockBits bits of block") {
      simulate(new FreshPairs(g, blockBits)) { dut =>
        for (narrow <- Seq(true, false)) {
          resetDesign(dut)
          val random = new Random(11)
          val m = new Model(dut, g, blockBits, random)
          m.start()
          for (i <- 0 until 12000) {
            if (random.nextInt(40) == 0)
              m.next(random.nextInt(registers), if (random.nextInt(5) == 0) random.nextInt(1 << 20) else 1)
            val id = m.edgy(if (narrow) math.min(ids, 3) else ids)
            val block = if (narrow)
              random.nextInt(math.min(m.blocks, 12)) + m.edgy(2) * (m.blocks - math.min(m.blocks, 12))
            else m.edgy(m.blocks)
            m.access(id, block, takes = random.nextInt(8) != 0)
          }
          info(
            s"${if (narrow) "few" else "all"} blocks: ${m.asked} asked, ${m.fresh} new, ${m.refused} new and refused"
          )
        }
      }
    }
  }

  test("how often a new pair is refused, by order of blocks") {
    val g = CompilerCounters()
    val blockBits = 20
    simulate(new FreshPairs(g, blockBits)) { dut =>
      val random = new Random(12)
      def share(name: String, n: Int)(blocks: => Seq[Int], ids: Seq[Int] = Seq(5)): Unit = {
        resetDesign(dut)
        val m = new Model(dut, g, blockBits, random)
        m.start()
        for (_ <- 0 until n) {
          for (id <- ids.map(_ % g.registers).distinct) m.next(id)
          for {
            b <- blocks
            id <- ids
          } m.access(id, b)
        }
        info(
          f"$name: ${m.refused} of ${m.refused + m.fresh} new pairs refused (${100.0 * m.refused / (m.refused + m.fresh)}%.1f %%)"
        )
      }
      share("ascending, 1000 blocks", 3)(0 until 1000)
      share("descending, 1000 blocks", 3)((0 until 1000).reverse)
      share("ascending by 16", 3)((0 until 1000).map(_ * 16))
      for (n <- Seq(4, 8, 16, 32, 100, 1000))
        share(s"random order, $n neighbours", math.max(2, 2000 / n))(random.shuffle((0 until n).toList))
      for (n <- Seq(8, 32, 100))
        share(s"random order, $n anywhere", math.max(2, 2000 / n))(Seq.fill(n)(random.nextInt(1 << blockBits)).distinct)
      share("two arrays in turn, ascending, one id", 2)((0 until 500).flatMap(i => Seq(i, 100000 + i)))
      share("two arrays in turn, ascending, an id each of one register", 2)((0 until 500), Seq(5, 13))
      share("ascending but for swapped neighbours", 3)((0 until 1000).grouped(2).flatMap(_.reverse).toSeq)
      share("once up, once down again (the second is used)", 3)((0 until 200) ++ (0 until 200).reverse)
    }
  }

  private val words = Protection(
    ProtectionParams(counters = CompilerCounters(), reads = 4, writes = 4),
    Bank(localBytes = 1 << 14, blockBytes = 8)
  )
  private def idle(dut: SteeredPairs): Unit = {
    Seq(dut.io.hint.valid, dut.io.access.valid, dut.io.access.write).foreach(_.poke(false))
    Seq(dut.io.hint.bits.kind, dut.io.hint.bits.block, dut.io.hint.bits.id, dut.io.access.block).foreach(_.poke(0))
  }
  private def hint(dut: SteeredPairs, kind: Int, block: Int, id: Int): Unit = {
    dut.io.hint.valid.poke(true)
    dut.io.hint.bits.kind.poke(kind)
    dut.io.hint.bits.block.poke(block)
    dut.io.hint.bits.id.poke(id)
  }

  /** A write, with its pair in the next cycle. */
  private def write(dut: SteeredPairs, block: Int): Option[BigInt] = {
    dut.io.access.valid.poke(true)
    dut.io.access.write.poke(true)
    dut.io.access.block.poke(block)
    step()
    idle(dut)
    if (dut.io.steered.valid.peekBoolean()) Some(dut.io.steered.bits.peek()) else None
  }
  private val counters = words.params.counters.asInstanceOf[CompilerCounters]

  test("a register stops at its last value, which is of no pair, and does not wrap") {
    simulate(new SteeredPairs(words, counters)) { dut =>
      idle(dut)
      step(300)
      hint(dut, CounterHint.next, 0, 7)
      step(last - 1)
      idle(dut)
      hint(dut, CounterHint.store, 5, 127)
      assert(write(dut, 5).contains((BigInt(127) << 24) + last), "the last but one value")
      hint(dut, CounterHint.next, 0, 7)
      step()
      idle(dut)
      for (block <- Seq(5, 6, 0)) {
        hint(dut, CounterHint.store, block, 127)
        assert(write(dut, block).isEmpty, "the last value")
      }
      hint(dut, CounterHint.next, 0, 7)
      step(1000)
      idle(dut)
      hint(dut, CounterHint.store, 9, 7)
      assert(write(dut, 9).isEmpty, "after the last value")
      hint(dut, CounterHint.store, 9, 6)
      assert(write(dut, 9).contains((BigInt(6) << 24) + 1), "its neighbour")
    }
  }

  test("hints and increments in any cycle beside an access never repeat a pair") {
    simulate(new SteeredPairs(words, counters)) { dut =>
      val random = new Random(13)
      idle(dut)
      val seen = mutable.Set.empty[(Int, BigInt)]
      var before: Option[Int] = None
      var steered = 0
      for (cycle <- 0 until 30000) {
        idle(dut)
        for (block <- before if dut.io.steered.valid.peekBoolean()) {
          val pair = dut.io.steered.bits.peek()
          steered += 1
          assert(seen.add((block, pair)), s"pair ${pair.toString(16)} of block $block again in cycle $cycle")
        }
        assert(before.nonEmpty || !dut.io.steered.valid.peekBoolean())
        if (cycle < 600 || random.nextInt(3) != 0)
          random.nextInt(6) match {
            case 0 => hint(dut, CounterHint.next, 0, random.nextInt(2))
            case n => hint(
                dut,
                if (n < 5) CounterHint.store else CounterHint.load,
                random.nextInt(10),
                Seq(0, 1, 8, 9)(random.nextInt(4))
              )
          }
        before = if (random.nextBoolean()) Some(random.nextInt(10)) else None
        for (block <- before) {
          dut.io.access.valid.poke(true)
          dut.io.access.write.poke(true)
          dut.io.access.block.poke(block)
        }
        step()
      }
      info(s"$steered steered")
      assert(steered > 1000)
    }
  }
}
