package hauberk.memory

import hauberk.memory.llc.LastLevelCache
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The last-level cache alone: a memory to its client, and what it may never do to memory. */
class LastLevelCacheSpec extends AnyFunSuite with Simulation {
  private def bench(dut: LastLevelCache, timing: MemoryTiming, seed: Int = 3): LastLevelBench = {
    resetDesign(dut)
    new LastLevelBench(this, dut, timing, seed)
  }
  private def read(block: Int) = Transfer(write = false, 64 * block, 6)
  private def write(bench: LastLevelBench, block: Int, poisonedBeat: Option[Int] = None) =
    Transfer(write = true, 64 * block, 6, Transfer.randomBytes(bench.random, 64), Nil, poisonedBeat)
  private def word(bench: LastLevelBench, block: Int, offset: Int = 8, poisonedBeat: Option[Int] = None) =
    Transfer(write = true, 64 * block + offset, 3, Transfer.randomBytes(bench.random, 8), Nil, poisonedBeat)
  private def random(bench: LastLevelBench, blocks: Seq[Int]): Transfer = {
    val size = if (bench.random.nextBoolean()) 6 else bench.random.nextInt(7)
    val n = 1 << size
    val address = 64 * blocks(bench.random.nextInt(blocks.size)) + (bench.random.nextInt(64) >> size << size)
    val write = bench.random.nextBoolean()
    val holes = write && bench.random.nextInt(3) == 0
    Transfer(
      write,
      address,
      size,
      if (write) Transfer.randomBytes(bench.random, n) else Nil,
      if (holes) Seq.fill(n)(bench.random.nextBoolean()) else Nil
    )
  }

  for ((sets, ways, mshrs, beatBytes) <- Seq((4, 2, 2, 8), (2, 1, 1, 8), (2, 4, 4, 16), (8, 8, 3, 32)))
// covers: memory.last-level-cache
    test(
      s"$sets sets, $ways ways, $mshrs misses, beats of $beatBytes: a plain memory, and all of it in memory after a flush"
    ) {
      simulate(LastLevelBench.cache(sets, ways, mshrs, beatBytes)) { dut =>
        val timings = Seq(SteadyMemory(20), new UnsteadyMemory(new Random(5), 30), new HastyMemory(new Random(6), 60))
        for (timing <- timings) withClue(s"$timing: ") {
          val cache = bench(dut, timing)
          // Few blocks, which meet in the sets and in flight; then all, the last block included
          val last = LastLevelBench.blocks - 1
          for ((blocks, count) <- Seq((Seq(0, 1, sets, 2 * sets, last), 250), ((0 to last).toSeq, 250))) {
            for (_ <- 0 until count) cache.ask(random(cache, blocks))
            cache.drain(flushes = true)
          }
          cache.flush()
          cache.checkMemory()
          assert(cache.hits > 50 && cache.misses > 50 && cache.writebacks > 20)
          val before = cache.memory.writes
          cache.flush()
          assert(cache.memory.writes == before, "a second flush finds something dirty")
        }
      }
    }

  test("a hit is answered two cycles after its request, beat by beat; a miss is sent on in the second cycle") {
    simulate(LastLevelBench.cache(4, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(20))
      cache.run(10)
      val miss = cache.ask(read(255))
      cache.drain()
      val hit = cache.ask(read(255))
      cache.drain()
      val answers = cache.client.answers
      assert(answers(hit).beats.map(_ - answers(hit).asked) == (2 until 10))
      assert(answers(miss).beats.map(_ - answers(miss).asked) == (23 until 31))
    }
  }

  test("writes of whole blocks fetch nothing, and are taken at a beat a cycle") {
    simulate(LastLevelBench.cache(16, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(20))
      cache.run(20)
      val begun = cache.client.cycle
      for (block <- 0 until 16) cache.ask(write(cache, block))
      cache.drain()
      assert(cache.memory.reads == 0 && cache.client.cycle - begun <= 16 * 8 + 8)
    }
  }

  test("a hit is answered while as many misses as there are MSHRs are in flight, and these together") {
    simulate(LastLevelBench.cache(16, 2, 4)) { dut =>
      val cache = bench(dut, SteadyMemory(100))
      cache.ask(read(0))
      cache.drain()
      val misses = (1 to 4).map(block => cache.ask(read(block)))
      val hit = cache.ask(read(0))
      cache.drain()
      val first = misses.map(cache.client.answers(_).beats.head)
      assert(cache.client.answers(hit).beats.last < first.min)
      assert(first.max - first.min <= 4 * 8)
    }
  }

