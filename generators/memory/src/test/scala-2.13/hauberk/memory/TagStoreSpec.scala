package hauberk.memory

import chisel3._
import hauberk.memory.cache.{GuardedStoreIO, LookupAnswer, NoGuard}
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.integrity.{StoredTag, TagAccess, TagStore}
import hauberk.memory.port.MemoryPort
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** A store of tags whose lines nobody guards. */
private class UnguardedTagStore(p: Protection, c: MetadataCacheParams) extends Module {
  private val store = Module(new TagStore(p, c, 0))
  private val guard = Module(new NoGuard(p, c.mshrs, TagStore.lineBits(p)))
  guard.io.cache <> store.io.guard
  val io = IO(new Bundle {
    val lookup = new Bundle {
      val valid = Input(Bool())
      val bits = Input(new TagAccess(p))
      val answer = Output(new LookupAnswer)
    }
    val tag = chisel3.util.Valid(new StoredTag(p))
    val retry, hit, miss, refused, flushing, busy = Output(Bool())
    val flush = Input(Bool())
    val memory = new MemoryPort(p.memory)
  })
  store.io.lookup <> io.lookup
  io.tag := store.io.tag
  io.retry := store.io.retry
  io.hit := store.io.hit
  io.miss := store.io.miss
  io.refused := store.io.refused
  io.flushing := store.io.flushing
  io.busy := store.io.busy
  store.io.flush := io.flush
  store.io.fence := false.B
  io.memory <> store.io.memory
}

/** The store of tags alone, before a memory of its own: each tag is its block's, and comes back under entry and turn. */
class TagStoreSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.blockMac.copy(reads = 4, writes = 4), Bank(localBytes = 1 << 17))
  private val caches = MetadataCacheParams(lines = 4, ways = 2, mshrs = 2)
  private def at(block: Int) = (p.layout.tagBase + 8 * block).toInt

  private class Bench(dut: UnguardedTagStore, random: Random) {
    val memory = new PortMemory(TagStoreSpec.this, dut.io.memory, new UnsteadyMemory(random, 12))
    memory.unset = number => Array.tabulate(64)(i => (number * 31 + i * 7).toByte)
    def inMemory(block: Int): BigInt = memory.words(at(block) / 64)(at(block) % 64 / 8)
    dut.io.flush.poke(false)
    dut.io.lookup.valid.poke(false)
    resetDesign(dut)
    def tick(): Unit = {
      memory.drive()
      memory.settle()
      step()
    }
  }

  // covers: memory.tag-compare, memory.caches
  test("each tag is the one last recorded of its block, and a flush leaves all of them in memory") {
    simulate(new UnguardedTagStore(p, caches)) { dut =>
      val random = new Random(83)
      val bench = new Bench(dut, random)
      val tags = mutable.Map.empty[Int, BigInt]
      // In few lines of all places, so that lines come and go, and blocks of one line meet
      val blocks =
        Seq.fill(6)(random.nextInt(p.layout.dataBlocks.toInt / 8)).flatMap(line => (0 until 8).map(8 * line + _)) ++
          Seq(0, p.layout.dataBlocks.toInt - 1)
      val turns = Array.fill(p.entries)(false)
      val owed = mutable.Map.empty[(Int, Boolean), BigInt]
      var atOnce = Option.empty[(Int, Boolean)]
      var (hits, recorded) = (0, 0)
      var blocked = false
      for (_ <- 0 until 6000) {
        val free = (0 until p.entries).filterNot(e => owed.contains((e, turns(e))))
        val asks = free.nonEmpty && !blocked && random.nextInt(4) != 0
        val entry = if (free.isEmpty) 0 else free(random.nextInt(free.size))
        val (block, tag) = (blocks(random.nextInt(blocks.size)), BigInt(64, random))
        val write = random.nextInt(3) == 0
        val turn = !turns(entry)
        val lookup = dut.io.lookup
        lookup.valid.poke(asks)
        lookup.bits.entry.poke(entry)
        lookup.bits.turn.poke(turn)
        lookup.bits.write.poke(write)
        lookup.bits.block.poke(block)
        lookup.bits.tag.poke(tag)
        bench.memory.drive()
        val taken = asks && lookup.answer.accepted.peekBoolean()
        if (asks && lookup.answer.blocked.peekBoolean()) blocked = true
        if (dut.io.retry.peekBoolean()) blocked = false
        val came = if (dut.io.tag.valid.peekBoolean()) {
          val key = (dut.io.tag.bits.entry.peek().toInt, dut.io.tag.bits.turn.peekBoolean())
          assert(owed.contains(key), s"a tag for $key, which asked for none")
          dut.io.tag.bits.tag.expect(owed(key))
          Some(key)
        } else None
        assert(atOnce.forall(came.contains), "a hit was not answered in the next cycle")
        val isHit = taken && dut.io.hit.peekBoolean()
        if (isHit) hits += 1
        bench.memory.settle()
        step()
        came.foreach(owed -= _)
        atOnce = None
        if (taken) {
          if (write) {
            tags(block) = tag
            recorded += 1
          } else {
            turns(entry) = turn
            owed((entry, turn)) = tags.getOrElse(block, bench.inMemory(block))
            if (isHit) atOnce = Some((entry, turn))
          }
        }
      }
      assert(hits > 200 && recorded > 200, s"$hits hits, $recorded recorded")
      dut.io.lookup.valid.poke(false)
      while (dut.io.busy.peekBoolean()) bench.tick()
      dut.io.flush.poke(true)
      bench.tick()
      dut.io.flush.poke(false)
      while (dut.io.flushing.peekBoolean()) bench.tick()
      for ((block, tag) <- tags) assert(bench.inMemory(block) == tag, s"block $block")
      dut.io.refused.expect(false)
    }
  }

  test("a tag line that memory refuses is told") {
    simulate(new UnguardedTagStore(p, caches)) { dut =>
      for (write <- Seq(false, true)) {
        val bench = new Bench(dut, new Random(1))
        bench.memory.refused += at(77) / 64
        def ask(block: Int): Boolean = {
          val lookup = dut.io.lookup
          lookup.valid.poke(true)
          lookup.bits.block.poke(block)
          lookup.bits.write.poke(write)
          stepUntil(lookup.answer.accepted, 10)
          bench.tick()
          lookup.valid.poke(false)
          Iterator.continually {
            val told = dut.io.refused.peekBoolean()
            bench.tick()
            told
          }.take(80).contains(true)
        }
        assert(!ask(69) && ask(77))
      }
    }
  }
}
