package hauberk.bus

import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Attacks on the wires, really carried out: each raises the alarm before more than `interval + window` transfers have passed, or, if
  * nothing passes, in time. Then nobody sends or receives anything more.
  */
// covers: bus.mac, bus.mask-once
abstract class BusSecuritySpec(name: String, p: BusParams) extends AnyFunSuite with BusAttacks {
  private val seed = 16
  private val random = new Random(seed)
  protected val interval = 6
  protected def commands: Boolean = p.secure.authenticateCommands

  /** What strikes: looks at the shared bus in each tick, and says once whether it has struck. */
  private type Attack = BusBench => () => Boolean
  private val mac = Set(BusAlarm.mismatch)

  private def dropToAll: Attack = bench => atTransfer(bench)(f => others(bench, f.source).foreach(bench.deafen))
  private def dropToOne: Attack = bench =>
    atTransfer(bench)(f => bench.deafen(others(bench, f.source, f.destination).head))
  private def dropAtDestination: Attack = bench => atTransfer(bench)(f => bench.deafen(f.destination))
  private def flipToAll(bit: Int): Attack = bench =>
    atTransfer(bench)(f => others(bench, f.source).foreach(bench.tell(_, f.copy(data = f.data.flipBit(bit)))))
  private def flipToOne: Attack = bench =>
    atTransfer(bench)(f => bench.tell(f.destination, f.copy(data = f.data.flipBit(77))))
  private def change(how: Frame => Frame, wanted: Frame => Boolean = _.hasData): Attack = bench =>
    atTransfer(bench, wanted)(f => others(bench, f.source).foreach(bench.tell(_, how(f))))

  private def rename: Attack = bench =>
    atTransfer(bench, f => f.hasData && f.destination == 0) { f =>
      val name = if (f.source == 1) 2 else 1
      others(bench, f.source, name).foreach(bench.tell(_, f.copy(source = name)))
    }

  /** Two members with data are both told that theirs are taken, and the second sees the first's; its own must stay under their mask. */
  private def grantTwo: Attack = bench =>
    () => {
      val view = bench.dut.io.view
      val second =
        if (!view.taken.peekBoolean()) None
        else {
          val frame = bench.frame(view.beat)
          bench.everybody.find { member =>
            frame.kind == FrameKind.transfer && frame.hasData && member != frame.source &&
            view.requests(member).peekBoolean() && {
              val offer = bench.frame(view.offers(member))
              offer.kind == FrameKind.transfer && offer.hasData
            }
          }
        }
      for (member <- second) {
        bench.grant(member)
        assert(view.offers(member).data.peek() == 0, "a mask for two")
      }
      second.nonEmpty
    }

  /** The paper's split group: one half sees one transfer, the other half another, and all count alike. */
  private def split: Attack = bench =>
    () => {
      val view = bench.dut.io.view
      val requests = bench.everybody.map(view.requests(_).peekBoolean())
      val hits = view.taken.peekBoolean() && {
        val frame = bench.frame(view.beat)
        frame.kind == FrameKind.transfer && frame.hasData && frame.last && {
          val second = bench.everybody.find { member =>
            member != bench.home && member != frame.source && member != frame.destination && requests(member) && {
              val offer = bench.frame(view.offers(member))
              offer.kind == FrameKind.transfer && offer.hasData && offer.last
            }
          }
          for (sender <- second) {
            bench.grant(sender)
            bench.deafen(sender)
            val offer = bench.frame(view.offers(sender))
            val rest = others(bench, frame.source, frame.destination, sender)
            rest.foreach(bench.tell(_, offer))
          }
          second.nonEmpty
        }
      }
      hits
    }

  /** Two transfers of one sender, the other way round for all who receive them: the first is held back, until nothing else passes. */
  private def swap: Attack = bench => {
    var held = Option.empty[Frame]
    var second = false
    def listeners = others(bench, held.get.source)
    () => {
      val view = bench.dut.io.view
      val seen = if (view.taken.peekBoolean()) Some(bench.frame(view.beat)) else None
      held match {
        case None =>
          for (frame <- seen if frame.kind == FrameKind.transfer && frame.hasData && frame.last) {
            held = Some(frame)
            listeners.foreach(bench.deafen)
          }
          false
        case Some(first) =>
          if (seen.exists(f => f.kind == FrameKind.transfer && f.source == first.source)) second = true
          if (second && seen.isEmpty) {
            listeners.foreach(bench.tell(_, first))
            true
          } else false
      }
    }
  }

