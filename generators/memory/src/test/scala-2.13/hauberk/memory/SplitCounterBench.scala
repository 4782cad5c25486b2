package hauberk.memory

import chisel3._
import hauberk.memory.common.KeySlot
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** Drives a counter store as the transactions of an engine do, re-encryptions included, and holds every answer, and every line that memory
  * gets, against what they must be.
  */
class SplitCounterBench(simulation: Simulation, dut: SplitCounterHarness, timing: MemoryTiming, random: Random) {
  import simulation._
  val p: Protection = dut.p
  private val key = BigInt(128, random)
  val tree = new CounterTreeModel(p, key)
  val memory = new PortMemory(simulation, dut.io.memory, timing)
  var cycle = 0

  /** A look-up that a test wants, until it is answered. Cycles of its first offer, of its acceptance and of its answer. */
  class Ask(val block: Int, val write: Boolean, val slot: Option[Int] = None) {
    var entry: Option[Int] = None
    var isBlocked = false
    var accepted, answered = -1
    var counter: Option[BigInt] = None
    var denied = false
    var freeAt = 0
  }
  private val waiting = mutable.Queue.empty[Ask]
  private val inFlight = mutable.Buffer.empty[Ask]

  /** Under blocking verification, counters that were read and are not proven: what they rest on, and the key named. */
  private class Unproven(val ask: Ask, val counter: BigInt, val key: BigInt, var restsOn: BigInt)
  private val unproven = mutable.Buffer.empty[Unproven]
  private val linger = mutable.Buffer.empty[Ask] // answered, but its block is still on its way

  /** Of the re-encryption in each slot, the look-up that is next, and the cycle from which on it is complete. */
  private val reencrypting = mutable.Map.empty[Int, Ask]
  private val reencryptedAt = mutable.Map.empty[Int, Int]
  private var flushRequested = false
  var reencryptions, reencryptionsAtOnce = 0

  /** Refuse the blocks of re-encryptions, as memory that fails would. */
  var refuseReencryption = false

  /** Last counter of each block, and all that were ever given. */
  val last: mutable.Map[Int, BigInt] = mutable.Map.empty.withDefaultValue(BigInt(0))
  private val issued = mutable.Set.empty[(Int, BigInt)]
  private val majors = mutable.Map.empty[Int, BigInt].withDefaultValue(BigInt(0))

  /** Alarms, in order: cause and address. */
  val alarms: mutable.Buffer[(Int, BigInt)] = mutable.Buffer.empty
  var mayDeny = false
  private var wantsReencryption, isFlushing = false
  var nodeHits, nodeMisses, hits, misses = 0

  /** Cycle of every request for a line. */
  val fetches: mutable.Buffer[(Int, Int)] = mutable.Buffer.empty

  memory.onWritten = number => {
    val (level, line) = tree.place(number).getOrElse(throw new AssertionError(s"block $number is no metadata"))
    tree.written(number) += 1
    if (alarms.isEmpty)
      assert(tree.isGenuine(level, line, words(level, line)), s"line $line of level $level is written with a false MAC")
  }
  def words(level: Int, line: Int): Seq[BigInt] =
    memory.words(tree.block(level, line))
  def setWords(level: Int, line: Int, words: Seq[BigInt]): Unit = memory.putWords(tree.block(level, line), words)

  /** What memory holds at the start is not to be trusted: noise. */
  def fillWithNoise(): Unit =
    for {
      (base, lines) <- tree.levels
      line <- base until base + lines
    }
      random.nextBytes(memory.block(line))

  def start(): Unit = {
    quiet()
    for (i <- 0 until 2) {
      dut.io.keyWrite.valid.poke(true)
      dut.io.keyWrite.bits.slot.poke(KeySlot.dynamic)
      dut.io.keyWrite.bits.word.poke(i)
      dut.io.keyWrite.bits.data.poke((key >> (64 * (1 - i))) & ((BigInt(1) << 64) - 1))
      tick()
    }
    dut.io.keyWrite.valid.poke(false)
    while (!dut.io.usable.peekBoolean()) tick()
    for (_ <- 0 until 16 + p.layout.rootLines.toInt) tick()
  }
  private def quiet(): Unit = {
    dut.io.flush.poke(false)
    dut.io.valid.poke(false)
    dut.io.reencrypted.valid.poke(false)
    dut.io.reencrypt.ready.poke(false)
    dut.io.keyWrite.valid.poke(false)
  }

