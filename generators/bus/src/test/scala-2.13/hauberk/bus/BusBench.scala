package hauberk.bus

import chisel3._
import chisel3.util.DecoupledIO
import hauberk.testing.Simulation
import scala.collection.mutable
import scala.util.Random

/** A message of the layer above. */
case class Sent(source: Int, destination: Int, channel: Int, group: Int, command: BigInt, beats: Int, data: BigInt)

/** A frame on the shared bus. */
case class Frame(
    kind: Int,
    group: Int,
    source: Int,
    destination: Int,
    channel: Int,
    command: BigInt,
    hasData: Boolean,
    last: Boolean,
    data: BigInt
)

object Frame {

  /** A look at a beat. */
  def seen(simulation: Simulation, beat: BusBeat): Frame = {
    import simulation._
    Frame(
      beat.kind.peek().toInt,
      beat.group.peek().toInt,
      beat.source.peek().toInt,
      beat.destination.peek().toInt,
      beat.channel.peek().toInt,
      beat.command.peek(),
      beat.hasData.peekBoolean(),
      beat.last.peekBoolean(),
      beat.data.peek()
    )
  }
}

/** Drives a bus a bus cycle at a time: everything happens in the cycle of the tick. While it is `checking`, every beat on the shared bus is
  * compared with [[ReferenceGroup]], and every message that arrives with what was sent.
  */
class BusBench(simulation: Simulation, val dut: BroadcastBus, random: Random) {
  import simulation._
  val p: BusParams = dut.p
  private val ratio = p.sharedBus.ratio
  val home: Int = BusParams.home
  val tiles: Seq[Int] = 1 until p.members
  val everybody: Seq[Int] = 0 until p.members

  def sends(member: Int): Seq[Int] = if (member == home) BusChannel.toTiles else BusChannel.toHome
  def receives(member: Int): Seq[Int] = if (member == home) BusChannel.toHome else BusChannel.toTiles
  private def ports(member: Int): MessagePorts = if (member == home) dut.io.home else dut.io.tiles(member - 1)
  def sendPort(member: Int, channel: Int): DecoupledIO[BusMessage] =
    ports(member).send(sends(member).indexOf(channel))
  def receivePort(member: Int, channel: Int): DecoupledIO[BusMessage] =
    ports(member).receive(receives(member).indexOf(channel))
  def control(member: Int): ShuControl = dut.io.control.get(member)

  private val last = mutable.Map.empty[Element, BigInt]
  private def put(e: Element, value: BigInt): Unit =
    if (!last.get(e).contains(value)) {
      last(e) = value
      e.poke(value)
    }
  private def flag(e: Element, value: Boolean): Unit = put(e, if (value) 1 else 0)

  /** What an adversary does in the cycle of a tick, by the functions below; it has looked at nothing yet. */
  var adversary: () => Unit = () => ()
  var checking = true

  /** Whether a member takes what came on a channel, in this bus cycle. */
  var takes: (Int, Int) => Boolean = (_, _) => true

  /** Told of every frame that is taken. */
  var onFrame: Frame => Unit = _ => ()

  private val waiting = mutable.Map.empty[(Int, Int), mutable.Queue[Sent]]
  private val begun = mutable.Map.empty[Int, Int].withDefaultValue(0)
  private val underWay = mutable.Map.empty[(Int, Int, Int), mutable.Queue[Sent]]
  private var phase = 0
  var busCycles = 0
  var arrived: Int = 0
  val received: mutable.Buffer[(Int, Sent)] = mutable.Buffer.empty
  private val offered = mutable.Map.empty[(Int, Int), Option[Sent]]

  def ask(message: Sent): Unit = {
    waiting.getOrElseUpdate((message.source, message.channel), mutable.Queue.empty) += message
    offer(message.source, message.channel)
  }
  def idle: Boolean = waiting.values.forall(_.isEmpty) && underWay.values.forall(_.isEmpty)
  def unsent: Int = waiting.values.map(_.size).sum
  def undelivered: Int = unsent + underWay.values.map(_.size).sum
  def undeliveredOf(channel: Int): Int =
    waiting.collect { case ((_, c), queue) if c == channel => queue.size }.sum +
      underWay.collect { case ((_, c, _), queue) if c == channel => queue.size }.sum

  private def offer(member: Int, channel: Int): Unit = {
    val head = waiting.get((member, channel)).flatMap(_.headOption)
    if (!offered.get((member, channel)).contains(head)) {
      offered((member, channel)) = head
      val port = sendPort(member, channel)
      flag(port.valid, head.nonEmpty)
      for (message <- head) {
        put(port.bits.peer, message.destination)
        put(port.bits.group, message.group)
        put(port.bits.command, message.command)
        put(port.bits.beats, message.beats)
        put(port.bits.data, message.data)
      }
    }
  }

