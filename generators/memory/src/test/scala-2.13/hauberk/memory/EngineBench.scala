package hauberk.memory

import chisel3._
import hauberk.memory.common.KeySlot
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import scala.collection.mutable

/** Drives one engine cycle by cycle, with a memory of bytes behind it. */
class EngineBench(simulation: Simulation, dut: MemoryProtectionEngine, timing: MemoryTiming) {
  import simulation._
  private val p = dut.p
  private val beatBytes = p.bank.beatBytes
  private val blockBytes = p.bank.blockBytes
  var cycle = 0

  /** The untrusted memory: change it to attack. */
  val memory: mutable.Map[Int, Array[Byte]] = mutable.Map.empty

  /** Refuse every access to these blocks. */
  val broken: mutable.Set[Int] = mutable.Set.empty
  def block(number: Int): Array[Byte] = memory.getOrElseUpdate(number, new Array[Byte](blockBytes))

  /** Refuse single beats of reads of a block: block and beat. */
  val brokenBeats: mutable.Set[(Int, Int)] = mutable.Set.empty

  /** Told of every block of data that memory took whole. */
  var onBlockWritten: (Int, Array[Byte]) => Unit = (_, _) => ()

  /** Every write beat memory took: address and bytes. */
  val written: mutable.Buffer[(Int, BigInt)] = mutable.Buffer.empty

  private val last = mutable.Map.empty[Element, BigInt]
  private def put(e: Element, value: BigInt): Unit =
    if (!last.get(e).contains(value)) {
      last(e) = value
      e.poke(value)
    }
  private def flag(e: Element, value: Boolean): Unit = put(e, if (value) 1 else 0)

  private case class Reply(
      write: Boolean,
      id: BigInt,
      size: BigInt,
      data: Seq[BigInt],
      denied: Seq[Boolean],
      var due: Int
  ) {
    var beat = 0
  }
  private val replies = mutable.Buffer.empty[Reply]
  private var current: Option[Reply] = None
  private var burstBeat = 0
  private var burstHeader = Seq.empty[BigInt]
  private var answeringId: Option[Int] = None

