package hauberk.memory

import hauberk.memory.port.MemoryPort
import hauberk.testing.Simulation
import scala.collection.mutable

/** The memory of bytes behind a [[MemoryPort]] of a unit under test: as hasty or slow as its timing says, and as hostile as a test makes it.
  * Asserts what every unit owes memory: whole bursts, identifiers used once at a time, and no access to bytes that are being written.
  *
  * @param partial the unit may access less than a block, and bytes of it
  */
class PortMemory(simulation: Simulation, port: MemoryPort, timing: MemoryTiming, partial: Boolean = false) {
  import simulation._
  private val params = port.params
  import params.{beatBytes, blockBytes}
  private case class Reply(
      write: Boolean,
      id: BigInt,
      number: Int,
      size: BigInt,
      data: Seq[BigInt],
      denied: Seq[Boolean],
      due: Int
  ) {
    var beat = 0
    def isWithheld: Boolean = write && withheld(number)
  }
  private val replies = mutable.Buffer.empty[Reply]
  private var current: Option[Reply] = None
  private var burstHeader = Seq.empty[BigInt]
  private var burstBeat = 0

  /** From a request's first beat to its answer's last: the bytes of each identifier, and whether they are written. */
  private val inFlight = mutable.Map.empty[BigInt, (Range, Boolean)]
  private var cycle = 0
  var reads, writes = 0

  /** What a block holds that nobody set or wrote. */
  var unset: Int => Array[Byte] = _ => new Array(blockBytes)

  /** The contents, by block number: change them to attack. */
  val blocks: mutable.Map[Int, Array[Byte]] = mutable.Map.empty
  def block(number: Int): Array[Byte] = blocks.getOrElseUpdate(number, unset(number))

  /** All that it holds, to compare with or to put back. */
  def contents: Map[Int, Seq[Byte]] = blocks.map { case (number, bytes) => number -> bytes.toVector }.toMap
  def restore(contents: Map[Int, Seq[Byte]]): Unit = for ((number, bytes) <- contents) blocks(number) = bytes.toArray

  /** A block as words of eight bytes, and as one number; byte 0 is the lowest. */
  def words(number: Int): Seq[BigInt] = numbers(number, 8)
  def line(number: Int): BigInt = numbers(number, blockBytes).head
  def putWords(number: Int, words: Seq[BigInt]): Unit =
    blocks(number) = words.flatMap(word => (0 until 8).map(i => (word >> (8 * i)).toByte)).toArray
  def putLine(number: Int, line: BigInt): Unit =
    blocks(number) = Array.tabulate(blockBytes)(i => (line >> (8 * i)).toByte)
  private def numbers(number: Int, bytes: Int) =
    block(number).grouped(bytes).map(part => BigInt(1, part.reverse)).toSeq

  /** Every beat of a write that memory took: its address and data. */
  val written: mutable.Buffer[(Int, BigInt)] = mutable.Buffer.empty

  /** Told of every block that memory took whole. */
  var onWritten: Int => Unit = _ => ()

  /** What is written as corrupt is refused to readers, until it is written anew: these blocks. */
  val poisoned: mutable.Set[Int] = mutable.Set.empty

  /** Accesses to these blocks are refused, and nothing is written. */
  val refused: mutable.Set[Int] = mutable.Set.empty

  /** Beats that are refused when read: block and beat. */
  val broken: mutable.Set[(Int, Int)] = mutable.Set.empty

  /** Reads of a block are answered so often again, each time with every bit inverted, under the identifier of the first answer. */
  var repeats: Int => Int = _ => 0

  /** Writes to these blocks are not acknowledged for the time being. */
  var withheld: Int => Boolean = _ => false
  def withholds: Boolean = replies.exists(_.isWithheld)

  /** Before the step: take requests, offer responses. */
  def drive(): Unit = {
    offer()
    val ready = timing.requestReady
    port.request.ready.poke(ready)
    if (ready && port.request.valid.peekBoolean()) {
      take()
      if (current.isEmpty) offer()
    }
  }