  /** A transfer once more, when nothing else passes, for all but who sent it. */
  private def replay: Attack = bench => {
    var held = Option.empty[Frame]
    val quiet = whenQuiet(bench)(for (frame <- held) { others(bench, frame.source).foreach(bench.tell(_, frame)) })
    val record = atTransfer(bench, f => f.hasData && f.last)(f => held = Some(f))
    () => {
      val strikes = quiet() && held.nonEmpty
      if (!strikes) record()
      strikes
    }
  }
  private def forged(source: Int, destination: Int): Frame =
    Frame(
      FrameKind.transfer,
      0,
      source,
      destination,
      if (destination == 0) BusChannel.c else BusChannel.d,
      5,
      hasData = true,
      last = true,
      BigInt(p.sharedBus.widthBits, random)
    )

  /** When nothing has passed for so long that everybody can take something. */
  private def whenQuiet(bench: BusBench)(strike: => Unit): () => Boolean = {
    var since = 0
    () => {
      since = if (bench.dut.io.view.shown.peekBoolean()) 0 else since + 1
      if (since == pause) strike
      since == pause
    }
  }
  private val pause = p.secure.aesLatency / p.sharedBus.ratio + 2

  /** A message of a member, for all but this member. */
  private def spoofMember: Attack = bench =>
    whenQuiet(bench)(others(bench, 1).foreach(bench.tell(_, forged(1, 0))))

  /** The more intelligent one: the member receives another's name. */
  private def spoofSplit: Attack = bench =>
    whenQuiet(bench) {
      val frame = forged(1, 0)
      others(bench, 1).foreach(bench.tell(_, frame))
      bench.tell(1, frame.copy(source = 2))
    }
  private def spoofOwn: Attack = bench => whenQuiet(bench)(bench.tell(2, forged(2, 0)))
  private def atMac(bench: BusBench)(strike: Frame => Unit): () => Boolean = () => {
    val view = bench.dut.io.view
    view.taken.peekBoolean() && {
      val frame = bench.frame(view.beat)
      frame.kind == FrameKind.authentication && { strike(frame); true }
    }
  }
  private def flipMac: Attack = bench =>
    atMac(bench)(f => bench.tell(others(bench, f.source).head, f.copy(data = f.data.flipBit(63))))
  private def otherSpeaker: Attack = bench =>
    atMac(bench) { f =>
      val two = others(bench, f.source)
      bench.tell(two.head, f.copy(source = two.last))
    }
  private def dropMac: Attack = bench => atMac(bench)(f => bench.deafen(others(bench, f.source).head))

  /** From now on nobody receives anybody. */
  private def silence: Attack = bench => {
    var begun = false
    () => {
      bench.everybody.foreach(bench.deafen)
      val first = !begun
      begun = true
      first
    }
  }

  private val detected: Seq[(String, Attack, Set[Int])] = Seq(
    ("a drop to all", dropToAll, mac + BusAlarm.silent + BusAlarm.overrun),
    ("a drop to one who is not meant", dropToOne, mac + BusAlarm.outOfTurn),
    ("a drop to who is meant", dropAtDestination, mac + BusAlarm.outOfTurn),
    ("the split group", split, mac),
    ("two granted at once", grantTwo, Set(BusAlarm.collision)),
    ("a swap", swap, mac + BusAlarm.overrun),
    ("a replay", replay, mac ++ Set(BusAlarm.silent, BusAlarm.outOfTurn, BusAlarm.overrun)),
    ("a message in a member's name", spoofMember, mac ++ Set(BusAlarm.silent, BusAlarm.outOfTurn, BusAlarm.overrun)),
    ("likewise, which the member itself receives in another's name", spoofSplit, mac + BusAlarm.overrun),
    ("a message in the name of who receives it", spoofOwn, Set(BusAlarm.ownPid)),
    ("a lowest bit flipped for all", flipToAll(0), mac),
    ("a highest bit flipped for all", flipToAll(p.sharedBus.widthBits - 1), mac),
    ("a bit flipped for one", flipToOne, mac),
    // Who waits for the rest of a message refuses what does not continue it, and so the shared bus may stand still
    ("another sender's name, for all but these two", rename, mac + BusAlarm.overrun + BusAlarm.silent),
    ("a MAC with a bit flipped", flipMac, mac),
    ("a MAC in another's name", otherSpeaker, Set(BusAlarm.outOfTurn, BusAlarm.ownPid)),
    ("a MAC dropped to one", dropMac, mac + BusAlarm.silent + BusAlarm.outOfTurn),
    ("silence", silence, Set(BusAlarm.silent) ++ mac)
  )