  /** In flight, from a request's first beat to its answer's last: the block of each identifier, and whether it is written. */
  private val memoryIds = mutable.Map.empty[BigInt, (Int, Boolean)]

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
    put(dut.io.keyWrite.bits.slot, slot)
    put(dut.io.keyWrite.bits.word, word)
    put(dut.io.keyWrite.bits.data, data)
    flag(dut.io.keyWrite.valid, true)
    tick()
    flag(dut.io.keyWrite.valid, false)
  }
  def quiet(): Unit = {
    flag(dut.io.keyWrite.valid, false)
    flag(dut.io.keyZeroize.valid, false)
    put(dut.io.keyZeroize.bits, 0)
    flag(dut.io.control.arm, false)
    flag(dut.io.control.flush, false)
    flag(dut.io.control.check, false)
    put(dut.io.control.imageBlocks, 0)
  }
  def arm(): Unit = {
    flag(dut.io.control.arm, true)
    tick()
    flag(dut.io.control.arm, false)
  }
  def zeroize(slot: Int): Unit = {
    put(dut.io.keyZeroize.bits, slot)
    flag(dut.io.keyZeroize.valid, true)
    tick()
    flag(dut.io.keyZeroize.valid, false)
  }

  /** Command a flush and go on. */
  def pulseFlush(): Unit = {
    flag(dut.io.control.flush, true)
    tick()
    flag(dut.io.control.flush, false)
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
    put(dut.io.control.imageBlocks, imageBlocks)
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
    flag(request.valid, offers)
    for ((id, transfer, beat) <- sending) {
      flag(request.bits.write, transfer.write)
      flag(request.bits.partial, transfer.enabled.contains(false))
      put(request.bits.address, transfer.address)
      put(request.bits.size, transfer.size)
      put(request.bits.id, id)
      put(request.bits.mask, lanes(transfer, beat))
      put(request.bits.data, if (transfer.write) beatOf(transfer.data, transfer.address, beat) else BigInt(0))
    }
    flag(dut.io.client.response.ready, timing.clientReady)

    // Memory side
    val response = dut.io.memory.response
    chooseReply()
    driveReply()
    val memoryReady = timing.requestReady
    flag(dut.io.memory.request.ready, memoryReady)
    if (memoryReady && dut.io.memory.request.valid.peekBoolean()) {
      takeRequest()
      if (current.isEmpty) {
        chooseReply()
        driveReply()
      }
    }

    // What happens at this edge
    val requestFires = offers && request.ready.peekBoolean()
    val answered = last(dut.io.client.response.ready) == 1 && dut.io.client.response.valid.peekBoolean()
    val replyTaken = current.nonEmpty && response.ready.peekBoolean()
    if (requestFires) {
      val (id, transfer, beat) = sending.get
      if (beat == 0) asked(id) = cycle
      val beats = if (transfer.write) math.max(1, transfer.bytes / beatBytes) else 1
      sending = if (beat + 1 == beats) None else Some((id, transfer, beat + 1))
    }
    if (answered) takeAnswer()
    if (replyTaken) {
      val reply = current.get
      reply.beat += 1
      if (reply.write || reply.beat == reply.data.size) {
        current = None
        if (burstBeat == 0 || burstHeader.last != reply.id) memoryIds -= reply.id
      }
    }
    step()
    cycle += 1
  }

  private def chooseReply(): Unit = if (current.isEmpty) {
    val chosen = if (timing.inOrder) replies.headOption.filter(_.due <= cycle) else replies.find(_.due <= cycle)
    for (reply <- chosen) {
      replies -= reply
      current = Some(reply)
    }
  }
  private def driveReply(): Unit = {
    val response = dut.io.memory.response
    flag(response.valid, current.nonEmpty)
    for (reply <- current) {
      flag(response.bits.write, reply.write)
      put(response.bits.id, reply.id)
      put(response.bits.size, reply.size)
      flag(response.bits.denied, reply.denied(reply.beat))
      put(response.bits.data, if (reply.write) BigInt(0) else reply.data(reply.beat))
    }
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

  private def takeRequest(): Unit = {
    val bits = dut.io.memory.request.bits
    val address = bits.address.peek().toInt
    val size = bits.size.peek()
    val bytes = 1 << size.toInt
    val id = bits.id.peek()
    val number = address / blockBytes
    val denied = broken(number)
    if (burstBeat == 0) {
      val write = bits.write.peekBoolean()
      assert(!memoryIds.contains(id), s"identifier $id is used again before its answer")
      for ((other, (there, writes)) <- memoryIds)
        assert(
          there != number || !(write || writes),
          s"accesses $other and $id to block $number, one a write, which memory may reorder"
        )
      memoryIds(id) = (number, write)
    }
    if (bits.write.peekBoolean()) {
      val beats = math.max(1, bytes / beatBytes)
      val header = Seq[BigInt](address, size, id)
      if (burstBeat == 0) burstHeader = header
      assert(
        header == burstHeader,
        s"beat $burstBeat of a burst of writes has another header (address, size, identifier)"
      )
      val data = bits.data.peek()
      val mask = bits.mask.peek()
      val base = address % blockBytes - address % beatBytes + burstBeat * beatBytes
      written += ((number * blockBytes + base, data))
      if (!denied)
        for (lane <- 0 until beatBytes if mask.testBit(lane)) block(number)(base + lane) = (data >> (8 * lane)).toByte
      if (burstBeat == (if (timing.early) 0 else beats - 1))
        replies += Reply(write = true, id, size, Nil, Seq(denied), cycle + timing.delay(true, address))
      burstBeat = (burstBeat + 1) % beats
      if (burstBeat == 0) {
        val answeredEarly = !replies.exists(_.id == id) && !current.exists(_.id == id)
        if (answeredEarly) memoryIds -= id
        if (p.layout.isData(address) && bytes == blockBytes) onBlockWritten(number, block(number).clone)
      }
    } else {
      assert(burstBeat == 0, "a read broke a burst of writes")
      val beats = math.max(1, bytes / beatBytes)
      val first = (address % blockBytes) / beatBytes
      val data = (first until first + beats).map { i =>
        (0 until beatBytes).map(lane => BigInt(block(number)(i * beatBytes + lane) & 0xff) << (8 * lane)).sum
      }
      val refused = (first until first + beats).map(i => denied || brokenBeats((number, i)))
      replies += Reply(write = false, id, size, data, refused, cycle + timing.delay(false, address))
    }
  }
}
