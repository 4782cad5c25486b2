package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, MetadataCacheParams}
import hauberk.memory.integrity.BonsaiTree
import hauberk.memory.tree.CounterGuard
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The guard of counter lines with one level of nodes alone; the cache of the lines, the cipher and memory are the test's. */
class CounterGuardSpec extends AnyFunSuite with Simulation {
  private val nodes = MetadataCacheParams(lines = 2, ways = 1, mshrs = 2)
  private val p = Protection(
    ProtectionParams.bonsaiTree.copy(integrity = BonsaiTree(nodes = nodes, rootEntries = 8)),
    Bank(localBytes = 1 << 18)
  )
  private val base = (p.layout.leafBase / 64).toInt
  private val nodeBase = (p.layout.levels.head.base / 64).toInt
  private val lines = p.layout.leafLines.toInt
  private val largest = (BigInt(1) << 56) - 1
  private val random = new Random(87)
  private val hashKey = BigInt(64, random)
  private val macs = new LineMacs(hashKey)
  import macs.genuine

  private class Bench(dut: CounterGuard, latency: Int = 20) {
    val memory = new PortMemory(CounterGuardSpec.this, dut.io.memory, SteadyMemory(latency))
    val counters: mutable.Map[Int, Int] = mutable.Map.empty[Int, Int].withDefaultValue(0)
    private val answers = Seq.fill(2)(mutable.Queue[(Int, BigInt, BigInt)]())
    private var cycle = 0
    var hits, misses = 0
    var alarms = Seq.empty[(Int, BigInt)]