  /** What who sees it knows to be an attack. */
  private val atOnce = Set("two granted at once", "a message in the name of who receives it")
  private def isCommand(f: Frame): Boolean = f.hasData && f.last && f.destination == 0

  /** What only authenticated commands show; or, in the middle of a message, a receiver whose message it does not continue. */
  private val ofCommands: Seq[(String, Attack, Set[Int])] = Seq(
    ("a command's lowest bit", change(f => f.copy(command = f.command.flipBit(0)), isCommand), mac),
    ("a command's highest bit", change(f => f.copy(command = f.command.flipBit(p.commandBits - 1)), isCommand), mac),
    (
      "a command without data",
      change(f => f.copy(command = f.command.flipBit(3)), f => !f.hasData && f.destination == 0),
      mac
    ),
    (
      "another channel",
      change(f => f.copy(channel = BusChannel.a), f => isCommand(f) && f.channel == BusChannel.c),
      mac + BusAlarm.overrun
    ),
    (
      "another destination",
      change(f => f.copy(destination = if (f.destination == 3) 2 else 3), f => f.hasData && f.last && f.source == 0),
      mac + BusAlarm.ownPid + BusAlarm.overrun
    )
  )

  /** Transfers, by their sender, and bus cycles from an attack to the alarm, and who raised what; none if nobody did.
    *
    * @param retries for an attack of several steps, how often it may be found out before its last one
    */
  private def strike(
      bench: BusBench,
      attack: Attack,
      mayMiss: Boolean = false,
      retries: Int = 0
  ): Option[(Map[Int, Int], Int, Seq[Int])] = {
    bench.reset()
    bench.setUp(interval = interval)
    for (_ <- 0 until 10) bench.ask(bench.randomMessage())
    bench.drain()
    bench.checking = false
    var struck = false
    val transfers = mutable.Map.empty[Int, Int].withDefaultValue(0)
    var cycles = 0
    val step = attack(bench)
    bench.adversary = () => {
      val strikes = step()
      if (strikes && !struck) {
        struck = true
        transfers.clear()
        cycles = 0
      }
    }
    bench.onFrame = f => if (f.kind == FrameKind.transfer && (f.hasData || commands)) transfers(f.source) += 1
    var waited = 0
    var alarm = false
    while (!alarm && waited < 3000 && (!struck || cycles < p.secure.timeout + 64)) {
      // Traffic that leaves pauses
      if (bench.unsent < 4 && random.nextInt(10) == 0) bench.ask(bench.randomMessage())
      bench.tick()
      cycles += 1
      waited += 1
      alarm = bench.dut.io.alarm.peekBoolean()
      if (alarm && !struck && retries == 0) throw new AssertionError(s"a false alarm: ${bench.alarms}")
    }
    if (alarm && !struck) return strike(bench, attack, mayMiss, retries - 1)
    assert(struck, "the attack was not carried out")
    if (!alarm) { assert(mayMiss, "nobody has noticed"); None }
    else {
      val first = bench.alarms
      bench.adversary = () => ()
      bench.tick()
      assert(bench.alarms.forall(_ != BusAlarm.none), "somebody goes on")
      bench.onFrame = f => throw new AssertionError(s"$f after the alarm")
      bench.ticks(40)
      bench.onFrame = _ => ()
      Some((transfers.toMap, cycles, first))
    }
  }

