package hauberk.memory

import chisel3._
import hauberk.memory.port.MemoryPort
import hauberk.testing.Simulation
import scala.collection.mutable

/** A memory of blocks behind a [[MemoryPort]] of a unit under test, as hasty or slow as its timing says, that refuses what it is told to.
  * Asserts what every unit owes memory: whole bursts, identifiers used once at a time, and no access to a block that is being written.
  */
class PortMemory(simulation: Simulation, port: MemoryPort, timing: MemoryTiming) {
  import simulation._
  private val params = port.params
  private val beats = params.blockBeats
  private case class Reply(write: Boolean, id: BigInt, data: Seq[BigInt], denied: Seq[Boolean], due: Int) {
    var beat = 0
  }
  private val replies = mutable.Buffer.empty[Reply]
  private var current: Option[Reply] = None
  private var burst: Option[(BigInt, BigInt)] = None // identifier, address
  private var burstBeat = 0
  private val inFlight = mutable.Map.empty[BigInt, (Int, Boolean)]
  private var cycle = 0
  private var taken = false
  var reads = 0
  var writes = 0

  /** Beats of each block, by block number. */
  val blocks: mutable.Map[Int, Array[BigInt]] = mutable.Map.empty
  def block(number: Int): Array[BigInt] = blocks.getOrElseUpdate(number, Array.fill(beats)(BigInt(0)))

  /** Told of every block that memory took whole. */
  var onWritten: Int => Unit = _ => ()

  /** Beats that are refused when read. */
  val broken: mutable.Set[(Int, Int)] = mutable.Set.empty

  /** Before the step: take requests, offer responses. */
  def drive(): Unit = {
    cycle += 1
    val ready = timing.requestReady
    port.request.ready.poke(ready)
    offer()
    if (ready && port.request.valid.peekBoolean()) {
      take()
      if (current.isEmpty) offer()
    }
    taken = current.nonEmpty && port.response.ready.peekBoolean()
  }

  /** After everything of this cycle is driven, before the step: has a response been taken? */
  def settle(): Unit = {
    taken = current.nonEmpty && port.response.ready.peekBoolean()
    if (taken) {
      val reply = current.get
      reply.beat += 1
      if (reply.write || reply.beat == beats) {
        current = None
        if (!burst.exists(_._1 == reply.id)) inFlight -= reply.id
      }
    }
  }

  private def offer(): Unit = {
    if (current.isEmpty) {
      val due = replies.filter(_.due <= cycle)
      current = if (timing.inOrder) replies.headOption.filter(_.due <= cycle) else due.headOption
      current.foreach(replies -= _)
    }
    val bits = port.response.bits
    port.response.valid.poke(current.nonEmpty)
    for (reply <- current) {
      bits.write.poke(reply.write)
      bits.id.poke(reply.id)
      bits.size.poke(params.blockOffsetBits)
      bits.denied.poke(reply.denied(reply.beat))
      bits.data.poke(if (reply.write) BigInt(0) else reply.data(reply.beat))
    }
  }

  private def take(): Unit = {
    val bits = port.request.bits
    val address = bits.address.peek()
    val id = bits.id.peek()
    val number = (address / params.blockBytes).toInt
    val write = bits.write.peekBoolean()
    assert(address % params.blockBytes == 0 && bits.size.peek() == params.blockOffsetBits, "not a whole block")
    if (burstBeat == 0) {
      assert(!inFlight.contains(id), s"identifier $id is used again before its answer")
      assert(
        !inFlight.values.exists { case (there, writes) => there == number && (write || writes) },
        s"an access to block $number, which is being written or read"
      )
      inFlight(id) = (number, write)
    }
    if (write) {
      if (burstBeat == 0) burst = Some((id, address))
      assert(burst.contains((id, address)), "a burst of writes is broken")
      assert(!bits.partial.peekBoolean() && bits.mask.peek() == (BigInt(1) << params.beatBytes) - 1)
      block(number)(burstBeat) = bits.data.peek()
      if (burstBeat == (if (timing.early) 0 else beats - 1)) {
        replies += Reply(write = true, id, Nil, Seq(false), cycle + timing.delay(true))
      }
      burstBeat = (burstBeat + 1) % beats
      if (burstBeat == 0) {
        writes += 1
        onWritten(number)
        burst = None
        if (!replies.exists(_.id == id) && !current.exists(_.id == id)) inFlight -= id
      }
    } else {
      assert(burstBeat == 0, "a read broke a burst of writes")
      reads += 1
      replies += Reply(
        write = false,
        id,
        block(number).toSeq,
        (0 until beats).map(i => broken((number, i))),
        cycle + timing.delay(false)
      )
    }
  }
}
