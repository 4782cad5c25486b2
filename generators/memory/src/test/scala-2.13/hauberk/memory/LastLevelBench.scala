package hauberk.memory

import hauberk.memory.llc.{LastLevelCache, LastLevelCacheParams}
import hauberk.memory.port.MemoryPortParams
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** A last-level cache between a client and a memory, and a plain model of what the client must see. */
class LastLevelBench(simulation: Simulation, val dut: LastLevelCache, timing: MemoryTiming, seed: Int) {
  import simulation._
  val random = new Random(seed)
  val memory = new PortMemory(simulation, dut.io.memory, timing)
  val client = new PortClient(simulation, dut.io.client, timing)
  private val blockBytes = dut.io.client.params.blockBytes
  private val initial = Transfer.randomBytes(random, LastLevelBench.blocks * blockBytes)
  val plain: Array[Array[Byte]] = initial.grouped(blockBytes).map(_.toArray).toArray
  memory.unset = number => initial.slice(number * blockBytes, (number + 1) * blockBytes).toArray
  var hits, misses, writebacks, lost = 0
  private val checks = mutable.Buffer.empty[(Int, Transfer, Seq[Byte])]

  /** Blocks whose content the model does not know: nothing is expected of them. */
  val unknown: mutable.Set[Int] = mutable.Set.empty
  dut.io.flush.poke(false)

  /** Asks for a transfer, whose answer is checked in the end. */
  def ask(t: Transfer): Int = {
    val expected = t.applyTo(plain(t.address / blockBytes))
    val ticket = client.ask(t)
    checks += ((ticket, t, expected))
    ticket
  }

  def tick(flush: Boolean = false): Unit = {
    dut.io.flush.poke(flush)
    client.drive()
    memory.drive()
    client.settle()
    memory.settle()
    if (dut.io.events.hit.peekBoolean()) hits += 1
    if (dut.io.events.miss.peekBoolean()) misses += 1
    if (dut.io.events.writeback.peekBoolean()) writebacks += 1
    if (dut.io.events.lost.peekBoolean()) lost += 1
    step()
  }
  def run(cycles: Int): Unit = for (_ <- 0 until cycles) tick()

  /** Until all is answered, with a flush now and then; every answer is what the model says. */
  def drain(flushes: Boolean = false): Unit = {
    val limit = client.cycle + 2000 + 1000 * checks.size
    while (!client.idle) {
      tick(flushes && random.nextInt(80) == 0)
      assert(client.cycle < limit, "transfers are not answered")
    }
    for ((ticket, t, expected) <- checks if !unknown(t.address / blockBytes)) {
      assert(!client.answers(ticket).denied, s"$t is denied")
      assert(t.write || client.answers(ticket).data == expected, s"$t is answered wrongly")
    }
    checks.clear()
  }

  /** Write back everything. */
  def flush(): Unit = {
    tick(flush = true)
    val limit = client.cycle + 100000
    while (dut.io.flushing.peekBoolean()) {
      tick()
      assert(client.cycle < limit, "a flush does not end")
    }
  }

  /** All of memory is what the model says. */
  def checkMemory(): Unit =
    for (block <- plain.indices if !unknown(block))
      assert(memory.block(block).sameElements(plain(block)), s"block $block is not in memory")
}

object LastLevelBench {

  /** Blocks of memory in the tests. */
  val blocks = 256
  def cache(sets: Int, ways: Int, mshrs: Int, beatBytes: Int = 8): LastLevelCache = new LastLevelCache(
    MemoryPortParams(addressBits = 14, beatBytes = beatBytes, blockBytes = 64, idBits = 4),
    LastLevelCacheParams(sets * ways * 64, ways, mshrs)
  )
}