  def ask(block: Int, write: Boolean): Ask = {
    val a = new Ask(block, write)
    waiting.enqueue(a)
    a
  }
  def idle: Boolean =
    waiting.isEmpty && inFlight.isEmpty && linger.isEmpty && reencrypting.isEmpty && !wantsReencryption
  def drain(limit: Int = 100000): Unit = {
    val begin = cycle
    while (!idle) {
      tick()
      if (cycle - begin > limit)
        throw new AssertionError(
          s"look-ups are unanswered after $limit cycles: ${inFlight.map(a => (a.block, a.write, a.entry, a.accepted))}"
        )
    }
  }
  def run(block: Int, write: Boolean): Ask = {
    val a = ask(block, write)
    drain()
    a
  }
  def flush(limit: Int = 100000): Unit = {
    flushRequested = true
    tick()
    tick()
    val begin = cycle
    while (isFlushing) {
      tick()
      if (cycle - begin > limit) throw new AssertionError(s"a flush is not over after $limit cycles")
    }
  }

  private def busyBlock(a: Ask): Boolean =
    (inFlight ++ linger).exists(o => (o ne a) && o.block == a.block && (o.write || a.write))
  private def admit(): Unit = {
    // One entry of each kind is kept for re-encryptions
    val used = (inFlight ++ linger).flatMap(_.entry).toSet
    def free(write: Boolean) =
      (if (write) p.params.reads + 1 until p.entries else 1 until p.params.reads).find(!used(_))
    val older = mutable.Set.empty[Int]
    waiting.dequeueAll { a =>
      val entry = if (busyBlock(a) || older(a.block)) None else free(a.write).filter(!used(_))
      older += a.block
      entry.filter(e => !inFlight.exists(_.entry.contains(e))).map { e =>
        a.entry = Some(e)
        inFlight += a
        true
      }.getOrElse(false)
    }
    for (a <- reencrypting.values if a.entry.isEmpty && !busyBlock(a)) {
      val taken = (inFlight ++ linger).flatMap(_.entry).toSet
      a.entry = (if (a.write) p.params.reads until p.entries else 0 until p.params.reads).find(!taken(_))
      if (a.entry.nonEmpty) inFlight += a
    }
  }

  def tick(): Unit = {
    linger --= linger.filter(_.freeAt <= cycle)
    admit()
    val candidates = inFlight.filter(a => a.accepted < 0 && !a.isBlocked).toSeq
    val offered =
      if (candidates.isEmpty || !timing.clientOffers) None else Some(candidates(random.nextInt(candidates.size)))
    dut.io.valid.poke(offered.nonEmpty)
    for (a <- offered) {
      dut.io.write.poke(a.write)
      dut.io.block.poke(a.block)
      dut.io.entry.poke(a.entry.get)
    }
    dut.io.flush.poke(flushRequested)
    flushRequested = false
    val takesReencryption = timing.clientReady
    dut.io.reencrypt.ready.poke(takesReencryption)
    val complete = reencryptedAt.collectFirst { case (slot, at) if at <= cycle => slot }
    dut.io.reencrypted.valid.poke(complete.nonEmpty)
    for (slot <- complete) {
      dut.io.reencrypted.bits.poke(slot)
      reencryptedAt -= slot
      reencrypting -= slot
    }
    val before = memory.reads
    memory.drive()
    if (memory.reads > before)
      fetches += ((cycle, (dut.io.memory.request.bits.address.peek() / p.bank.blockBytes).toInt))

    val seen = dut.io.seen.peek()
    val Seq(accepted, blocked, hit, miss, nodeHit, nodeMiss, retry, alarm, answers, reencrypt, flushing, failed) =
      (0 until 12).map(seen.testBit)
    val pending = seen >> 12
    if (takesReencryption && reencrypt) {
      val block = dut.io.reencrypt.bits.block.peek().toInt
      val slot = dut.io.reencrypt.bits.slot.peek().toInt
      assert(!complete.contains(slot) && !reencrypting.contains(slot), s"slot $slot is not free")
      assert(!reencrypting.values.exists(_.block == block), s"block $block is being re-encrypted already")
      assert(block < p.layout.dataBlocks, s"block $block, which does not exist, is to be re-encrypted")
      reencryptions += 1
      reencrypting(slot) = new Ask(block, write = false, slot = Some(slot))
      reencryptionsAtOnce = reencryptionsAtOnce.max(reencrypting.size)
    }
    for (a <- offered) {
      if (accepted) a.accepted = cycle
      if (blocked) a.isBlocked = true
    }
    if (hit) hits += 1
    if (miss) misses += 1
    if (nodeHit) nodeHits += 1
    if (nodeMiss) nodeMisses += 1
    if (retry) inFlight.foreach(_.isBlocked = false)
    if (alarm) alarms += ((dut.io.alarm.peek().toInt, dut.io.alarmAddress.peek()))
    settleUnproven(failed, pending)
    if (answers) takeResult(pending)
    wantsReencryption = reencrypt
    isFlushing = flushing
    memory.settle()
    step()
    cycle += 1
  }