  def message(source: Int, destination: Int, channel: Int, beats: Int, group: Int = 0): Sent =
    Sent(
      source,
      destination,
      channel,
      group,
      BigInt(p.commandBits, random),
      beats,
      BigInt(beats * p.sharedBus.widthBits, random)
    )

  def randomMessage(members: Seq[Int] = everybody, group: Int = 0): Sent = {
    val source = members(random.nextInt(members.size))
    val channel = sends(source)(random.nextInt(sends(source).size))
    val others = members.filter(m => (m == home) != (source == home))
    message(source, others(random.nextInt(others.size)), channel, random.nextInt(p.lineBeats + 1), group)
  }

  /** Everything quiet, behind a reset. */
  def reset(): Unit = {
    last.clear()
    for (member <- everybody) {
      for (channel <- sends(member)) flag(sendPort(member, channel).valid, false)
      for (channel <- receives(member)) flag(receivePort(member, channel).ready, false)
      noTap(member)
      for (control <- dut.io.control.map(_(member))) {
        flag(control.command.valid, false)
        flag(control.keyWrite.valid, false)
        put(control.command.bits.operation, 0)
        put(control.command.bits.group, 0)
        put(control.command.bits.members, 0)
        put(control.command.bits.interval, 0)
        flag(control.contextOut.ready, true)
        flag(control.contextIn.valid, false)
        put(control.contextIn.bits, 0)
        flag(control.random.valid, true)
        draw(member)
      }
    }
    resetDesign(dut)
    phase = 0
    waiting.clear()
    begun.clear()
    underWay.clear()
    offered.clear()
    books.clear()
    received.clear()
    arrived = 0
    checking = true
    adversary = () => ()
    takes = (_, _) => true
  }

  // What each group should do

  /** What all members of a group keep alike. */
  class Book(val group: Int, val members: Set[Int], val key: BigInt, val interval: BigInt) {
    val shares: mutable.Map[Int, BigInt] = mutable.Map.empty
    var model: Option[ReferenceGroup] = None
    val tags: mutable.Queue[BigInt] = mutable.Queue.empty
    var since = 0

    /** Bus cycles since a good authentication; none before the first. */
    var quiet: Option[Int] = None
    var turn: Int = members.min
    var shown = 0
  }
  val books: mutable.Map[Int, Book] = mutable.Map.empty
  private val randoms = mutable.Map.empty[Int, BigInt]

  private def draw(member: Int): Unit = {
    randoms(member) = BigInt(64, random)
    put(control(member).random.bits, randoms(member))
  }

  private def expect[T](what: String, is: T, should: T): Unit =
    if (is != should) throw new AssertionError(s"bus cycle $busCycles: $what is $is, should be $should")

  private def checkFrame(frame: Frame): Unit = {
    val book = books.get(frame.group)
    val group = frame.group
    frame.kind match {
      case FrameKind.transfer =>
        val queue = waiting.getOrElse((frame.source, frame.channel), mutable.Queue.empty)
        if (queue.isEmpty) throw new AssertionError(s"bus cycle $busCycles: nobody sent $frame")
        val sent = queue.head
        val number = begun(frame.source)
        val data = sent.data >> (number * p.sharedBus.widthBits) & ((BigInt(1) << p.sharedBus.widthBits) - 1)
        val beat = ReferenceBeat(
          sent.source,
          sent.destination,
          sent.channel,
          sent.command,
          number + 1 >= sent.beats,
          if (sent.beats > 0) Some(data) else None
        )
        val model = if (p.security.isEmpty) None
        else {
          val model = book.flatMap(_.model)
          if (model.isEmpty) throw new AssertionError(s"$frame of a group that is not open is on the shared bus")
          model
        }
        val cipher = model.fold(beat.data.getOrElse(BigInt(0)))(_.encrypt(beat))
        val should = Frame(
          frame.kind,
          sent.group,
          sent.source,
          sent.destination,
          sent.channel,
          sent.command,
          beat.data.nonEmpty,
          beat.last,
          cipher
        )
        expect("a transfer", frame, should)
        if (model.nonEmpty && beat.data.nonEmpty && frame.data == data) throw new AssertionError(s"plaintext: $frame")
        for (model <- model) {
          model.pass(beat)
          if (model.counts(beat)) book.get.since += 1
        }
        begun(frame.source) = if (beat.last) 0 else number + 1
        if (beat.last)
          underWay.getOrElseUpdate((sent.destination, sent.channel, sent.source), mutable.Queue.empty) += sent
      case FrameKind.setUp =>
        val mine = book.getOrElse(throw new AssertionError(s"$frame of no group"))
        expect(
          "a share",
          frame,
          Frame(
            frame.kind,
            group,
            mine.members.toSeq.sorted.apply(mine.shares.size),
            0,
            0,
            0,
            false,
            true,
            randoms(frame.source)
          )
        )
        mine.shares(frame.source) = frame.data
        if (mine.shares.size == mine.members.size) {
          mine.model = Some(new ReferenceGroup(p, group, mine.key, mine.shares.toMap))
          mine.tags ++= Seq.fill(2)(mine.model.get.takeTag())
        }
      case FrameKind.authentication =>
        val mine = book.getOrElse(throw new AssertionError(s"$frame of no group"))
        if (mine.tags.isEmpty) throw new AssertionError(s"bus cycle $busCycles: no authentication is due: $frame")
        expect("a MAC", frame, Frame(frame.kind, group, mine.turn, 0, 0, 0, false, true, mine.tags.dequeue()))
        mine.turn = mine.members.filter(_ > mine.turn).minOption.getOrElse(mine.members.min)
        mine.shown += 1
    }
  }

