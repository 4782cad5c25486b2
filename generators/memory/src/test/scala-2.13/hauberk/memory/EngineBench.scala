package hauberk.memory

import chisel3._
import hauberk.memory.common.KeySlot
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import scala.collection.mutable

/** Drives one engine cycle by cycle, with a memory behind it. */
class EngineBench(simulation: Simulation, dut: MemoryProtectionEngine, timing: MemoryTiming) {
  import simulation._
  private val p = dut.p
  private val beatBytes = p.bank.beatBytes
  private val blockBytes = p.bank.blockBytes
  var cycle = 0

  /** The untrusted memory. */
  val memory = new PortMemory(simulation, dut.io.memory, timing, partial = true)
  def block(number: Int): Array[Byte] = memory.block(number)

  /** Told of every block of data that memory took whole. */
  var onBlockWritten: (Int, Array[Byte]) => Unit = (_, _) => ()
  memory.onWritten = number => if (p.layout.isData(number * blockBytes)) onBlockWritten(number, block(number).clone)

  private var answeringId: Option[Int] = None
  private val waiting = mutable.Queue.empty[(Int, Transfer)]
  private var sending: Option[(Int, Transfer, Int)] = None // id, transfer, beat
  private var asked = mutable.Map.empty[Int, Int]
  private val collected = mutable.Map.empty[Int, (Transfer, mutable.Buffer[BigInt], mutable.Buffer[Int])]
  private val busyIds = mutable.Set.empty[Int]
  private val tickets = mutable.Map.empty[Int, Int]
  private var nextTicket = 0
  val answers: mutable.Map[Int, Answer] = mutable.Map.empty

  /** Ask for a transfer; the ticket finds its answer. */
  def ask(transfer: Transfer): Int = {
    waiting.enqueue((nextTicket, transfer))
    nextTicket += 1
    nextTicket - 1
  }
  def idle: Boolean = waiting.isEmpty && sending.isEmpty && busyIds.isEmpty

  /** Run until every transfer is answered. */
  def drain(limit: Int = 200000): Unit = {
    val start = cycle
    while (!idle) {
      tick()
      if (cycle - start > limit) throw new AssertionError(s"transfers are unanswered after $limit cycles: $busyIds")
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
    dut.io.keyWrite.bits.slot.poke(slot)
    dut.io.keyWrite.bits.word.poke(word)
    dut.io.keyWrite.bits.data.poke(data)
    dut.io.keyWrite.valid.poke(true)
    tick()
    dut.io.keyWrite.valid.poke(false)
  }
  def quiet(): Unit = {
    dut.io.keyWrite.valid.poke(false)
    dut.io.keyZeroize.valid.poke(false)
    dut.io.keyZeroize.bits.poke(0)
    dut.io.control.arm.poke(false)
    dut.io.control.flush.poke(false)
    dut.io.control.check.poke(false)
    dut.io.control.imageBlocks.poke(0)
  }
  def arm(): Unit = {
    dut.io.control.arm.poke(true)
    tick()
    dut.io.control.arm.poke(false)
  }
  def zeroize(slot: Int): Unit = {
    dut.io.keyZeroize.bits.poke(slot)
    dut.io.keyZeroize.valid.poke(true)
    tick()
    dut.io.keyZeroize.valid.poke(false)
  }

  /** Command a flush and go on. */
  def pulseFlush(): Unit = {
    dut.io.control.flush.poke(true)
    tick()
    dut.io.control.flush.poke(false)
  }
  def flush(): Unit = {
    pulseFlush()
    tick()
    val start = cycle
    while (dut.io.status.flushing.peekBoolean()) {
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
    dut.io.control.imageBlocks.poke(imageBlocks)
    while (!dut.io.status.initialised.peekBoolean()) tick()
    loadKeys(keys)
    while (!Seq(KeySlot.static, KeySlot.dynamic).forall(dut.io.status.usable(_).peekBoolean())) tick()
    arm()
  }

  def tick(): Unit = {
    // Client side
    if (sending.isEmpty && waiting.nonEmpty && busyIds.size < (1 << p.client.idBits)) {
      val id = (0 until (1 << p.client.idBits)).find(!busyIds(_)).get
      val (ticket, transfer) = waiting.dequeue()
      tickets(id) = ticket
      busyIds += id
      collected(id) = (transfer, mutable.Buffer.empty, mutable.Buffer.empty)
      sending = Some((id, transfer, 0))
    }
    val request = dut.io.client.request
    val offers = sending.nonEmpty && timing.clientOffers
    request.valid.poke(offers)
    for ((id, transfer, beat) <- sending) {
      request.bits.write.poke(transfer.write)
      request.bits.partial.poke(transfer.enabled.contains(false))
      request.bits.address.poke(transfer.address)
      request.bits.size.poke(transfer.size)
      request.bits.id.poke(id)
      request.bits.mask.poke(lanes(transfer, beat))
      request.bits.data.poke(if (transfer.write) beatOf(transfer.data, transfer.address, beat) else BigInt(0))
    }
    val clientReady = timing.clientReady
    dut.io.client.response.ready.poke(clientReady)

    memory.drive()

    // What happens at this edge
    val requestFires = offers && request.ready.peekBoolean()
    val answered = clientReady && dut.io.client.response.valid.peekBoolean()
    if (requestFires) {
      val (id, transfer, beat) = sending.get
      if (beat == 0) asked(id) = cycle
      val beats = if (transfer.write) math.max(1, transfer.bytes / beatBytes) else 1
      sending = if (beat + 1 == beats) None else Some((id, transfer, beat + 1))
    }
    if (answered) takeAnswer()
    memory.settle()
    step()
    cycle += 1
  }

  private def lanes(t: Transfer, beat: Int): BigInt = {
    val base = t.address + beat * beatBytes
    (0 until beatBytes).map { lane =>
      val at = base - base % beatBytes + lane
      val inside = at >= t.address && at < t.address + t.bytes
      val on = inside && (t.enabled.isEmpty || t.enabled(at - t.address))
      if (on) BigInt(1) << lane else BigInt(0)
    }.sum
  }
  private def beatOf(data: Seq[Byte], address: Int, beat: Int): BigInt = {
    val base = address + beat * beatBytes
    (0 until beatBytes).map { lane =>
      val at = base - base % beatBytes + lane - address
      if (at >= 0 && at < data.size) BigInt(data(at) & 0xff) << (8 * lane) else BigInt(0)
    }.sum
  }

  private def takeAnswer(): Unit = {
    val bits = dut.io.client.response.bits
    val id = bits.id.peek().toInt
    val (transfer, data, beats) = collected(id)
    assert(answeringId.forall(_ == id), s"an answer to $id breaks the burst of $answeringId")
    assert(
      bits.write.peekBoolean() == transfer.write && bits.size.peek() == transfer.size,
      s"answer of another kind for $transfer"
    )
    val denied = bits.denied.peekBoolean()
    data += bits.data.peek()
    beats += cycle
    val expected = if (transfer.write) 1 else math.max(1, transfer.bytes / beatBytes)
    answeringId = if (beats.size == expected) None else Some(id)
    if (beats.size == expected) {
      val bytes = data.flatMap(beat => (0 until beatBytes).map(i => (beat >> (8 * i)).toByte)).toSeq
      val offset = if (transfer.bytes < beatBytes) transfer.address % beatBytes else 0
      val kept = if (transfer.write) Nil else bytes.slice(offset, offset + transfer.bytes)
      answers(tickets(id)) = Answer(kept, denied, asked(id), beats.toSeq)
      busyIds -= id
      collected -= id
    }
  }
}
