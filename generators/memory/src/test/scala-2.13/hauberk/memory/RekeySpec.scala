package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.counter.Timestamps
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** All memory is re-encrypted under a new key while it is in use: data are right before, during and after, every block that reaches memory is
  * decrypted at once to see under which key and counter it is, and none is used twice.
  */
// covers: memory.rekey, memory.no-pad-twice
class RekeySpec extends AnyFunSuite with Simulation {
  private val seed = 1789
  private val blocks = 96
  private def protection(bits: Int, reserve: Int, cache: MetadataCacheParams, writes: Int = 4) = Protection(
    ProtectionParams(counters = Timestamps(bits, cache, reserve = Some(reserve)), reads = 6, writes = writes),
    Bank(localBytes = 1 << 14, idBits = 4)
  )

  /** Plays the owner of the keys, and watches what is written. */
  private class Watcher(dut: MemoryProtectionEngine, random: Random, timing: MemoryTiming) {
    val bench = new EngineBench(RekeySpec.this, dut, timing)
    private val p = dut.p
    private val model = new ReferenceModel(p.params.mode, p.layout, p.bank.engine)
    private def key() = Transfer.randomBytes(random, 16).toArray
    private val static = key()

    /** Dynamic keys so far; the last two may be in use. */
    val keys: mutable.Buffer[Array[Byte]] = mutable.Buffer(key())
    private def pair(dynamic: Int) = ProtectionKeys(static, keys(dynamic))
    private val pads = mutable.Map.empty[(Int, Int), Map[Seq[Byte], Int]]

    /** The counters of a block under a key, by the first bytes of their keystream. */
    private def padsOf(block: Int, dynamic: Int): Map[Seq[Byte], Int] = pads.getOrElseUpdate(
      (block, dynamic),
      (1 until (1 << p.counterBits)).map { c =>
        model.encrypt(pair(dynamic), block, c, new Array[Byte](64)).take(16).toSeq -> c
      }.toMap
    )
    private val used = mutable.Set.empty[(Int, Int, Int)]
    val plain: mutable.Map[Int, Array[Byte]] = mutable.Map.empty
    private val stored = mutable.Map.empty[Int, Seq[Byte]]
    private val versions = mutable.Map.empty[Int, mutable.Queue[Seq[Byte]]]
    private val where = mutable.Map.empty[Int, (Int, Int)]
    var moved = 0

    /** The highest counter that was used under a new key before its re-encryption was over. */
    var furthest = 0

    /** Keys whose time is over: as many as there were re-encryptions. */
    var finished = 0
    private var sweeping = false

    for (i <- 0 until (p.bank.localBytes / 64).toInt) random.nextBytes(bench.block(i))
    bench.start(pair(0))
    for (b <- 0 until blocks) {
      plain(b) = Transfer.randomBytes(random, 64).toArray
      stored(b) = plain(b).toSeq
      bench.memory.blocks(b) = model.encrypt(pair(0), b, 0, plain(b))
    }
    bench.onBlockWritten = (b, cipher) => {
      def under(data: Seq[Byte]) = {
        val keystream = cipher.take(16).zip(data).map { case (x, y) => (x ^ y).toByte }.toSeq
        (math.max(0, keys.size - 2) until keys.size).flatMap(k => padsOf(b, k).get(keystream).map(c => (k, c)))
      }
      val fresh = versions.get(b).flatMap(_.headOption).toSeq.flatMap(under)
      val here = if (fresh.nonEmpty) fresh else under(stored(b))
      assert(here.nonEmpty, s"block $b is under no key and counter that there are")
      if (fresh.nonEmpty) stored(b) = versions(b).dequeue() else moved += 1
      val (k, c) = here.head
      assert(used.add((k, b, c)), s"counter $c of block $b is used twice under key $k")
      assert(where.get(b).forall(_._1 <= k), s"block $b goes back to an old key")
      assert(k >= finished, s"the old key $k is used after its time")
      where(b) = (k, c)
      if (sweeping && k == keys.size - 1) furthest = furthest.max(c)
    }

