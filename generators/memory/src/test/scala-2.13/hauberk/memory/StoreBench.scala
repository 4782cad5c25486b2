package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyPorts
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, KeySlot}
import hauberk.memory.cipher.{CipherArbiter, CipherCommand}
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.counter.CounterResult
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** A counter store, with a cipher of its own if it needs one. */
class StoreHarness(val p: Protection) extends Module {
  val io = IO(new Bundle {
    val keyWrite = Flipped(Valid(new hauberk.crypto.KeyWrite(KeySlot.count, p.cipher.keyBits)))
    val usable = Output(Vec(KeySlot.count, Bool()))
    val valid = Input(Bool())
    val write = Input(Bool())
    val block = Input(UInt(p.core.blockIndexBits.W))
    val entry = Input(UInt(p.entryBits.W))
    val answer = Output(new LookupAnswer)
    val result = Valid(new CounterResult(p))
    val retry = Output(Bool())
    val memory = new MemoryPort(p.memory)
    val flush = Input(Bool())
    val flushing = Output(Bool())
    val alarm = Output(UInt(AlarmCause.width.W))
    val alarmAddress = Output(UInt(p.memory.addressBits.W))
    val hit = Output(Bool())
    val miss = Output(Bool())
  })
  val store = Module(p.counterStore())
  io.usable.foreach(_ := true.B)
  store.io.keys.usable := io.usable
  store.io.hashKeys := 0.U.asTypeOf(store.io.hashKeys)
  if (store.io.cipher.nonEmpty) {
    val cipherArbiter = Module(new CipherArbiter(p, p.cipherUsers))
    cipherArbiter.io.keyWrite := io.keyWrite
    cipherArbiter.io.firstYields := false.B
    cipherArbiter.io.keyZeroize.valid := false.B
    cipherArbiter.io.keyZeroize.bits := 0.U
    io.usable := cipherArbiter.io.usable
    for (client <- cipherArbiter.io.clients) {
      client.request.valid := false.B
      client.request.bits := 0.U.asTypeOf(new CipherCommand(p))
    }
    for ((client, user) <- cipherArbiter.io.clients.tail.zip(store.io.cipher)) { client <> user }
  }
  store.io.imageBlocks := 0.U
  store.io.reencrypt.ready := false.B
  store.io.reencrypted.valid := false.B
  store.io.reencrypted.bits := 0.U
  store.io.lookup.valid := io.valid
  store.io.lookup.write := io.write
  store.io.lookup.block := io.block
  store.io.lookup.entry := io.entry
  io.answer := store.io.lookup.answer
  io.result := store.io.result
  io.retry := store.io.retry
  io.memory <> store.io.memory
  store.io.flush := io.flush
  io.flushing := store.io.flushing
  io.alarm := store.io.alarm
  io.alarmAddress := store.io.alarmAddress
  io.hit := store.io.hit
  io.miss := store.io.miss
}

/** A look-up of a test, and what came of it. */
case class NumberAsked(block: Int, write: Boolean, entry: Int)
case class NumberFound(counter: BigInt, key: Int, direct: Boolean, denied: Boolean, asked: Int, found: Int)

/** Drives a [[StoreHarness]] as the core of an engine does: one look-up a cycle, none of a block whose last is unanswered. */
class StoreBench(simulation: Simulation, dut: StoreHarness, timing: MemoryTiming, random: Random) {
  import simulation._
  private val p = dut.p
  val memory = new PortMemory(simulation, dut.io.memory, timing)
  var cycle = 0
  var hits, misses = 0
  val alarms: mutable.Buffer[(Int, BigInt)] = mutable.Buffer.empty
  private val waiting = mutable.Buffer.empty[NumberAsked]
  private val sleeping = mutable.Set.empty[Int]
  private val outstanding = mutable.Map.empty[Int, (NumberAsked, Int)]
  val found: mutable.Map[Int, NumberFound] = mutable.Map.empty

  /** Told of every look-up in the order in which they are accepted, and of every result. */
  var onAccept: NumberAsked => Unit = _ => ()
  var onFound: (NumberAsked, NumberFound) => Unit = (_, _) => ()