  /** After the frame of a tick: what is due now. */
  private def passTime(good: Option[Int]): Unit =
    for {
      book <- books.values
      model <- book.model
    } {
      book.quiet = book.quiet.map(_ + 1)
      if (book.since >= book.interval || book.quiet.contains(p.secure.heartbeat)) {
        book.tags += model.takeTag()
        book.since = 0
      }
      if (good.contains(book.group)) book.quiet = Some(0)
    }

  // A cycle

  /** One cycle of the members' clock. */
  def cycle(): Unit = if (phase == ratio - 1) tick() else skip(1)

  private def skip(cycles: Int): Unit = {
    step(cycles)
    phase += cycles
  }

  /** A look at the frame on the shared bus in this cycle. */
  def frame(beat: BusBeat): Frame = Frame.seen(simulation, beat)

  /** To the end of this bus cycle. */
  def tick(): Unit = {
    skip(ratio - 1 - phase)
    val accepting = for {
      member <- everybody
      channel <- receives(member) if takes(member, channel)
    } yield (member, channel)
    for ((member, channel) <- accepting) flag(receivePort(member, channel).ready, true)
    adversary()
    val view = dut.io.view
    assert(view.tick.peekBoolean(), "the bench has lost the bus cycle")
    var good = Option.empty[Int]
    if (view.taken.peekBoolean()) {
      val seen = frame(view.beat)
      onFrame(seen)
      if (checking) checkFrame(seen)
      if (seen.kind == FrameKind.authentication) good = Some(seen.group)
    } else if (checking && view.shown.peekBoolean()) {
      val data = view.beat.data.peek()
      if (p.security.nonEmpty && view.beat.kind.peek() == FrameKind.transfer)
        expect("what the shared bus shows of data before they are taken", data, BigInt(0))
    }
    if (checking) passTime(good)
    for ((member, channel) <- accepting) {
      val port = receivePort(member, channel)
      if (port.valid.peekBoolean()) {
        val bits = port.bits
        val got = Sent(
          bits.peer.peek().toInt,
          member,
          channel,
          bits.group.peek().toInt,
          bits.command.peek(),
          bits.beats.peek().toInt,
          bits.data.peek()
        )
        if (checking) {
          val queue = underWay.getOrElse((member, channel, got.source), mutable.Queue.empty)
          if (queue.isEmpty) throw new AssertionError(s"bus cycle $busCycles: nobody sent $got")
          expect("a message", got, queue.dequeue())
        }
        received += ((busCycles, got))
        arrived += 1
      }
    }
    val sent = waiting.collect {
      case (port @ (member, channel), queue)
          if queue.nonEmpty && offered(port).contains(queue.head) && sendPort(member, channel).ready.peekBoolean() =>
        port
    }
    step()
    phase = 0
    busCycles += 1
    for (port <- sent) {
      waiting(port).dequeue()
      offer(port._1, port._2)
    }
    for (member <- tapped.toSeq) noTap(member)
    for ((member, channel) <- accepting) flag(receivePort(member, channel).ready, false)
  }

  def ticks(count: Int): Unit = for (_ <- 0 until count) tick()

  /** Until everything that was asked has arrived. */
  def drain(limit: Int = 20000): Unit = {
    val start = busCycles
    while (!idle) {
      tick()
      if (busCycles - start > limit)
        throw new AssertionError(s"$undelivered messages have not arrived after $limit bus cycles")
    }
  }

  // The control port

  def command(member: Int, operation: Int, group: Int, members: Set[Int] = Set.empty, interval: BigInt = 0): Int =
    commandAll(Seq(member), operation, group, members, interval).head

