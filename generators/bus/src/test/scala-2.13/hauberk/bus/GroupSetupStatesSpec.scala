package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A set-up alone, beside the sequence of what it does: each of its inputs may be late, come without being asked for, or not come. */
class GroupSetupStatesSpec extends AnyFunSuite with Simulation {
  private sealed trait Phase
  private case object Idle extends Phase
  private case object Draw extends Phase
  private case class Await(member: Int) extends Phase

  /** A block that is to go into the cipher, or is in it; what becomes of the answer. */
  private case class Cipher(
      key: BigInt,
      block: BigInt,
      takes: BigInt => Phase,
      isPad: Boolean = false,
      fills: Boolean = false,
      isAsked: Boolean = false
  ) extends Phase
  private case object Open extends Phase

  private def run(p: BusParams, group: Int, seed: Int): Unit = {
    val (slots, lanes) = (p.secure.masks, p.lanes)
    val hasPads = p.pads.nonEmpty
    val perSender = p.secure.maskSource == BusMasks.PerSender
    // Each mask's, then each chain's: who has it, its slot and lane, and the block of its first value
    val ofMasks = for {
      sender <- if (perSender) 0 until p.members else Seq(0)
      slot <- 0 until slots
      lane <- 0 until lanes
    } yield (true, sender, slot, lane)
    val ofChains =
      if (p.secure.mac == BusMac.Cbc) for {
        slot <- 0 until slots
        lane <- 0 to lanes
      } yield (false, 0, slot, lane)
      else Nil
    val fills = ofMasks ++ ofChains
    import ReferenceBlock._
    val inputs = Seq(maskKey, macKey, tagKey, hashKey) ++ (if (hasPads) Seq(padKey) else Nil)
    simulate(new GroupSetup(p, group, 1)) { dut =>
      val io = dut.io
      val random = new Random(seed)
      def oneIn(n: Int) = random.nextInt(n) == 0
      var members = Seq.empty[Int]
      var pid = 0
      var (key, firstPad) = (BigInt(128, random), BigInt(128, random))
      var phase: Phase = Idle
      var keys = Seq.fill(5)(BigInt(0))
      var chained = BigInt(0)
      var (nonce, quiet, filled, hasFirst, gone, mute, opened, silences) = (BigInt(0), 0, 0, false, false, false, 0, 0)
      def fill(number: Int): Phase =
        if (number == fills.size) Open
        else {
          val (isMask, sender, slot, lane) = fills(number)
          filled = number
          val block =
            if (!isMask) firstChain(lane, slot)
            else if (perSender) senderMask(lane, sender, slot)
            else firstMask(lane, slot)
          Cipher(keys.head, block, _ => fill(number + 1), fills = true)
        }
      def derive(ofSession: BigInt, number: Int): Phase =
        if (number == inputs.size) fill(0)
        else {
          val isPad = hasPads && group > 0 && number == inputs.size - 1
          def takes(answer: BigInt): Phase = {
            keys = keys.updated(number, answer)
            derive(ofSession, number + 1)
          }
          if (isPad) Cipher(key, firstPad ^ session(group, members.toSet), takes, isPad)
          else Cipher(ofSession, inputs(number), takes)
        }
      def absorb(block: BigInt, after: Option[Int]): Phase = Cipher(
        key,
        block,
        answer => {
          chained = answer
          members.find(member => after.forall(member > _)).map(Await).getOrElse(derive(answer, 0))
        }
      )
      for (now <- 0 until 3000) {
        if (now % 600 == 0) {
          resetDesign(dut)
          phase = Idle
          keys = keys.map(_ => BigInt(0))
          quiet = 0
          gone = false
        }
        if (phase == Idle) {
          key = BigInt(128, random)
          firstPad = BigInt(128, random)
          hasFirst = false
          mute = oneIn(3)
          members = random.shuffle(
            (0 until p.members).toList
          ).take(2 + random.nextInt(2) * random.nextInt(p.members - 1)).sorted
          pid = members(random.nextInt(members.size))
          io.pid.poke(pid)
          io.members.poke(members.map(1 << _).sum)
        }
        hasFirst = hasFirst || oneIn(30)
        // Some sessions end at once, some in their middle, some not before they are open
        val wanted = if (phase == Open) !oneIn(10) else !oneIn(if (mute) 200 else 100)
        val (draws, takes) = (oneIn(2), oneIn(2))
        val (drawn, answer, received) = (BigInt(64, random), BigInt(128, random), BigInt(64, random))
        val asked = phase match {
          case cipher: Cipher => cipher.isAsked
          case _ => false
        }
        // One that was not asked for is none
        val answers = oneIn(3)
        val begun = phase match {
          case Await(member) => member > members.head
          case _ => false
        }
        // Now and then a share comes at the last moment
        val isLast = mute && begun && quiet == p.secure.timeout - 1 && oneIn(2)
        val tick = isLast || oneIn(2)
        val (granted, commit) = (isLast || !(mute && begun) && oneIn(4), isLast || !(mute && begun) && oneIn(4))
        val source = phase match {
          case Await(member) if isLast => member
          case _ => random.nextInt(p.members)
        }
        io.wanted.poke(wanted)
        io.key.poke(key)
        io.tick.poke(tick)
        io.random.valid.poke(draws)
        io.random.bits.poke(drawn)
        io.granted.poke(granted)
        io.commit.poke(commit)
        io.source.poke(source)
        io.received.poke(received)
        io.service.ready.poke(takes)
        io.answer.valid.poke(answers)
        io.answer.bits.block.poke(answer)
        for (port <- io.firstPadKey) {
          port.valid.poke(hasFirst)
          port.bits.poke(firstPad)
        }

        val isFilling = phase match {
          case cipher: Cipher => cipher.fills
          case other => other == Open
        }
        io.random.ready.expect(phase == Draw)
        io.open.expect(phase == Open && wanted)
        io.clear.expect(!isFilling)
        val (asks, accepts) = phase match {
          case Await(member) => (member == pid, member != pid && source == member)
          case _ => (false, false)
        }
        val shared = asks && granted || accepts && commit
        io.asks.expect(asks)
        io.share.expect(if (asks) nonce else BigInt(0))
        io.accepts.expect(accepts)
        io.begun.expect(begun)
        val silent = begun && !shared && tick && quiet == p.secure.timeout - 1
        io.silent.expect(silent)
        if (silent) silences += 1
        for ((port, key) <- Seq(io.keys.mask, io.keys.mac, io.keys.tag, io.keys.hash, io.keys.pad).zip(keys))
          port.expect(key)
        val requests = phase match {
          case cipher: Cipher => !cipher.isAsked && wanted && (!cipher.isPad || hasFirst)
          case _ => false
        }
        io.service.valid.expect(requests)
        phase match {
          case Cipher(key, block, _, _, _, _) if requests =>
            io.service.bits.key.expect(key)
            io.service.bits.block.expect(block)
          case _ =>
        }
        val comes = isFilling && asked && answers && !gone
        io.first.valid.expect(comes)
        if (comes) {
          val (isMask, sender, slot, lane) = fills(filled)
          io.first.bits.group.expect(group)
          io.first.bits.isMask.expect(isMask)
          io.first.bits.isChain.expect(!isMask)
          if (isMask) io.first.bits.pid.expect(sender)
          io.first.bits.slot.expect(slot)
          io.first.bits.lane.expect(lane)
          io.first.bits.boundary.expect(false)
          io.first.bits.block.expect(answer)
        }
        step()

        quiet = if (!begun || shared) 0 else if (tick && !silent) quiet + 1 else quiet
        val ends = (!wanted || gone) && (!asked || answers)
        gone = (!wanted || gone) && !ends
        phase = phase match {
          case _ if ends => Idle
          case Idle => Draw
          case Draw if draws =>
            nonce = drawn
            absorb(session(group, members.toSet), None)
          case Await(member) if shared =>
            absorb(chained ^ share(member, if (asks) nonce else received), Some(member))
          case cipher: Cipher if requests && takes => cipher.copy(isAsked = true)
          case cipher: Cipher if asked && answers => cipher.takes(answer)
          case other => other
        }
        if (ends) keys = keys.map(_ => BigInt(0))
        if (phase == Open) opened += 1
      }
      assert(opened > 10, "no session was open")
      assert(silences > 0, "no share was late")
    }
  }

  // covers: bus.session
  test("a set-up takes each share in its turn, and makes each key, mask and chain of them") {
    val security = SmallBus.secure.copy(masks = 2, heartbeat = 16, timeout = 32)
    val perSender = SmallBus(3, 256, security.copy(groups = 2, maskSource = BusMasks.PerSender))
    run(perSender.copy(pads = Some(PadParams(4, countBits = 8, groups = 2))), group = 1, seed = 3)
    run(SmallBus(4, 256, security), group = 0, seed = 1)
    run(SmallBus(3, 128, security.copy(mac = BusMac.Ghash)), group = 0, seed = 2)
  }
}