  def start(keys: ProtectionKeys): Unit = {
    for (e <- Seq(dut.io.valid, dut.io.write, dut.io.flush, dut.io.keyWrite.valid)) e.poke(false)
    dut.io.block.poke(0)
    dut.io.entry.poke(0)
    for ((slot, key) <- Seq(KeySlot.static -> keys.static, KeySlot.dynamic -> keys.dynamic))
      KeyPorts.write(simulation, dut.io.keyWrite, slot, BigInt(1, key))
    for (slot <- Seq(KeySlot.static, KeySlot.dynamic)) stepUntil(dut.io.usable(slot), 300)
  }

  private def busyBlocks = (waiting ++ outstanding.values.map(_._1)).map(_.block)
  private def freeEntries(write: Boolean): Seq[Int] = {
    val all = if (write) p.params.reads until p.entries else 0 until p.params.reads
    all.filterNot(e => outstanding.contains(e) || waiting.exists(_.entry == e))
  }

  /** Ask for a number, if the block and an entry are free. */
  def tryAsk(block: Int, write: Boolean): Option[Int] = {
    val entries = freeEntries(write)
    if (entries.isEmpty || busyBlocks.contains(block)) None
    else {
      val entry = entries(random.nextInt(entries.size))
      waiting += NumberAsked(block, write, entry)
      Some(entry)
    }
  }
  def idle: Boolean = waiting.isEmpty && outstanding.isEmpty

  def tick(): Unit = {
    val awake = waiting.filterNot(w => sleeping(w.entry))
    val chosen = if (awake.isEmpty) None else Some(awake(random.nextInt(awake.size)))
    dut.io.valid.poke(chosen.nonEmpty)
    for (c <- chosen) {
      dut.io.write.poke(c.write)
      dut.io.block.poke(c.block)
      dut.io.entry.poke(c.entry)
    }
    memory.drive()
    for (c <- chosen) {
      val (accepted, blocked) = (dut.io.answer.accepted.peekBoolean(), dut.io.answer.blocked.peekBoolean())
      assert(!(accepted && blocked), "a look-up is accepted and blocked")
      if (accepted) {
        waiting -= c
        onAccept(c)
        outstanding(c.entry) = (c, cycle)
      }
      if (blocked) sleeping += c.entry
    }
    if (dut.io.hit.peekBoolean()) hits += 1
    if (dut.io.miss.peekBoolean()) misses += 1
    if (dut.io.retry.peekBoolean()) sleeping.clear()
    if (dut.io.alarm.peek() != 0) alarms += ((dut.io.alarm.peek().toInt, dut.io.alarmAddress.peek()))
    if (dut.io.result.valid.peekBoolean()) {
      val bits = dut.io.result.bits
      val entry = bits.entry.peek().toInt
      assert(outstanding.contains(entry), s"a result for entry $entry, which asked for none")
      val (asked, when) = outstanding.remove(entry).get
      found(entry) = NumberFound(
        bits.counter.peek(),
        bits.key.peek().toInt,
        bits.direct.peekBoolean(),
        bits.denied.peekBoolean(),
        when,
        cycle
      )
      onFound(asked, found(entry))
    }
    memory.settle()
    step()
    cycle += 1
  }

  def drain(limit: Int = 5000): Unit = {
    val end = cycle + limit
    while (!idle) {
      assert(cycle < end, s"look-ups are unanswered after $limit cycles: $waiting $outstanding")
      tick()
    }
  }

  /** One look-up, alone. */
  def run(block: Int, write: Boolean): NumberFound = {
    drain()
    val entry = tryAsk(block, write).get
    drain()
    found(entry)
  }

  /** Many, at random, as many at a time as there are entries. */
  def runMany(count: Int, blocks: Int, writes: Double): Unit = {
    var asked = 0
    while (asked < count) {
      if (random.nextInt(10) < 7) asked += tryAsk(random.nextInt(blocks), random.nextDouble() < writes).size
      tick()
    }
    drain()
  }

  def flush(): Unit = {
    drain()
    dut.io.flush.poke(true)
    tick()
    dut.io.flush.poke(false)
    val end = cycle + 20000
    while (dut.io.flushing.peekBoolean()) {
      assert(cycle < end, "a flush does not end")
      tick()
    }
  }

  /** Bytes of a metadata line in memory, lowest address first. */
  def line(number: Int): Array[Byte] = memory.block(firstLine + number).clone
  def putLine(number: Int, bytes: Array[Byte]): Unit = memory.blocks(firstLine + number) = bytes
  private val firstLine = (p.layout.counterBase / p.bank.blockBytes).toInt
}