  /** The command to several in the same cycle; why each refused. */
  def commandAll(
      to: Seq[Int],
      operation: Int,
      group: Int,
      members: Set[Int] = Set.empty,
      interval: BigInt = 0
  ): Seq[Int] = {
    val ports = to.map(control)
    for (port <- ports) {
      put(port.command.bits.operation, operation)
      put(port.command.bits.group, group)
      put(port.command.bits.members, members.map(BigInt(1) << _).sum)
      put(port.command.bits.interval, interval)
      flag(port.command.valid, true)
    }
    val refusals = ports.map(_.refusal.peek().toInt)
    cycle()
    for (port <- ports) flag(port.command.valid, false)
    refusals
  }
  def keyWord(member: Int, group: Int, word: Int, data: BigInt): Int = {
    val port = control(member)
    put(port.keyWrite.bits.slot, group)
    put(port.keyWrite.bits.word, word)
    put(port.keyWrite.bits.data, data)
    flag(port.keyWrite.valid, true)
    val refusal = port.keyRefusal.peek().toInt
    cycle()
    flag(port.keyWrite.valid, false)
    refusal
  }
  private def done(what: String, refusal: Int): Unit = expect(s"the refusal of $what", refusal, GroupRefusal.none)

  /** Entries, keys: everything but the opening, at all members and at those who are none. */
  def prepare(
      members: Set[Int] = everybody.toSet,
      group: Int = 0,
      interval: BigInt = 1,
      key: BigInt = BigInt(128, random)
  ): Unit = {
    for (member <- everybody) done("an entry", command(member, GroupOperation.allocate, group, members, interval))
    for (member <- members) {
      done("a key's first word", keyWord(member, group, 0, key >> 64))
      done("a key's second word", keyWord(member, group, 1, key & ((BigInt(1) << 64) - 1)))
    }
    members.foreach(draw)
    books(group) = new Book(group, members, key, interval)
  }
  def open(member: Int, group: Int = 0): Unit = done("an opening", command(member, GroupOperation.open, group))

  def agreed(group: Int): Boolean = books(group).members.forall(control(_).agreed.peek().testBit(group))

  /** A group from nothing to where data pass. */
  def setUp(members: Set[Int] = everybody.toSet, group: Int = 0, interval: BigInt = 1, limit: Int = 5000): Unit = {
    prepare(members, group, interval)
    random.shuffle(members.toSeq).foreach(open(_, group))
    val start = busCycles
    while (!agreed(group)) {
      tick()
      if (busCycles - start > limit)
        throw new AssertionError(s"a set-up has not come to its end after $limit bus cycles")
    }
  }

  /** As soon as all that passed is authenticated; before, no member does it. */
  def release(group: Int = 0): Unit = {
    val (members, others) = everybody.partition(books(group).members)
    def refusals = commandAll(members, GroupOperation.release, group)
    val start = busCycles
    var last = refusals
    while (last.forall(_ == GroupRefusal.busy) && busCycles - start < 4 * p.secure.heartbeat) {
      tick()
      last = refusals
    }
    for (refusal <- last ++ commandAll(others, GroupOperation.release, group)) done("a release", refusal)
    books -= group
  }
  def alarms: Seq[Int] = everybody.map(control(_).alarm.peek().toInt)

  // The adversary's hands

  private val tapped = mutable.Set.empty[Int]
  private def noTap(member: Int): Unit = {
    val tap = dut.io.taps(member)
    for (element <- Seq(tap.replace, tap.valid, tap.grant)) flag(element, false)
    tapped -= member
    if (!last.contains(tap.beat.kind)) transmit(member, Frame(0, 0, 0, 0, 0, 0, false, false, 0))
  }
  private def transmit(member: Int, frame: Frame): Unit = {
    val beat = dut.io.taps(member).beat
    put(beat.kind, frame.kind)
    put(beat.group, frame.group)
    put(beat.source, frame.source)
    put(beat.destination, frame.destination)
    put(beat.channel, frame.channel)
    put(beat.command, frame.command)
    flag(beat.hasData, frame.hasData)
    flag(beat.last, frame.last)
    put(beat.data, frame.data)
  }

  /** In this bus cycle the member receives this in place of what there is. */
  def tell(member: Int, frame: Frame): Unit = {
    transmit(member, frame)
    flag(dut.io.taps(member).replace, true)
    flag(dut.io.taps(member).valid, true)
    tapped += member
  }

  /** In this bus cycle the member receives nothing. */
  def deafen(member: Int): Unit = {
    flag(dut.io.taps(member).replace, true)
    flag(dut.io.taps(member).valid, false)
    tapped += member
  }

  /** In this bus cycle the member takes what it wants to send for sent. */
  def grant(member: Int): Unit = {
    flag(dut.io.taps(member).grant, true)
    tapped += member
  }
}
