package hauberk.memory

import hauberk.memory.port.MemoryPort
import hauberk.testing.Simulation
import scala.collection.mutable

/** The client of a unit under test, on its port: sends transfers in order, as hasty as its timing says, and collects answers. Asserts that the
  * beats of an answer are consecutive and of the kind that was asked for.
  */
class PortClient(simulation: Simulation, port: MemoryPort, timing: MemoryTiming) {
  import simulation._
  private val params = port.params
  import params.beatBytes
  var cycle = 0
  private var answeringId: Option[Int] = None
  private val waiting = mutable.Queue.empty[(Int, Transfer)]
  private var sending: Option[(Int, Transfer, Int)] = None // id, transfer, beat
  private val asked = mutable.Map.empty[Int, Int]
  private val collected = mutable.Map.empty[Int, (Transfer, mutable.Buffer[BigInt], mutable.Buffer[Int])]
  private val busyIds = mutable.Set.empty[Int]
  private val tickets = mutable.Map.empty[Int, Int]
  private var nextTicket = 0
  private var offers, ready = false
  val answers: mutable.Map[Int, Answer] = mutable.Map.empty

  /** Told of every transfer whose first beat is taken. */
  var onTaken: Transfer => Unit = _ => ()

  /** Tickets in the order of their answers. */
  val order: mutable.Buffer[Int] = mutable.Buffer.empty

  /** Ask for a transfer; the ticket finds its answer. */
  def ask(transfer: Transfer): Int = {
    waiting.enqueue((nextTicket, transfer))
    nextTicket += 1
    nextTicket - 1
  }
  def idle: Boolean = waiting.isEmpty && sending.isEmpty && busyIds.isEmpty

  /** Before the step: offer requests, be ready for answers. */
  def drive(): Unit = {
    if (sending.isEmpty && waiting.nonEmpty && busyIds.size < (1 << params.idBits)) {
      val id = (0 until (1 << params.idBits)).find(!busyIds(_)).get
      val (ticket, transfer) = waiting.dequeue()
      tickets(id) = ticket
      busyIds += id
      collected(id) = (transfer, mutable.Buffer.empty, mutable.Buffer.empty)
      sending = Some((id, transfer, 0))
    }
    val request = port.request
    offers = sending.nonEmpty && timing.clientOffers
    request.valid.poke(offers)
    for ((id, transfer, beat) <- sending) {
      request.bits.write.poke(transfer.write)
      request.bits.partial.poke(transfer.enabled.contains(false))
      request.bits.address.poke(transfer.address)
      request.bits.size.poke(transfer.size)
      request.bits.id.poke(id)
      request.bits.mask.poke(lanes(transfer, beat))
      request.bits.data.poke(if (transfer.write) beatOf(transfer.data, transfer.address, beat) else BigInt(0))
      request.bits.corrupt.poke(transfer.poisonedBeat.contains(beat))
    }
    ready = timing.clientReady
    port.response.ready.poke(ready)
  }

  /** After everything of this cycle is driven, before the step: what happens at this edge? */
  def settle(): Unit = {
    val fires = offers && port.request.ready.peekBoolean()
    val answered = ready && port.response.valid.peekBoolean()
    if (fires) {
      val (id, transfer, beat) = sending.get
      if (beat == 0) {
        asked(id) = cycle
        onTaken(transfer)
      }
      val beats = if (transfer.write) math.max(1, transfer.bytes / beatBytes) else 1
      sending = if (beat + 1 == beats) None else Some((id, transfer, beat + 1))
    }
    if (answered) takeAnswer()
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
    val bits = port.response.bits
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
      order += tickets(id)
      busyIds -= id
      collected -= id
    }
  }
}