    /** Of the last cycle. */
    var released, sealedLine = Option.empty[BigInt]
    var settled = Option.empty[Boolean]
    var isBusy, hasFailed = false
    private val cache = dut.io.cache
    for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid, dut.io.flush)) valid.poke(false)
    for ((keys, i) <- dut.io.hashKeys.zipWithIndex) {
      keys.first.poke(if (i == 1) hashKey else BigInt(64, random))
      keys.second.poke(BigInt(64, random))
    }
    dut.io.cipher.foreach(_.answer.valid.poke(false))
    resetDesign(dut)

    def tick(): Unit = {
      memory.drive()
      for ((port, due) <- dut.io.cipher.zip(answers)) {
        port.request.ready.poke(true)
        val comes = due.headOption.exists(_._1 <= cycle)
        port.answer.valid.poke(comes)
        val (_, tag, pad) = if (comes) due.dequeue() else (0, BigInt(random.nextInt(4)), BigInt(64, random))
        port.answer.bits.tag.poke(tag)
        port.answer.bits.block.poke((pad << 64) | BigInt(64, random))
        if (port.request.valid.peekBoolean()) {
          port.request.bits.slot.expect(1)
          due += ((cycle + 12, port.request.bits.tag.peek(), macs.pad(port.request.bits.block.peek())))
        }
      }
      isBusy = dut.io.busy.peekBoolean()
      assert(isBusy || answers.forall(_.isEmpty), "a pad is due, and the guard is idle")
      released = if (cache.released.valid.peekBoolean()) Some(cache.released.bits.data.peek()) else None
      settled = if (cache.settled.valid.peekBoolean()) Some(cache.settled.bits.ok.peekBoolean()) else None
      sealedLine = if (cache.sealedLine.valid.peekBoolean()) Some(cache.sealedLine.bits.peek()) else None
      hasFailed = dut.io.failed.peekBoolean()
      if (dut.io.nodeHit.peekBoolean()) hits += 1
      if (dut.io.nodeMiss.peekBoolean()) misses += 1
      val cause = dut.io.alarm.cause.peek().toInt
      if (cause != AlarmCause.none) alarms :+= ((cause, dut.io.alarm.address.peek()))
      memory.settle()
      step()
      cycle += 1
      for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid, dut.io.flush)) valid.poke(false)
      for (line <- Seq(cache.opened.bits.line, cache.fetched.bits.line, cache.seal.bits.line))
        line.poke(random.nextInt(lines))
      for (miss <- Seq(cache.opened.bits.miss, cache.fetched.bits.miss)) miss.poke(random.nextInt(2))
      for (data <- Seq(cache.fetched.bits.data, cache.seal.bits.data)) data.poke(BigInt(512, random))
    }
    def await[T](what: => Option[T], limit: Int = 300): T =
      Iterator.continually { tick(); what }.take(limit).collectFirst { case Some(found) => found }.get
    def idle(): Unit = await(if (isBusy || dut.io.flushing.peekBoolean()) None else Some(()))

    /** The line is sealed; as memory gets it. */
    def leave(line: Int, payload: BigInt): BigInt = {
      cache.seal.valid.poke(true)
      cache.seal.bits.line.poke(line)
      cache.seal.bits.data.poke((BigInt(64, random) << 448) | payload)
      stepUntil(cache.seal.ready, 1)
      tick()
      counters(line) += 1
      await(sealedLine)
    }
    def open(line: Int, miss: Int = 0): Unit = {
      cache.opened.valid.poke(true)
      cache.opened.bits.miss.poke(miss)
      cache.opened.bits.line.poke(line)
      tick()
    }
    def arrive(line: Int, data: BigInt, miss: Int = 0): Unit = {
      cache.fetched.valid.poke(true)
      cache.fetched.bits.miss.poke(miss)
      cache.fetched.bits.line.poke(line)
      cache.fetched.bits.data.poke(data)
      tick()
    }

    /** The line is fetched: what is released, and the verdict. */
    def fetch(line: Int, data: BigInt): (BigInt, Boolean) = {
      open(line)
      arrive(line, data)
      val bytes = released.getOrElse(await(released))
      (bytes, settled.getOrElse(await(settled)))
    }
    def flush(): Unit = {
      dut.io.flush.poke(true)
      tick()
      idle()
    }

    /** Takes the node of a line out of its cache. */
    def evict(line: Int): Unit = fetch((line + 16) % 48, 0)
  }
  private def guard(body: CounterGuard => Unit): Unit =
    simulate(new CounterGuard(p, mshrs = 2, firstId = 0))(body)

  // covers: memory.counter-tree
  test(
    "a line is sealed under the next counter of its own, and a flush leaves all nodes in memory, sealed by the root's counters"
  ) {
    assert(p.layout.levels.size == 1 && lines == 56)
    guard { dut =>
      val bench = new Bench(dut)
      val sealedLines = mutable.Map.empty[Int, BigInt]
      bench.idle()
      val written = mutable.Map.empty[Int, Int].withDefaultValue(0)
      bench.memory.onWritten = block => written(block - nodeBase) += 1
      for (_ <- 0 until 40) {
        val line = random.nextInt(lines)
        if (random.nextBoolean()) {
          val payload = BigInt(448, random)
          sealedLines(line) = bench.leave(line, payload)
          assert(sealedLines(line) == genuine(0, line, bench.counters(line), payload), s"line $line")
        } else {
          val old = sealedLines.getOrElse(line, BigInt(512, random))
          assert(bench.fetch(line, old) == ((if (sealedLines.contains(line)) old else BigInt(0), true)), s"line $line")
        }
      }
      bench.flush()
      for (node <- 0 until 7) {
        val counters = (0 until 8).map(i => BigInt(bench.counters(8 * node + i)) << (56 * i)).sum
        if (counters != 0)
          assert(bench.memory.line(nodeBase + node) == genuine(1, node, written(node), counters), s"node $node")
      }
      for (_ <- 0 until 5) {
        bench.tick()
        assert(!bench.isBusy && !bench.hasFailed && bench.alarms.isEmpty)
      }
      val (hits, misses) = (bench.hits, bench.misses)
      for (line <- Seq(3, 19, 4)) bench.fetch(line, sealedLines.getOrElse(line, 0))
      bench.idle()
      assert(bench.misses - misses >= 2 && bench.hits + bench.misses - hits - misses == 3, "look-ups of nodes")
    }
  }

  test("a false line raises its alarm once, with its address; a false, refused or exhausted node raises its own") {
    guard { dut =>
      for (line <- Seq(0, 1, 2, 4, 8, 16, 32, 55)) withClue(s"line $line: ") {
        val bench = new Bench(dut)
        val out = bench.leave(line, BigInt(448, random))
        bench.idle()
        assert(!bench.hasFailed)
        assert(bench.fetch(line, out.flipBit(random.nextInt(512)))._2 == false && bench.hasFailed)
        bench.idle()
        assert(bench.hasFailed && bench.alarms == Seq((AlarmCause.metadataMismatch, BigInt(64 * (base + line)))))
      }
      def written(line: Int) = {
        val bench = new Bench(dut)
        val out = bench.leave(line, BigInt(448, random))
        bench.flush()
        bench.evict(line)
        (bench, out)
      }
      for (line <- Seq(5, 43)) withClue(s"node of line $line: ") {
        val (bench, out) = written(line)
        val node = nodeBase + line / 8
        bench.memory.putLine(node, bench.memory.line(node).flipBit(random.nextInt(512)))
        assert(bench.fetch(line, out)._2 == false)
        bench.idle()
        assert(bench.hasFailed && bench.alarms == Seq((AlarmCause.metadataMismatch, BigInt(64 * node))))
      }
      // Not before the largest
      for (bit <- -1 until 56 by 19) {
        val (bench, _) = written(9)
        val last = if (bit < 0) largest else largest.clearBit(bit)
        bench.memory.putLine(nodeBase + 1, genuine(1, 1, 1, last << 56))
        val payload = BigInt(448, random)
        val sealedLine = bench.leave(9, payload)
        assert(sealedLine == (if (bit < 0) BigInt(0) else genuine(0, 9, last + 1, payload)))
        bench.idle()
        assert(bench.hasFailed == (bit < 0))
        assert(bench.alarms == (if (bit < 0) Seq((AlarmCause.counterOverflow, BigInt(64 * (nodeBase + 1)))) else Nil))
      }
      // Also when a line is found false at about the same time
      for (before <- 0 until 50) withClue(s"$before cycles: ") {
        val (bench, out) = written(9)
        bench.memory.broken += ((nodeBase + 1, 7))
        val other = bench.leave(17, 0)
        bench.idle()
        bench.open(9, miss = 1)
        for (_ <- 0 until before) bench.tick()
        bench.open(17)
        bench.arrive(17, other.flipBit(3))
        bench.arrive(9, out, miss = 1)
        for (_ <- 0 until 60) bench.tick()
        assert(bench.alarms.count(_ == ((AlarmCause.metadataError, BigInt(64 * nodeBase)))) == 1)
      }
    }
  }
}
