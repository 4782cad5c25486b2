package hauberk.memory

import hauberk.memory.integrity.NoIntegrity
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel, ReferenceTag}
import hauberk.testing.Simulation
import scala.util.Random

/** An engine of any scheme with a package in its memory, and a plain model of what the client must see: the package, and behind it zeros if
  * the scheme can tell what nobody has written.
  *
  * @param imageBlocks blocks the package brings; memory holds noise wherever it has nothing
  */
class SchemeBench(
    simulation: Simulation,
    dut: MemoryProtectionEngine,
    timing: MemoryTiming,
    seed: Int,
    val imageBlocks: Int
) {
  import simulation._
  val p: Protection = dut.p
  val random = new Random(seed)
  val keys: ProtectionKeys =
    ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
  val bench = new EngineBench(simulation, dut, timing)
  private val model = new ReferenceModel(p.params.mode, p.layout, p.bank.engine)
  private val verifies = p.params.integrity != NoIntegrity
  private val blockBytes = p.bank.blockBytes
  val plain: Array[Array[Byte]] = Array.tabulate(p.layout.dataBlocks.toInt) { b =>
    random.nextBytes(bench.block(b))
    if (b < imageBlocks || !verifies) {
      val bytes = Transfer.randomBytes(random, blockBytes).toArray
      val stored = model.encrypt(keys, b, 0, bytes)
      bench.memory.blocks(b) = stored
      bytes
    } else new Array[Byte](blockBytes)
  }
  for (line <- p.layout.dataBlocks.toInt until (p.bank.localBytes / blockBytes).toInt)
    random.nextBytes(bench.block(line))
  if (p.params.integrity.hasTags) for (b <- 0 until imageBlocks) {
    val covered = if (p.params.integrity.overPlaintext) plain(b) else bench.block(b)
    put(p.layout.tagAddress(b).toInt, ReferenceTag.ofImage(keys, p.bank.engine, b, imageBlocks, covered))
  }
  private def put(address: Int, word: Long): Unit =
    for (i <- 0 until 8) bench.block(address / blockBytes)(address % blockBytes + i) = (word >> (8 * i)).toByte

  def start(): Unit = bench.start(keys, imageBlocks)

  /** Asks for a transfer and notes what it must answer; the check of it. */
  def ask(t: Transfer): () => Unit = {
    val expected = t.applyTo(plain(t.address / blockBytes))
    val ticket = bench.ask(t)
    () => {
      val answer = bench.answers(ticket)
      assert(!answer.denied, s"$t is denied")
      assert(t.write || answer.data == expected, s"$t is answered ${answer.data} instead of $expected")
    }
  }

  /** Random traffic over some blocks, all answers checked, with flushes now and then. */
  def traffic(transfers: Int, blocks: Seq[Int], flushes: Boolean = false): Unit = {
    val checks = (0 until transfers).map { _ =>
      val t = Transfer.random(random, p, blocks.size)
      ask(t.copy(address = blocks(t.address / blockBytes) * blockBytes + t.address % blockBytes))
    }
    val limit = bench.cycle + transfers * 1000
    while (!bench.idle) {
      if (flushes && random.nextInt(60) == 0) bench.pulseFlush()
      bench.tick()
      assert(bench.cycle < limit, "the engine hangs")
    }
    checks.foreach(_())
    assert(
      !alarmed,
      s"a false alarm, cause ${dut.io.status.cause.peek()} at 0x${dut.io.status.address.peek().toString(16)}"
    )
  }

  def alarmed: Boolean = dut.io.status.alarm.peekBoolean()

  /** Everything dirty in memory. */
  def flush(): Unit = bench.flush()
}
