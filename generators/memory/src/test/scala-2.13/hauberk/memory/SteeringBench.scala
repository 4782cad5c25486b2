package hauberk.memory

import chisel3._
import hauberk.memory.counter.CounterHint
import hauberk.memory.engine.EngineIO
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** An [[EngineBench]] with hints. Recovers every pad that is used from outside, as plaintext XOR ciphertext, and asserts that none is used twice for a
  * block; writes must come from here, so that it knows what they make of their blocks.
  */
class SteeringBench(simulation: Simulation, io: EngineIO, val p: Protection, random: Random, timing: MemoryTiming) {
  import simulation._
  def this(simulation: Simulation, dut: MemoryProtectionEngine, random: Random, timing: MemoryTiming) =
    this(simulation, dut.io, dut.p, random, timing)
  val blockBytes: Int = p.bank.blockBytes
  val whole: Int = Integer.numberOfTrailingZeros(blockBytes)
  val bench = new EngineBench(simulation, io, p, timing)
  val keys: ProtectionKeys =
    ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
  val model = new ReferenceModel(p.params.mode, p.layout, p.bank.engine)

  /** Plaintexts that each block will have, in their order, and how many of them the engine has taken. */
  private val versions = mutable.Map.empty[Int, mutable.Buffer[Seq[Byte]]]
  private val taken = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private var lastTaken = 0
  private var joined = BigInt(0)
  private val pads = mutable.Map.empty[Int, mutable.Set[Seq[Byte]]]
  var writes = 0
  bench.onTaken = transfer =>
    if (transfer.write) {
      checkJoined()
      lastTaken = transfer.address / blockBytes
      taken(lastTaken) += 1
    }
  bench.onBlockWritten = (b, stored) => {
    checkJoined()
    taken(b) -= 1
    val pad = versions(b).remove(0).zip(stored).map { case (plain, cipher) => (plain ^ cipher).toByte }
    assert(pads.getOrElseUpdate(b, mutable.Set.empty).add(pad), s"a pad is used twice for block $b")
    writes += 1
  }
  private def expect(block: Int, data: Seq[Byte]): Unit =
    versions.getOrElseUpdate(block, mutable.Buffer.empty) += data

  /** What the last write that was taken joined never comes to memory by itself. */
  private def checkJoined(): Unit = {
    val now = io.statistics.joinedWrites.peek()
    if (now > joined) {
      joined = now
      taken(lastTaken) -= 1
      versions(lastTaken).remove(taken(lastTaken) - 1)
    }
  }

  def hint(kind: Int, block: Int, id: Int): Unit = for (port <- io.hint) {
    port.valid.poke(true)
    port.bits.kind.poke(kind)
    port.bits.block.poke(block)
    port.bits.id.poke(id)
  }
  def quiet(): Unit = io.hint.foreach(_.valid.poke(false))

  /** One hint, in a cycle of its own. */
  def give(kind: Int, block: Int, id: Int): Unit = {
    hint(kind, block, id)
    bench.tick()
    quiet()
  }
  private def pairAt(block: Int): (Array[Byte], Int) = {
    val at = p.layout.counterAddress(block).toInt
    (bench.block(at / blockBytes), at % blockBytes)
  }
  def pairOf(block: Int): BigInt = {
    val (line, at) = pairAt(block)
    BigInt(1, line.slice(at, at + 4).reverse)
  }
  def putPair(block: Int, pair: BigInt): Unit = {
    val (line, at) = pairAt(block)
    for (i <- 0 until 4) line(at + i) = (pair >> (8 * i)).toByte
  }
  def read(block: Int): Transfer = Transfer(write = false, block * blockBytes, whole)

  /** A write of a whole block, which is expected from now on. */
  def write(block: Int, data: Seq[Byte]): Transfer = {
    expect(block, data)
    Transfer(write = true, block * blockBytes, whole, data)
  }

  /** A write of one byte of a block, which holds `old`. */
  def writeByte(block: Int, old: Seq[Byte], at: Int, value: Byte): Transfer = {
    expect(block, old.updated(at, value))
    Transfer(write = true, block * blockBytes + at, 0, Seq(value))
  }
  def idle(cycles: Int): Unit = for (_ <- 0 until cycles) bench.tick()

  /** Writes a block, every byte of which is `value`, and waits until its pair is in memory. */
  def fill(block: Int, value: Int): Unit = {
    bench.run(write(block, Seq.fill(blockBytes)(value.toByte)))
    idle(60)
  }

  /** Reads a block whose bytes are all `value`: cycles until its first beat. */
  def latency(block: Int, value: Int): Int = {
    val answer = bench.run(read(block))
    assert(answer.data == Seq.fill(blockBytes)(value.toByte))
    answer.beats.head - answer.asked
  }

  /** Fills a block under a store hint of some id, or none, and reads it under a load hint: cycles until its first beat. */
  def latency(block: Int, value: Int, store: Option[Int], load: Option[Int]): Int = {
    store.foreach(give(CounterHint.store, block, _))
    fill(block, value)
    load.foreach(give(CounterHint.load, block, _))
    idle(30)
    val cycles = latency(block, value)
    idle(60)
    cycles
  }

  /** Memory holds these plaintexts in its first blocks, under the pairs that it holds. */
  def checkMemory(expected: Seq[Array[Byte]], clue: String): Unit = for ((plain, b) <- expected.zipWithIndex) {
    val pair = pairOf(b)
    assert(model.decrypt(keys, b, pair, bench.block(b)).toSeq == plain.toSeq, s"$clue: block $b, pair $pair")
  }

  /** Arms the engine over a memory of noise, and waits until its tables are cleared. */
  def start(): Unit = {
    quiet()
    for (i <- 0 until (p.bank.localBytes / blockBytes).toInt) random.nextBytes(bench.block(i))
    bench.start(keys)
    idle(300)
  }

  /** Runs until all is answered, with something beside in each cycle. */
  def drain(limit: Int)(beside: => Unit): Unit = {
    val end = bench.cycle + limit
    while (!bench.idle) {
      assert(bench.cycle < end, "the engine hangs")
      beside
      quiet()
    }
  }

  /** Random transfers among the first blocks, whose reads are as the model says. `beside` ticks, and gives hints.
    *
    * @return what the blocks hold in the end
    */
  def agree(transfers: Int, blocks: Int, limit: Int)(beside: => Unit): Array[Array[Byte]] = {
    val expected = Array.tabulate(blocks) { b =>
      val plain = Transfer.randomBytes(random, blockBytes).toArray
      bench.memory.blocks(b) = model.encrypt(keys, b, 0, plain)
      plain
    }
    val asked = (0 until transfers).map { _ =>
      val t = Transfer.random(random, p, blocks)
      val block = expected(t.address / blockBytes)
      val data = t.applyTo(block)
      if (t.write) expect(t.address / blockBytes, block.toSeq)
      (t, data, bench.ask(t))
    }
    drain(limit)(beside)
    for ((t, data, ticket) <- asked) {
      assert(!bench.answers(ticket).denied, t.toString)
      if (!t.write) assert(bench.answers(ticket).data == data, t.toString)
    }
    expected
  }
}