  // covers: memory.cache-denials
  test("what memory refuses is denied and not cached, from the first beat on or from a later one") {
    simulate(LastLevelBench.cache(4, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(10))
      val last = LastLevelBench.blocks - 1
      for {
        block <- Seq(3, last)
        beat <- Seq(0, 5, 7)
      } withClue(s"block $block, beat $beat: ") {
        cache.unknown += block
        // Also if memory takes its refusal back
        cache.memory.broken += ((block, beat))
        val asked = Seq(read(block), word(cache, block), read(block)).map(cache.ask)
        cache.drain()
        assert(asked.forall(cache.client.answers(_).denied))
        cache.memory.broken.clear()
        val bytes = cache.memory.block(block).toSeq
        val again = cache.ask(read(block))
        cache.drain()
        assert(cache.client.answers(again).data == bytes && !cache.client.answers(again).denied)
        cache.flush()
        assert(cache.memory.block(block).toSeq == bytes)
        // Room for the next
        for (other <- Seq(7, 11, 15, 19)) cache.ask(read(other))
        cache.drain()
      }
    }
  }

  // covers: memory.poison
  test("poison stays with its block, in the cache and in memory, until the block is written whole") {
    simulate(LastLevelBench.cache(4, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(10))
      def denied(t: Transfer): Boolean = {
        val ticket = cache.ask(t)
        cache.drain()
        cache.client.answers(ticket).denied
      }
      def evict(block: Int): Unit = for (i <- 1 to 4) assert(!denied(read((block + 4 * i) % LastLevelBench.blocks)))
      val poisons = Seq[(String, (Int, Int) => Transfer)](
        "a block" -> ((block, beat) => write(cache, block, Some(beat))),
        "a word" -> ((block, _) => word(cache, block, 8, Some(0)))
      )
      for {
        block <- Seq(2, LastLevelBench.blocks - 1)
        (name, poison) <- poisons
        beat <- Seq(0, 7)
        cached <- Seq(false, true)
      } withClue(s"$name of block $block, beat $beat, ${if (cached) "cached" else "not cached"}: ") {
        cache.unknown += block
        if (cached) assert(!denied(read(block))) else evict(block)
        assert(!denied(poison(block, beat)))
        assert(denied(read(block)) && denied(word(cache, block)) && denied(word(cache, block, 56)))
        evict(block)
        assert(cache.memory.poisoned(block), "poison does not come to memory")
        assert(denied(read(block)) && denied(word(cache, block)))
        assert(!denied(write(cache, block)) && !denied(read(block)))
        evict(block)
        assert(!cache.memory.poisoned(block))
        // Also where the poisoned line has not left
        assert(!denied(poison(block, beat)) && denied(read(block)))
        assert(!denied(write(cache, block)) && !denied(read(block)) && !denied(word(cache, block)))
        cache.unknown -= block
        assert(!denied(read(block)))
      }
      assert(cache.lost == 0)
    }
  }

  // covers: memory.cache-denials
  test("a line that memory refuses to take back is reported as lost") {
    simulate(LastLevelBench.cache(4, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(10))
      val last = LastLevelBench.blocks - 1
      cache.memory.refused += last
      cache.ask(write(cache, last))
      cache.ask(write(cache, 1))
      cache.drain()
      assert(cache.lost == 0)
      cache.flush()
      assert(cache.lost == 1)
    }
  }

  test("a flush that is commanded during another takes what that has passed by, in every cycle") {
    simulate(LastLevelBench.cache(16, 2, 2)) { dut =>
      val cache = bench(dut, SteadyMemory(10))
      for {
        block <- Seq(0, 240, 255)
        wait <- 0 until 40
      } withClue(s"block $block, $wait cycles: ") {
        cache.tick(flush = true)
        cache.run(wait)
        cache.ask(write(cache, block))
        cache.drain()
        cache.run(wait % 4)
        cache.flush()
        cache.checkMemory()
      }
    }
  }

  // covers: memory.last-level-cache
  test("a flush takes what was acknowledged before it, and its command is never lost") {
    simulate(LastLevelBench.cache(4, 2, 2)) { dut =>
      val cache = bench(dut, new HastyMemory(new Random(9), 40))
      for (round <- 0 until 60) withClue(s"round $round: ") {
        for (_ <- 0 until 3) cache.ask(random(cache, (0 until 20) :+ 255))
        cache.drain()
        cache.run(cache.random.nextInt(3))
        if (round % 2 == 0) {
          cache.tick(flush = true)
          cache.run(cache.random.nextInt(30))
        }
        cache.flush()
        cache.checkMemory()
      }
    }
  }
}