  /** As a [[ReadUnit]] does: what rests on a line that fails is denied, and answered is what rests on none any more. */
  private def settleUnproven(failed: Boolean, pending: BigInt): Unit = {
    for (u <- unproven if u.restsOn != 0 && failed) u.ask.denied = true
    for (u <- unproven) u.restsOn &= pending
    val done = unproven.filter(u => u.ask.denied || u.restsOn == 0).toSeq
    unproven --= done
    for (u <- done) finish(u.ask, u.counter, u.key)
  }

  private def takeResult(pending: BigInt): Unit = {
    val bits = dut.io.result.bits
    val entry = bits.entry.peek().toInt
    val a = inFlight.find(
      _.entry.contains(entry)
    ).getOrElse(throw new AssertionError(s"an answer to $entry, which asked nothing"))
    assert(a.accepted >= 0, s"an answer to $entry before its look-up is accepted")
    a.denied = bits.denied.peekBoolean()
    assert(!bits.direct.peekBoolean())
    val waits = p.params.verification.blocks && !a.write && !a.denied && pending != 0
    if (waits) unproven += new Unproven(a, bits.counter.peek(), bits.key.peek(), pending)
    else finish(a, bits.counter.peek(), bits.key.peek())
  }

  private def finish(a: Ask, counter: BigInt, key: BigInt): Unit = {
    a.answered = cycle
    if (a.denied) assert(mayDeny, s"block ${a.block} is denied without a reason") else check(a, counter, key)
    inFlight -= a
    a.freeAt = cycle + random.nextInt(20)
    linger += a
    for (slot <- a.slot) {
      if (a.write || a.denied || refuseReencryption) reencryptedAt(slot) = math.max(cycle + 1, a.freeAt)
      else reencrypting(slot) = new Ask(a.block, write = true, slot = Some(slot))
    }
  }

  private def check(a: Ask, counter: BigInt, key: BigInt): Unit = {
    val before = last(a.block)
    a.counter = Some(counter)
    assert((key == KeySlot.static) == (counter == 0), s"counter $counter of block ${a.block} is under key $key")
    if (!a.write) assert(counter == before, s"block ${a.block} has counter $before, and $counter is answered")
    else {
      assert(issued.add((a.block, counter)), s"counter $counter is given to block ${a.block} again")
      val page = a.block / 64
      val (major, minor) = (counter >> 6, counter & 63)
      if (minor != 0) assert(counter == before + 1, s"$counter follows $before for block ${a.block}")
      else
        assert(
          major > (before >> 6) && (major == majors(page) || major == majors(page) + 1),
          s"$counter follows $before for block ${a.block}, on a page at ${majors(page)}"
        )
      majors(page) = majors(page).max(major)
      last(a.block) = counter
    }
  }

  /** After a flush: every line in memory is what it must be, from the root down. */
  def verifyMemory(): Unit = {
    for {
      ((_, lines), level) <- tree.levels.zipWithIndex
      line <- 0 until lines
    } {
      val isWritten = tree.written(tree.block(level, line)) != 0
      val found = if (isWritten) words(level, line) else Seq.fill(8)(BigInt(0))
      assert(!isWritten || tree.isGenuine(level, line, found), s"line $line of level $level has a false MAC in memory")
      if (level == 0) {
        val blocks = (64 * line until 64 * line + 64).map(b => last(b))
        val expected = majors(line) +: blocks.map(_ & 63)
        for ((b, i) <- blocks.zipWithIndex if 64 * line + i < p.layout.dataBlocks)
          assert(b == 0 && majors(line) == 0 || b >> 6 == majors(line), s"page $line is not whole: $blocks")
        assert(tree.split(found) == expected, s"counter line $line")
      } else {
        val children = (8 * line until 8 * line + 8).map { child =>
          if (child < tree.levels(level - 1)._2) tree.written(tree.block(level - 1, child)) else BigInt(0)
        }
        assert(tree.counters(found) == children, s"node $line of level $level")
      }
    }
  }
}
