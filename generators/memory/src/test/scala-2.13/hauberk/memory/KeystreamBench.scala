package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyPorts
import hauberk.memory.common.KeySlot
import hauberk.memory.cipher.{CipherArbiter, CipherCommand}
import hauberk.memory.mode.{Keystream, KeystreamAhead, KeystreamJob}
import hauberk.testing.Simulation
import scala.collection.mutable

/** A keystream generator with a cipher of its own and a buffer that a test fills. */
class KeystreamHarness(val p: Protection) extends Module {
  val io = IO(new Bundle {
    val keyWrite = Flipped(Valid(new hauberk.crypto.KeyWrite(KeySlot.count, p.cipher.keyBits)))
    val usable = Output(Vec(KeySlot.count, Bool()))
    val fill = Flipped(Valid(new Keystream(p)))
    val job = Flipped(Decoupled(new KeystreamJob(p)))
    val ahead = Flipped(Valid(new KeystreamAhead(p)))
    val keystream = Valid(new Keystream(p))

    /** The cipher is busy with somebody else. */
    val hold = Input(Bool())
  })
  val cipherArbiter = Module(new CipherArbiter(p, p.cipherUsers))
  val generator = Module(p.keystreamGenerator())
  cipherArbiter.io.keyWrite := io.keyWrite
  cipherArbiter.io.firstYields := false.B
  cipherArbiter.io.keyZeroize.valid := false.B
  cipherArbiter.io.keyZeroize.bits := 0.U
  io.usable := cipherArbiter.io.usable
  for (client <- cipherArbiter.io.clients) {
    client.request.valid := false.B
    client.request.bits := 0.U.asTypeOf(new CipherCommand(p))
  }
  cipherArbiter.io.clients(0) <> generator.io.cipher
  when(io.hold) {
    cipherArbiter.io.clients(0).request.valid := false.B
    generator.io.cipher.request.ready := false.B
  }
  generator.io.port.job <> io.job
  generator.io.port.ahead := io.ahead
  io.keystream := generator.io.port.keystream

  val buffer = Mem(p.entries * p.aesBlocks, UInt(128.W))
  when(io.fill.valid) { buffer.write(Cat(io.fill.bits.entry, io.fill.bits.aesBlock), io.fill.bits.bits) }
  for (port <- generator.io.port.buffer) { port.data := buffer.read(Cat(port.entry, port.aesBlock)) }
}

/** What a transaction asks of a keystream generator. */
case class KeystreamRequest(
    entry: Int,
    block: BigInt,
    data: Array[Byte],
    write: Boolean,
    key: Int,
    counter: BigInt = 0,
    direct: Boolean = true,
    first: Int = 0,
    last: Int = 3
)

/** Drives a [[KeystreamHarness]] cycle by cycle. */
class KeystreamBench(simulation: Simulation, dut: KeystreamHarness) {
  import simulation._
  private val p = dut.p
  var cycle = 0
  private val jobs = mutable.Queue.empty[KeystreamRequest]

  /** When the job of an entry was taken, and its keystream by AES block with the cycle of each. */
  val taken: mutable.Map[Int, Int] = mutable.Map.empty
  val keystream: mutable.Map[(Int, Int), (BigInt, Int)] = mutable.Map.empty
  var hold: () => Boolean = () => false

  def tick(): Unit = {
    dut.io.hold.poke(hold())
    for (job <- jobs.headOption) {
      dut.io.job.bits.entry.poke(job.entry)
      dut.io.job.bits.write.poke(job.write)
      dut.io.job.bits.block.poke(job.block)
      dut.io.job.bits.counter.poke(job.counter)
      dut.io.job.bits.key.poke(job.key)
      dut.io.job.bits.direct.poke(job.direct)
      dut.io.job.bits.first.poke(job.first)
      dut.io.job.bits.last.poke(job.last)
    }
    dut.io.job.valid.poke(jobs.nonEmpty)
    if (jobs.nonEmpty && dut.io.job.ready.peekBoolean()) taken(jobs.dequeue().entry) = cycle
    if (dut.io.keystream.valid.peekBoolean()) {
      val at = (dut.io.keystream.bits.entry.peek().toInt, dut.io.keystream.bits.aesBlock.peek().toInt)
      assert(!keystream.contains(at), s"a second keystream block for AES block ${at._2} of entry ${at._1}")
      keystream(at) = (dut.io.keystream.bits.bits.peek(), cycle)
    }
    step()
    cycle += 1
  }

  def start(keys: Map[Int, Array[Byte]]): Unit = {
    dut.io.job.valid.poke(false)
    dut.io.ahead.valid.poke(false)
    dut.io.fill.valid.poke(false)
    dut.io.hold.poke(false)
    for ((slot, key) <- keys) KeyPorts.write(simulation, dut.io.keyWrite, slot, BigInt(1, key))
    for (slot <- keys.keys) stepUntil(dut.io.usable(slot), 200)
  }

  /** Announces a transaction, if its keystream needs its data. */
  def announce(r: KeystreamRequest): Unit = if (r.direct) {
    dut.io.ahead.valid.poke(true)
    dut.io.ahead.bits.entry.poke(r.entry)
    dut.io.ahead.bits.block.poke(r.block)
    dut.io.ahead.bits.key.poke(r.key)
    tick()
    dut.io.ahead.valid.poke(false)
  }

  /** Puts the data of a transaction into the buffer. */
  def fill(r: KeystreamRequest): Unit = {
    for ((aesBlock, i) <- r.data.grouped(16).zipWithIndex) {
      dut.io.fill.valid.poke(true)
      dut.io.fill.bits.entry.poke(r.entry)
      dut.io.fill.bits.aesBlock.poke(i)
      dut.io.fill.bits.bits.poke(BigInt(1, aesBlock.reverse))
      tick()
    }
    dut.io.fill.valid.poke(false)
  }

  /** Asks for the keystream of a transaction whose data is there. */
  def ask(r: KeystreamRequest): Unit = jobs.enqueue(r)
  def isDone(r: KeystreamRequest): Boolean = (r.first to r.last).forall(i => keystream.contains((r.entry, i)))

  /** Runs until all keystream is there; data XOR keystream of each request. */
  def collect(requests: Seq[KeystreamRequest], limit: Int = 5000): Seq[Array[Byte]] = {
    val end = cycle + limit
    while (!requests.forall(isDone)) {
      assert(cycle < end, s"the keystream is missing after $limit cycles")
      tick()
    }
    requests.map { r =>
      (r.first to r.last).flatMap { i =>
        val bytes = keystream((r.entry, i))._1
        (0 until 16).map(j => (r.data(16 * i + j) ^ (bytes >> (8 * j)).toByte).toByte)
      }.toArray
    }
  }

  /** Makes room for new transactions. */
  def forget(): Unit = {
    keystream.clear()
    taken.clear()
  }
}
