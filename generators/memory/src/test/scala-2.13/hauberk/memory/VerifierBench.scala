package hauberk.memory

import hauberk.crypto.KeyPorts
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** What memory holds of a block, as far as a verifier is concerned, and the key slot it is under. Counter 0: as packaged. */
case class HeldBlock(words: Seq[BigInt], counter: BigInt, slot: Int = 1)

/** Plays the engine around a verifier: several transactions in flight, in the order the engine keeps for one block, on a memory whose data
  * and metadata the test may change. Metadata hold noise until they are written.
  */
class VerifierBench(
    simulation: Simulation,
    dut: VerifierHarness,
    keys: Seq[Array[Byte]],
    val random: Random,
    delay: Int
) {
  import simulation._
  val p: Protection = dut.p
  val arithmetic = new TagArithmetic(keys, p.bank.engine)
  private val blockBytes = p.bank.blockBytes
  private val long = p.params.integrity.longHash

  val memory = new PortMemory(simulation, dut.io.memory, new UnsteadyMemory(random, 1 + delay))
  memory.unset = number => {
    assert(number >= p.layout.dataBlocks, s"a verifier accesses block $number of data")
    val noise = new Array[Byte](blockBytes)
    random.nextBytes(noise)
    noise
  }

  /** A line of metadata, by its address. */
  def line(address: BigInt): BigInt = memory.line(number(address))
  def putLine(address: BigInt, line: BigInt): Unit = memory.putLine(number(address), line)
  def number(address: BigInt): Int = (address / blockBytes).toInt
  val blocks: mutable.Map[Int, HeldBlock] = mutable.Map.empty
  def held(block: Int): HeldBlock = blocks.getOrElse(block, HeldBlock(Seq.fill(8)(BigInt(0)), 0))
  var imageBlocks = 0
  val alarms: mutable.Buffer[(Int, BigInt)] = mutable.Buffer.empty
  var cycle = 0
  private var counter = BigInt(0)

  /** The slot that writes are under. */
  var slot = 1

  /** Cycles from the digest of each transaction to its verdict. */
  val latencies: mutable.Buffer[Int] = mutable.Buffer.empty

  private case class Access(
      ticket: Int,
      block: Int,
      write: Boolean,
      take: Boolean,
      touch: Boolean,
      words: Seq[BigInt]
  ) {
    var entry = -1
    var resultAt = 0
    var digestAt = -1
    var resulted = false
    var digested = false
    var value: HeldBlock = _
    var refused = false
  }
  private val waiting = mutable.Queue.empty[Access]
  private val flying = mutable.Buffer.empty[Access] // oldest first
  val verdicts: mutable.Map[Int, Boolean] = mutable.Map.empty
  private var tickets = 0

  /** Digests of these tickets do not come for the time being. */
  val withheld: mutable.Set[Int] = mutable.Set.empty

  /** Data of these blocks cannot be read. */
  val unreadable: mutable.Set[Int] = mutable.Set.empty

  def read(block: Int): Int = enqueue(block, write = false, Nil)
  def write(block: Int, words: Seq[BigInt]): Int = {
    if (p.takesOldValues) waiting.enqueue(Access(-1, block, write = false, take = true, touch = false, Nil))
    enqueue(block, write = true, words)
  }
  private def enqueue(block: Int, write: Boolean, words: Seq[BigInt]): Int = {
    tickets += 1
    waiting.enqueue(Access(tickets, block, write, take = false, touch = false, words))
    tickets
  }
  def words(): Seq[BigInt] = Seq.fill(blockBytes / 8)(BigInt(64, random))
  def idle: Boolean = waiting.isEmpty && flying.isEmpty
  private var lastVerdict = 0

  /** Run until every transaction has its verdict; `limit` cycles without one are a hang. */
  def drain(limit: Int = 5000): Unit = {
    lastVerdict = cycle
    while (!idle) {
      tick()
      if (cycle - lastVerdict > limit)
        throw new AssertionError(s"no verdict on ${flying.map(a => (a.entry, a.block, a.write, a.digested))}")
    }
  }
  def verify(block: Int): Boolean = {
    val ticket = read(block)
    drain()
    verdicts(ticket)
  }
  def record(block: Int, words: Seq[BigInt]): Boolean = {
    val ticket = write(block, words)
    drain()
    verdicts(ticket)
  }

  /** Set up a package: the first blocks, with their tags. */
  def install(contents: Seq[Seq[BigInt]]): Unit = {
    imageBlocks = contents.size
    for ((words, block) <- contents.zipWithIndex) {
      blocks(block) = HeldBlock(words, 0)
      setTag(block, arithmetic.imageTag(block, imageBlocks, words))
    }
  }
  def tagLine(block: Int): BigInt = p.layout.tagBase + block / 8 * blockBytes
  def setTag(block: Int, tag: BigInt): Unit = {
    val shift = 64 * (block % 8)
    val mask = ((BigInt(1) << 64) - 1) << shift
    putLine(tagLine(block), (line(tagLine(block)) & ~mask) | tag << shift)
  }
  def tag(block: Int): BigInt = (line(tagLine(block)) >> (64 * (block % 8))) & ((BigInt(1) << 64) - 1)

  def start(): Unit = {
    for (signal <- Seq(dut.io.taken.valid, dut.io.result.valid, dut.io.flush, dut.io.check, dut.io.touched))
      signal.poke(false)
    dut.io.digest.foreach(_.valid.poke(false))
    dut.io.memory.response.valid.poke(false)
    dut.io.memory.request.ready.poke(false)
    dut.io.touch.ready.poke(false)
    treeKeys(1, changing = false, 1)
    for ((key, slot) <- keys.zipWithIndex) KeyPorts.write(simulation, dut.io.keyWrite, slot, BigInt(1, key))
    step(120)
    assert(dut.io.usable.forall(_.peekBoolean()), "the keys are not usable")
  }
  def treeKeys(current: Int, changing: Boolean, previous: Int): Unit = {
    dut.io.treeKeys.current.poke(current)
    dut.io.treeKeys.changing.poke(changing)
    dut.io.treeKeys.previous.poke(previous)
  }
  private def pulse(signal: chisel3.Bool): Unit = {
    signal.poke(true)
    tick()
    signal.poke(false)
  }

  /** Command a flush and go on. */
  def pulseFlush(): Unit = pulse(dut.io.flush)
  def flush(limit: Int = 100000): Unit = {
    pulseFlush()
    tick()
    await("the flush does not end", limit)(!flushing)
  }
  def await(hint: String, limit: Int)(done: => Boolean): Unit = {
    val start = cycle
    while (!done) {
      tick()
      assert(cycle - start < limit, hint)
    }
  }
  def startCheck(): Unit = pulse(dut.io.check)
  def check(limit: Int = 200000): Unit = {
    startCheck()
    val start = cycle
    while (dut.io.checking.peekBoolean() || !idle) {
      tick()
      assert(cycle - start < limit, "the check does not end")
    }
  }
  def flushing: Boolean = dut.io.flushing.peekBoolean()
  def checking: Boolean = dut.io.checking.peekBoolean()
  def unverified: Boolean = dut.io.unverified.peekBoolean()

  private def overlaps(a: Access): Boolean = flying.takeWhile(_ ne a).exists { o =>
    o.block == a.block && (o.write || a.write)
  }

  private def slotOf(held: HeldBlock): Int = if (held.counter == 0) 0 else held.slot
  def tick(): Unit = {
    dut.io.imageBlocks.poke(imageBlocks)
    // A new transaction
    val free = (if (waiting.nonEmpty && waiting.head.write) p.params.reads until p.entries else 0 until p.params.reads)
      .find(e => !flying.exists(_.entry == e))
    val takes = waiting.nonEmpty && free.nonEmpty && random.nextInt(3) != 0
    dut.io.taken.valid.poke(takes)
    if (takes) {
      val access = waiting.dequeue()
      access.entry = free.get
      access.resultAt = cycle + 1 + random.nextInt(1 + delay)
      dut.io.taken.bits.entry.poke(access.entry)
      dut.io.takenWrite.poke(access.write)
      dut.io.taken.bits.takeOnly.poke(access.take)
      dut.io.taken.bits.block.poke(access.block)
      flying += access
    }
    val may = flying.filter(a => !overlaps(a))
    dut.io.mayLook.poke(may.map(a => BigInt(1) << a.entry).sum)

    // Counters, of those that were taken before this cycle
    val resulting = may.find(a => !a.resulted && a.resultAt <= cycle && !(takes && a.eq(flying.last)))
    dut.io.result.valid.poke(resulting.nonEmpty)
    for (a <- resulting) {
      a.value = if (a.write) {
        counter += 1
        HeldBlock(a.words, counter, slot)
      } else held(a.block)
      a.refused = !a.write && unreadable(a.block)
      a.resulted = true
      a.digestAt = cycle + 1 + random.nextInt(1 + delay)
      if (a.write) blocks(a.block) = a.value
      dut.io.result.bits.entry.poke(a.entry)
      dut.io.result.bits.counter.poke(a.value.counter)
      dut.io.result.bits.key.poke(slotOf(a.value))
      dut.io.result.bits.direct.poke(false)
      dut.io.result.bits.denied.poke(false)
    }

    // Digests
    for ((port, writes) <- dut.io.digest.zip(Seq(false, true))) {
      val due = flying.find(a =>
        a.resulted && !a.digested && a.write == writes && a.digestAt <= cycle && !withheld(a.ticket) &&
          !resulting.exists(_ eq a)
      )
      port.valid.poke(due.nonEmpty)
      for (a <- due) {
        val zero = a.value.counter == 0 && a.block >= imageBlocks
        val words = if (zero) Seq.fill(8)(BigInt(0)) else a.value.words
        val message = if (long) BigInt(a.block) +: words else words
        val (first, second) = arithmetic.digest(message, slotOf(a.value))
        port.bits.entry.poke(a.entry)
        port.bits.first.poke(first)
        port.bits.second.poke(second)
        port.bits.refused.poke(a.refused)
        assert(port.ready.peekBoolean(), "a digest is refused")
        a.digested = true
        a.digestAt = cycle
      }
    }

    // Touches are reads
    val takesTouch = !hold && random.nextInt(4) == 0
    dut.io.touch.ready.poke(takesTouch)
    if (takesTouch && dut.io.touch.valid.peekBoolean()) {
      val block = dut.io.touch.bits.peek().toInt
      assert(block < p.layout.dataBlocks, s"block $block is touched, which does not exist")
      touches += 1
      // Ahead of the others, but not between a take and its write
      val place = if (waiting.headOption.exists(_.write)) 1 else 0
      waiting.insert(place, Access(0, block, write = false, take = false, touch = true, Nil))
    }
    dut.io.touched.poke(touchedNow > 0)
    if (touchedNow > 0) touchedNow -= 1

    memory.drive()
    memory.settle()
    if (dut.io.verdict.valid.peekBoolean()) {
      val entry = dut.io.verdict.bits.entry.peek().toInt
      val a =
        flying.find(_.entry == entry).getOrElse(throw new AssertionError(s"a verdict on entry $entry, which is free"))
      assert(a.digested, s"a verdict on entry $entry before its digest")
      verdicts(a.ticket) = dut.io.verdict.bits.ok.peekBoolean()
      lastVerdict = cycle
      latencies += cycle - a.digestAt
      if (a.touch) touchedNow += 1
      flying -= a
    }
    val cause = dut.io.alarm.peek().toInt
    if (cause != 0) alarms += ((cause, dut.io.alarmAddress.peek()))
    step()
    cycle += 1
  }
  private var touchedNow = 0

  /** Take no touches. */
  var hold = false
  var touches = 0
}
