package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** An authenticator alone, beside a model of it: transfers, MACs good and bad, and sessions that end, in any order. */
class AuthenticatorSpec extends AnyFunSuite with Simulation {
  private val p = SmallBus(3, 128, SmallBus.secure.copy(window = 4, heartbeat = 16, timeout = 32))
  private val s = p.secure
  private val delay = (s.aesLatency - BusParams.pipelineStages - p.steps) * 2

  /** What it knows of a session, in which nobody may show a MAC. */
  private class Session(val members: Seq[Int], val pid: Int, val interval: Int, val isMute: Boolean) {
    val lengths = mutable.Queue[Int]()
    val macs = mutable.Queue[BigInt]()
    var since, exposed, due, proofs, quiet, begun, made, available = 0
    var turn = members.head
    var agreed = false
  }

  /** Things that come some cycles later, in order. */
  private class Later[T](cycles: Int) {
    private val all = mutable.Queue[(Int, T)]()
    def put(now: Int, what: T): Unit = all += now + cycles -> what
    def take(now: Int): Option[T] = if (all.headOption.exists(_._1 == now)) Some(all.dequeue()._2) else None
    def clear(): Unit = all.clear()
  }

  // covers: bus.mac
  test("a MAC is due, shown, and believed when it should be, and no more passes without") {
    simulate(new Authenticator(p, 1)) { dut =>
      val io = dut.io
      val random = new Random(43)
      def oneIn(n: Int) = random.nextInt(n) == 0
      val tagKey = BigInt(128, random)
      io.tagKey.poke(tagKey)
      val (summaries, answers, ripe) = (new Later[BigInt](5), new Later[BigInt](6), new Later[Unit](delay))
      val asked = mutable.Queue[BigInt]()
      var session = new Session(Seq(0, 1), 0, 1, isMute = false)
      var (closed, left, most) = (30, 0, 0)
      for (now <- 0 until 12000) {
        if (closed == 0 && oneIn(500)) closed = 30
        if (closed == 30) {
          val members = random.shuffle((0 until p.members).toList).take(2 + random.nextInt(2)).sorted
          session = new Session(members, members(random.nextInt(members.size)), 1 + random.nextInt(4), oneIn(4))
          io.members.poke(members.map(1 << _).sum)
          io.pid.poke(session.pid)
          io.interval.poke(session.interval)
          Seq(summaries, answers).foreach(_.clear())
          ripe.clear()
          asked.clear()
          left = 0
        }
        val isOpen = closed == 0
        val tick = now % p.sharedBus.ratio == 3
        val state = session
        import state._
        val has = available > 0 && macs.nonEmpty
        val asks = isOpen && has && turn == pid
        val room = exposed + p.lineBeats <= interval + s.window && due + p.lineBeats + 1 <= s.window + 1

        // The bus carries one thing at a time
        // Now and then nothing passes, and heartbeats alone are due
        val transfer =
          isOpen && tick && agreed && (left > 0 || room && !oneIn(4) && now % 2000 < 1400) && !oneIn(8)
        val granted = tick && asks && !transfer && !isMute && oneIn(2)
        val commit = isOpen && tick && !transfer && !granted && !isMute && (if (has) oneIn(3) else oneIn(40))
        val source = if (oneIn(12)) random.nextInt(p.members) else turn
        val received = {
          val right = macs.headOption.getOrElse(BigInt(BusTag.width, random))
          if (oneIn(12)) right.flipBit(random.nextInt(BusTag.width)) else right
        }
        io.open.poke(isOpen)
        io.tick.poke(tick)
        io.transfer.poke(transfer)
        // What did not ask is not granted
        io.granted.poke(granted || !asks && oneIn(3))
        io.commit.poke(commit)
        io.source.poke(source)
        io.received.poke(received)
        io.service.ready.poke(now % 2 == 0)
        val (summary, answer) = (summaries.take(now), answers.take(now))
        io.summary.valid.poke(summary.nonEmpty)
        io.summary.bits.poke(summary.getOrElse(BigInt(0)))
        io.answer.valid.poke(answer.nonEmpty)
        io.answer.bits.block.poke(answer.getOrElse(BigInt(0)))

        if (isOpen) {
          val first = begun != 2 && tick
          val boundary = first || transfer && since + 1 >= interval || tick && agreed && quiet == s.heartbeat - 1
          val inTurn = source == turn && turn != pid
          val shownGood = commit && inTurn && has && received == macs.head
          val good = granted || shownGood
          val silent = tick && begun != 0 && quiet == s.timeout - 1
          io.boundary.expect(boundary)
          io.agreed.expect(agreed)
          io.room.expect(room)
          io.settled.expect(exposed == 0 && due == 0 && proofs == 2)
          io.asks.expect(asks)
          io.tag.expect(if (asks) macs.head else BigInt(0))
          io.accepts.expect(has || !inTurn)
          io.outOfTurn.expect(commit && !inTurn)
          io.mismatch.expect(commit && inTurn && !shownGood)
          io.authenticated.expect(good)
          io.silent.expect(silent)
          io.service.valid.expect(asked.nonEmpty)
          for (block <- asked.headOption) {
            io.service.bits.key.expect(tagKey)
            io.service.bits.block.expect(block ^ made)
            if (now % 2 == 0) {
              asked.dequeue()
              made += 1
              answers.put(now, BigInt(128, random))
            }
          }
          step()

          val passed = if (transfer) 1 else 0
          val unshown = if (good) exposed - lengths.dequeue() else exposed
          if (transfer || unshown > 0) proofs = 0 else if (good) proofs = (proofs + 1).min(2)
          exposed = unshown + passed
          most = most.max(exposed - interval)
          since += passed
          if (boundary) {
            lengths += since
            since = 0
            due += 1
            summaries.put(now, BigInt(128, random))
          }
          if (good) {
            macs.dequeue()
            turn = members.find(_ > turn).getOrElse(members.head)
            due -= 1
            available -= 1
          }
          if (shownGood) agreed = true
          if (first) begun += 1
          quiet = if (good) 0 else if (tick && (begun > 1 || begun == 1 && !first) && !silent) quiet + 1 else quiet
          asked ++= summary
          for (block <- answer) {
            macs += block >> (128 - BusTag.width)
            ripe.put(now, ())
          }
          if (ripe.take(now).nonEmpty) available += 1
          if (transfer) left = if (left > 0) left - 1 else p.lineBeats - 1
        } else {
          io.asks.expect(false)
          io.accepts.expect(false)
          io.agreed.expect(false)
          if (closed < 30) io.settled.expect(true)
          io.service.valid.expect(false)
          step()
          closed -= 1
        }
      }
      assert(most == s.window, "the window was not filled")
    }
  }

  // covers: bus.mac-compare
  test("a MAC that differs in one bit is none, whichever it is") {
    simulate(new Authenticator(p, 1)) { dut =>
      val io = dut.io
      val tag = BigInt(BusTag.width, new Random(44))
      io.pid.poke(1)
      io.members.poke(3)
      io.interval.poke(1)
      io.service.ready.poke(true)
      io.open.poke(true)
      io.answer.valid.poke(true)
      io.answer.bits.block.poke(tag << (128 - BusTag.width))
      step()
      io.answer.valid.poke(false)
      step(2 * s.aesLatency)
      io.commit.poke(true)
      for (bit <- 0 until BusTag.width) withClue(s"bit $bit: ") {
        io.received.poke(tag.flipBit(bit))
        io.mismatch.expect(true)
        io.authenticated.expect(false)
        io.settled.expect(false)
      }
      io.received.poke(tag)
      io.mismatch.expect(false)
      io.authenticated.expect(true)
    }
  }
}