    /** What a block may be in memory that holds this under that key. */
    def encryptions(key: Array[Byte], block: Int, data: Array[Byte]): Set[Seq[Byte]] =
      (1 until (1 << p.counterBits)).map(model.encrypt(ProtectionKeys(static, key), block, _, data).toSeq).toSet
    private val asked = mutable.Buffer.empty[(Transfer, Seq[Byte], Int)]
    def ask(t: Transfer): Unit = {
      val block = plain(t.address / 64)
      val answer = t.applyTo(block)
      if (t.write) {
        versions.getOrElseUpdate(t.address / 64, mutable.Queue.empty).enqueue(block.toSeq)
      }
      asked += ((t, answer, bench.ask(t)))
    }
    private var waited = 0

    /** A cycle; the key that is wanted comes when it has been wanted for some time. */
    def tick(keyDelay: Int): Unit = {
      bench.tick()
      val sweeps = dut.io.status.rekeying.peekBoolean()
      if (sweeping && !sweeps) finished += 1
      sweeping = sweeps
      waited = if (dut.io.keyWanted.valid.peekBoolean()) waited + 1 else 0
      if (waited > keyDelay) {
        val slot = dut.io.keyWanted.bits.peek().toInt
        assert(slot == (if (keys.size % 2 == 1) KeySlot.spare else KeySlot.dynamic))
        val next = key()
        for ((word, i) <- next.grouped(8).toSeq.zipWithIndex) {
          if (i == 1) keys += next
          bench.writeKeyWord(slot, i, BigInt(1, word))
        }
        waited = 0
      }
    }

    /** Until all is answered and no re-encryption goes on; then everything is looked at. */
    def finish(keyDelay: Int): Unit = {
      val limit = bench.cycle + 400000
      while (!bench.idle || dut.io.status.rekeying.peekBoolean() || dut.io.keyWanted.valid.peekBoolean()) {
        tick(keyDelay)
        assert(bench.cycle < limit, s"re-encryption $finished does not end")
      }
      for (_ <- 0 until 4) tick(keyDelay)
      check()
    }
    private def check(): Unit = {
      for ((t, data, ticket) <- asked) {
        assert(!bench.answers(ticket).denied, t)
        if (!t.write) assert(bench.answers(ticket).data == data, t)
      }
      bench.flush()
      assert(!dut.io.status.alarm.peekBoolean())
      for (b <- 0 until blocks) {
        val at = p.layout.counterAddress(b).toInt
        val counter = BigInt(1, bench.block(at / 64).slice(at % 64, at % 64 + p.layout.counterBytes).reverse)
        assert(
          model.decrypt(pair(keys.size - 1), b, counter, bench.block(b)).toSeq == plain(b).toSeq,
          s"block $b, counter $counter"
        )
      }
    }
  }

  private def inUse(dut: MemoryProtectionEngine, timing: Random => MemoryTiming, rekeyings: Int, often: Int): Unit = {
    val random = new Random(seed)
    val w = new Watcher(dut, random, timing(random))
    val limit = w.bench.cycle + 400000
    // Half of the blocks are never written: they stay under the static key
    def transfer() = {
      val t = Transfer.random(random, dut.p, blocks)
      if (t.write) t.copy(address = t.address % (blocks * 32)) else t
    }
    while (w.finished < rekeyings) {
      val sweeping = dut.io.status.rekeying.peekBoolean()
      if (random.nextInt(if (sweeping) often else 6) == 0) w.ask(transfer())
      w.tick(keyDelay = 50)
      assert(w.bench.cycle < limit, s"re-encryption ${w.finished} does not end")
    }
    // What is still asked for may need one more
    w.finish(keyDelay = 50)
    val usable = dut.io.status.usable.map(_.peekBoolean())
    assert(usable == Seq(true, w.keys.size % 2 == 1, w.keys.size % 2 == 0), "the old key is still there")
    assert(w.moved >= rekeyings * 10, "nothing was re-encrypted in the background")
    assert(dut.io.statistics.reencrypted.peek() == w.moved)
    info(s"${w.keys.size - 1} re-encryptions in ${w.bench.cycle} cycles, ${w.moved} blocks moved in the background")
  }