  test(s"$name: every attack is detected in time, and a message from nobody is discarded") {
    simulate(new BroadcastBus(p)) { dut =>
      val bench = new BusBench(this, dut, random)
      for ((attack, how, causes) <- detected ++ (if (commands) ofCommands else Nil))
        withClue(s"$attack, seed $seed: ") {
          val (transfers, cycles, alarms) = strike(bench, how, retries = if (attack == "a swap") 20 else 0).get
          info(s"$attack: after ${transfers.values.sum} transfers, $cycles bus cycles: ${alarms.mkString(" ")}")
          // Where nobody receives anybody each counts its own alone, and may show its MAC to nobody meanwhile
          if (attack == "silence") assert(transfers.values.forall(_ <= 2 * interval + p.secure.window))
          else assert(transfers.values.sum <= interval + p.secure.window)
          assert(cycles <= p.secure.timeout + 1)
          if (atOnce(attack)) assert(cycles <= 1)
          assert(alarms.exists(causes.contains(_)), alarms)
        }
      if (!commands) for ((attack, how, _) <- ofCommands.take(2)) withClue(s"$attack: ") {
        assert(
          strike(bench, how, mayMiss = true).isEmpty,
          "detected without authenticated commands, so it proves nothing of them"
        )
      }

      // Who does not belong to the group is not received
      bench.reset()
      bench.setUp(Set(0, 1, 2), interval = interval)
      for (_ <- 0 until 10) {
        for (_ <- 0 until 5) bench.ask(bench.randomMessage(Seq(0, 1, 2)))
        bench.drain()
        var told = false
        bench.adversary = () =>
          if (!told && !bench.dut.io.view.taken.peekBoolean()) {
            others(bench, 3).foreach(bench.tell(_, forged(3, if (random.nextBoolean()) 0 else 1)))
            told = true
          }
        bench.ticks(5)
        assert(told)
        bench.adversary = () => ()
      }
      bench.ticks(p.secure.heartbeat * 2)
      assert(bench.alarms.forall(_ == BusAlarm.none))

      // Who opens late is no attack, nor is it one that nothing passes until then
      bench.reset()
      bench.prepare(interval = interval)
      others(bench, 2).foreach(bench.open(_))
      bench.ticks(2 * p.secure.timeout)
      bench.open(2)
      while (!bench.agreed(0)) bench.tick()
      assert(bench.alarms.forall(_ == BusAlarm.none), "a false alarm")

      val changed = strikeShare(bench, 0) { f =>
        bench.tell(others(bench, f.source).head, f.copy(data = f.data.flipBit(5)))
      }
      info(s"a changed share: after $changed bus cycles: ${bench.alarms.mkString(" ")}")
      for {
        number <- bench.everybody
        tiedOff <- others(bench, number) :: others(bench, number).map(Seq(_)).toList
      } withClue(s"member $number's share, lost to $tiedOff: ") {
        val cycles = strikeShare(bench, number)(_ => tiedOff.foreach(bench.deafen))
        info(s"member $number's share, lost to $tiedOff: after $cycles bus cycles: ${bench.alarms.mkString(" ")}")
        assert(bench.alarms.contains(BusAlarm.silent))
        assert(cycles <= p.secure.timeout + pause)
      }
    }
  }

  /** Bus cycles from what is done to a share of a set-up, by its number, to the alarm; nothing is ever sent under it. */
  private def strikeShare(bench: BusBench, number: Int)(act: Frame => Unit): Int = {
    bench.reset()
    bench.checking = false
    bench.prepare(interval = interval)
    bench.everybody.foreach(bench.open(_))
    var shares = 0
    var cycles = 0
    bench.adversary = () =>
      if (shares <= number && bench.dut.io.view.taken.peekBoolean()) {
        if (shares == number) act(bench.frame(bench.dut.io.view.beat))
        shares += 1
      }
    bench.ask(bench.message(1, 0, BusChannel.c, 1))
    bench.onFrame = f => assert(f.kind != FrameKind.transfer, "a session without agreement")
    while (!bench.dut.io.alarm.peekBoolean()) {
      bench.tick()
      if (shares > number) cycles += 1
      assert(cycles < 2000, "nobody has noticed")
    }
    bench.onFrame = _ => ()
    cycles
  }
}

class ChainedSecuritySpec
    extends BusSecuritySpec(
      "chained masks, CBC-MAC",
      SmallBus(4, 128, SmallBus.secure.copy(heartbeat = 32, timeout = 128))
    )

class CommandsSecuritySpec
    extends BusSecuritySpec(
      "masks of every sender, GHASH, commands",
      SmallBus(
        4,
        128,
        SmallBus.secure.copy(
          heartbeat = 32,
          timeout = 128,
          maskSource = BusMasks.PerSender,
          mac = BusMac.Ghash,
          authenticateCommands = true
        )
      )
    )