  /** After everything of this cycle is driven, before the step: has a response been taken? */
  def settle(): Unit = {
    for (reply <- current if port.response.ready.peekBoolean()) {
      reply.beat += 1
      if (reply.write || reply.beat == reply.data.size) {
        current = None
        if (burstBeat == 0 || burstHeader.last != reply.id) inFlight -= reply.id
      }
    }
    cycle += 1
  }

  private def offer(): Unit = {
    if (current.isEmpty) {
      val due =
        (if (timing.inOrder) replies.take(1) else replies).filter(reply => reply.due <= cycle && !reply.isWithheld)
      if (due.nonEmpty) current = Some(due(timing.choose(due.size)))
      current.foreach(replies -= _)
    }
    val bits = port.response.bits
    port.response.valid.poke(current.nonEmpty)
    for (reply <- current) {
      bits.write.poke(reply.write)
      bits.id.poke(reply.id)
      bits.size.poke(reply.size)
      bits.denied.poke(reply.denied(reply.beat))
      bits.data.poke(if (reply.write) BigInt(0) else reply.data(reply.beat))
    }
  }

  private def take(): Unit = {
    val bits = port.request.bits
    val address = bits.address.peek().toInt
    val size = bits.size.peek()
    val id = bits.id.peek()
    val number = address / blockBytes
    val write = bits.write.peekBoolean()
    val beats = math.max(1, (1 << size.toInt) / beatBytes)
    if (burstBeat == 0) {
      assert(partial || (address % blockBytes == 0 && size == params.blockOffsetBits), "not a whole block")
      assert(!inFlight.contains(id), s"identifier $id is used again before its answer")
      val here = address until address + (1 << size.toInt)
      for ((other, (there, writes)) <- inFlight)
        assert(
          !(write || writes) || there.last < here.head || here.last < there.head,
          s"accesses $other and $id to block $number, one a write, which memory may reorder"
        )
      inFlight(id) = (here, write)
    }
    if (write) takeBeat(address, size, id, beats)
    else {
      assert(burstBeat == 0, "a read broke a burst of writes")
      reads += 1
      val first = address % blockBytes / beatBytes
      val data = numbers(number, beatBytes).slice(first, first + beats)
      val denied = (first until first + beats).map(i => refused(number) || poisoned(number) || broken((number, i)))
      val due = cycle + timing.delay(write, address)
      replies += Reply(write, id, number, size, data, denied, due)
      val inverted = data.map(_ ^ ((BigInt(1) << params.beatBits) - 1))
      for (_ <- 0 until repeats(number)) replies += Reply(write, id, number, size, inverted, denied, due)
    }
  }

  private def takeBeat(address: Int, size: BigInt, id: BigInt, beats: Int): Unit = {
    val bits = port.request.bits
    val number = address / blockBytes
    val header = Seq[BigInt](address, size, id)
    if (burstBeat == 0) burstHeader = header
    assert(
      header == burstHeader,
      s"beat $burstBeat of a burst of writes has another header (address, size, identifier)"
    )
    val data = bits.data.peek()
    val mask = bits.mask.peek()
    assert(partial || (!bits.partial.peekBoolean() && mask == (BigInt(1) << beatBytes) - 1), "bytes are left out")
    val base = address % blockBytes - address % beatBytes + burstBeat * beatBytes
    written += ((number * blockBytes + base, data))
    if (bits.corrupt.peekBoolean()) poisoned += number
    else if (burstBeat == 0) poisoned -= number
    if (!refused(number))
      for (lane <- 0 until beatBytes if mask.testBit(lane)) block(number)(base + lane) = (data >> (8 * lane)).toByte
    if (burstBeat == (if (timing.early) 0 else beats - 1)) {
      val due = cycle + timing.delay(true, address)
      replies += Reply(write = true, id, number, size, Nil, Seq(refused(number)), due)
    }
    burstBeat = (burstBeat + 1) % beats
    if (burstBeat == 0) {
      val answeredEarly = !replies.exists(_.id == id) && !current.exists(_.id == id)
      if (answeredEarly) inFlight -= id
      writes += 1
      if (1 << size.toInt == blockBytes) onWritten(number)
    }
  }
}