  /** Runs out of timestamps with a key that never comes. */
  private def exhausted(dut: MemoryProtectionEngine): Unit = {
    val w = new Watcher(dut, new Random(seed), SteadyMemory(20))
    val bench = w.bench
    val tickets = (0 until 300).map { i =>
      // The last that goes in, and what comes after it, waits as a write of part of a block
      bench.ask(if (i < 40) Transfer(write = true, 64 * (i % 48), 6, Seq.fill(64)(i.toByte))
      else Transfer(write = true, 64 * (i % 48) + 8, 3, Seq.fill(8)(i.toByte)))
    }
    bench.onBlockWritten = (_, _) => ()
    val limit = bench.cycle + 400000
    while (!bench.idle) {
      w.tick(keyDelay = 1 << 20)
      assert(bench.cycle < limit, "what waits for a key that does not come waits for ever")
    }
    assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.counterOverflow)
    assert(tickets.exists(t => bench.answers(t).denied))
    val traffic = bench.memory.written.size
    assert(bench.run(Transfer(
      write = false,
      0,
      6
    )).denied && bench.run(Transfer(write = true, 0, 6, Seq.fill(64)(0))).denied)
    for (_ <- 0 until 500) bench.tick()
    assert(bench.memory.written.size == traffic, "a halted engine writes")
  }

  /** Writes as fast as the engine takes them, with fewer timestamps than there are writes in a re-encryption: they wait for it. */
  private def outrun(dut: MemoryProtectionEngine, keyDelay: Int): Unit = {
    val w = new Watcher(dut, new Random(seed), SteadyMemory(20))
    // From one line of timestamps to the other, so that as many as can be in flight wait for theirs
    for (i <- 0 until 300) w.ask(Transfer(write = true, 64 * (i % 2 * 64 + i * 5 % 32), 6, Seq.fill(64)(i.toByte)))
    w.finish(keyDelay)
    assert(w.finished >= 4)
  }

  /** The same, with time enough to begin: what is asked for comes under the new key, and has all of its timestamps, while the old one's blocks wait. */
  private def outrunInSweep(dut: MemoryProtectionEngine): Unit = {
    val w = new Watcher(dut, new Random(seed), SteadyMemory(20))
    for (b <- (0 until 32) ++ (64 until blocks)) w.ask(Transfer(write = true, 64 * b, 6, Seq.fill(64)(b.toByte)))
    for (i <- 0 until 600) w.ask(i % 5 match {
      case 3 => Transfer(write = true, 64 * (i % 8) + 8, 3, Seq.fill(8)(i.toByte))
      case 4 => Transfer(write = false, 64 * (i % blocks), 6)
      case _ => Transfer(write = true, 64 * (i % 8), 6, Seq.fill(64)(i.toByte))
    })
    w.finish(keyDelay = 0)
    // Those that may still be taken when writes wait are 12 of 63
    assert(w.furthest >= 50, "no write had to wait for the end of a re-encryption")
    info(s"${w.finished} re-encryptions in ${w.bench.cycle} cycles, counters up to ${w.furthest} of 63 in them")
  }

  /** The key is lost while a write of part of a block waits, the rest of which is read under that key.
    *
    * @param before what is done before it is asked for
    * @param behind and what is asked for behind it
    */
  private def keyLost(
      dut: MemoryProtectionEngine,
      timing: MemoryTiming
  )(before: EngineBench => Unit, behind: Seq[Transfer]): Unit = {
    val w = new Watcher(dut, new Random(seed), timing)
    val bench = w.bench
    val (old, block) = (Seq.fill(64)(0x5a.toByte), 3)
    bench.onBlockWritten = (_, _) => ()
    bench.run(Transfer(write = true, 64 * block, 6, old))
    before(bench)
    val merged = bench.ask(Transfer(write = true, 64 * block + 8, 3, Seq.fill(8)(1)))
    behind.foreach(bench.ask)
    for (_ <- 0 until 2000) bench.tick()
    assert(!bench.answers.contains(merged), "the write does not wait")
    val written = mutable.Buffer.empty[Seq[Byte]]
    bench.onBlockWritten = (b, cipher) => if (b == block) written += cipher.toSeq
    bench.zeroize(KeySlot.dynamic)
    val random = new Random(seed + 1)
    val next = Seq.fill(2)(Transfer.randomBytes(random, 16).toArray)
    for ((slot, key) <- Seq(KeySlot.dynamic, KeySlot.spare).zip(next)) bench.loadKey(slot, key)
    for (_ <- 0 until 20000) bench.tick()
    assert(bench.answers(merged).denied, "a write that was merged under a lost key is acknowledged")
    val plain = (old.take(8) ++ Seq.fill(8)(1.toByte) ++ old.drop(16)).toArray
    for (key <- next)
      assert(
        !written.exists(w.encryptions(key, block, plain).contains),
        "what the lost key had encrypted is in memory under another"
      )
  }

  /** Timestamps are used up until no write may begin. */
  private def useUp(dut: MemoryProtectionEngine)(bench: EngineBench): Unit = {
    def waits = dut.io.keyWanted.valid.peekBoolean()
    for (i <- 0 until 60 if !waits) bench.run(Transfer(write = true, 64 * (4 + i % 40), 6, Seq.fill(64)(i.toByte)))
    assert(waits)
  }

  /** Memory refuses the read of a block that is to be re-encrypted. */
  private def refused(dut: MemoryProtectionEngine): Unit = {
    val w = new Watcher(dut, new Random(seed), SteadyMemory(20))
    val bench = w.bench
    bench.onBlockWritten = (_, _) => ()
    for (i <- 0 until 40) bench.run(Transfer(write = true, 64 * (i % 20), 6, Seq.fill(64)(i.toByte)))
    bench.memory.broken += ((7, 3))
    while (!dut.io.keyWanted.valid.peekBoolean()) bench.run(Transfer(write = true, 0, 6, Seq.fill(64)(0)))
    for (_ <- 0 until 5000) w.tick(keyDelay = 10)
    assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.metadataError)
    assert(!dut.io.status.rekeying.peekBoolean())
    assert(bench.run(Transfer(write = false, 0, 6)).denied)
  }

  private val small = protection(9, 250, MetadataCacheParams(lines = 2, ways = 2, mshrs = 1))
  test("data are right and no pad repeats while memory is re-encrypted, again and again, with two timestamp lines") {
    simulate(new MemoryProtectionEngine(small)) { dut =>
      inUse(dut, new HastyMemory(_, 30), rekeyings = 3, often = 25)
      resetDesign(dut)
      inUse(dut, _ => SteadyMemory(20), rekeyings = 2, often = 25)
      resetDesign(dut)
      refused(dut)
      resetDesign(dut)
      // Data come back when the key has gone
      val slowReads = new SteadyMemory(20) { override def delay(write: Boolean): Int = if (write) 1 else 2500 }
      keyLost(dut, slowReads)(_ => (), Nil)
    }
  }
  test("writes wait for a re-encryption that would end too late, and one that never begins stops the engine") {
    val slow = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
    simulate(new MemoryProtectionEngine(protection(6, 4, slow, writes = 10))) { dut =>
      outrun(dut, keyDelay = 0)
      resetDesign(dut)
      outrun(dut, keyDelay = 700)
      resetDesign(dut)
      exhausted(dut)
      resetDesign(dut)
      keyLost(dut, SteadyMemory(20))(useUp(dut), Nil)
    }
  }
  test("writes wait for the end of a re-encryption when they were as many as the new key has timestamps for") {
    val slow = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
    simulate(new MemoryProtectionEngine(protection(6, 40, slow, writes = 10)))(outrunInSweep)
  }
}
