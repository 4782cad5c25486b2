package hauberk.memory

import chisel3._
import hauberk.memory.common.KeySlot
import hauberk.memory.engine.EngineIO
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import scala.collection.mutable

/** Drives one engine cycle by cycle, with a memory behind it. */
class EngineBench(simulation: Simulation, io: EngineIO, p: Protection, timing: MemoryTiming) {
  import simulation._
  def this(simulation: Simulation, dut: MemoryProtectionEngine, timing: MemoryTiming) =
    this(simulation, dut.io, dut.p, timing)
  private val blockBytes = p.bank.blockBytes

  /** The untrusted memory. */
  val memory = new PortMemory(simulation, io.memory, timing, partial = true)
  def block(number: Int): Array[Byte] = memory.block(number)

  /** Who owns pages, if the engine asks. */
  val owners: Option[PageOwnersModel] = io.owner.map(new PageOwnersModel(simulation, _))

  /** Told of every block of data that memory took whole. */
  var onBlockWritten: (Int, Array[Byte]) => Unit = (_, _) => ()
  memory.onWritten = number => if (p.layout.isData(number * blockBytes)) onBlockWritten(number, block(number).clone)

  /** Called in each cycle, when everything is driven. */
  var onTick: () => Unit = () => ()

  private val client = new PortClient(simulation, io.client, timing)
  def answers: mutable.Map[Int, Answer] = client.answers
  def onTaken_=(told: Transfer => Unit): Unit = client.onTaken = told
  def onTaken: Transfer => Unit = client.onTaken
  def cycle: Int = client.cycle

  /** Ask for a transfer; the ticket finds its answer. */
  def ask(transfer: Transfer): Int = client.ask(transfer)
  def idle: Boolean = client.idle

  /** Run until every transfer is answered. */
  def drain(limit: Int = 200000): Unit = {
    val start = cycle
    while (!idle) {
      tick()
      if (cycle - start > limit) throw new AssertionError(s"transfers are unanswered after $limit cycles")
    }
  }
  def run(transfer: Transfer): Answer = {
    val ticket = ask(transfer)
    drain()
    answers(ticket)
  }
  def runAll(transfers: Seq[Transfer]): Seq[Answer] = {
    val all = transfers.map(ask)
    drain()
    all.map(answers)
  }

  def loadKeys(keys: ProtectionKeys): Unit =
    for ((slot, key) <- Seq(KeySlot.static -> keys.static, KeySlot.dynamic -> keys.dynamic)) loadKey(slot, key)
  def loadKey(slot: Int, key: Array[Byte]): Unit =
    for ((word, i) <- key.grouped(8).zipWithIndex) writeKeyWord(slot, i, BigInt(1, word))
  def writeKeyWord(slot: Int, word: Int, data: BigInt): Unit = {
    io.keyWrite.bits.slot.poke(slot)
    io.keyWrite.bits.word.poke(word)
    io.keyWrite.bits.data.poke(data)
    io.keyWrite.valid.poke(true)
    tick()
    io.keyWrite.valid.poke(false)
  }
  def quiet(): Unit = {
    io.keyWrite.valid.poke(false)
    io.keyZeroize.valid.poke(false)
    io.keyZeroize.bits.poke(0)
    io.control.arm.poke(false)
    io.control.flush.poke(false)
    io.control.check.poke(false)
    io.control.halt.poke(false)
    io.control.imageBlocks.poke(0)
  }
  def arm(): Unit = {
    io.control.arm.poke(true)
    tick()
    io.control.arm.poke(false)
  }
  def zeroize(slot: Int): Unit = {
    io.keyZeroize.bits.poke(slot)
    io.keyZeroize.valid.poke(true)
    tick()
    io.keyZeroize.valid.poke(false)
  }

  /** Ask for a check and go on. */
  def pulseCheck(): Unit = {
    io.control.check.poke(true)
    tick()
    io.control.check.poke(false)
  }
  def awaitCheck(): Unit = {
    val limit = cycle + 200000
    while (io.status.checking.peekBoolean()) {
      tick()
      assert(cycle < limit, "the check does not end")
    }
  }

  /** Command a flush and go on. */
  def pulseFlush(): Unit = {
    io.control.flush.poke(true)
    tick()
    io.control.flush.poke(false)
  }
  def flush(): Unit = {
    pulseFlush()
    tick()
    val start = cycle
    while (io.status.flushing.peekBoolean()) {
      tick()
      if (cycle - start > 200000) throw new AssertionError("a flush does not end")
    }
  }

  /** Wait for initialisation, load keys, arm.
    *
    * @param imageBlocks blocks the package brought
    */
  def start(keys: ProtectionKeys, imageBlocks: Int = 0): Unit = {
    quiet()
    io.control.imageBlocks.poke(imageBlocks)
    while (!io.status.initialised.peekBoolean()) tick()
    loadKeys(keys)
    while (!Seq(KeySlot.static, KeySlot.dynamic).forall(io.status.usable(_).peekBoolean())) tick()
    arm()
  }

  def tick(): Unit = {
    client.drive()
    memory.drive()
    client.settle()
    memory.settle()
    owners.foreach(_.settle())
    onTick()
    step()
  }
}
