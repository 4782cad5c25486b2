package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.memory.counter.Timestamps
import hauberk.memory.engine.Ingress
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** What enters the core and what comes back, against a model of both, cycle by cycle: clients that change their minds, an engine that opens and
  * closes in the middle of bursts, re-encryptions that never wait for a client, and a core that answers in any order.
  */
class IngressSpec extends AnyFunSuite with Simulation {
  private val p = Protection(
    ProtectionParams(counters = Timestamps(8, reserve = Some(20))),
    Bank(localBytes = 1 << 14, idBits = 4)
  )
  private val dataBytes = p.layout.dataBytes.toInt
  private val internal = 1 << p.client.idBits
  private def beatsOf(size: Int) = math.max(1, (1 << size) / p.client.beatBytes)

  private case class Request(write: Boolean, partial: Boolean, address: Int, size: Int, id: Int, data: BigInt) {
    val beats: Int = if (write) beatsOf(size) else 1
    def answer(denied: Boolean, data: BigInt): Answer = Answer(write, size, id, denied, data)
  }
  private case class Answer(write: Boolean, size: Int, id: Int, denied: Boolean, data: BigInt) {
    val beats: Int = if (write) 1 else beatsOf(size)
  }

  /** Half of all addresses are the first and the last block of the data region, and the first and the last behind it. */
  private def drawn(random: Random, id: Int): Request = {
    val edges = Seq(0, dataBytes - 64, dataBytes, (1 << p.client.addressBits) - 64)
    val block = if (random.nextBoolean()) edges(random.nextInt(4)) else 64 * random.nextInt(dataBytes / 64)
    val size = random.nextInt(7)
    val address = block + (random.nextInt(64) >> size << size)
    val write = random.nextBoolean()
    Request(write, write && random.nextBoolean(), address, size, id, BigInt(40, random))
  }

  /** A signal that keeps its value for some cycles. */
  private class Lever(random: Random, oneIn: Int) {
    var on: Boolean = random.nextBoolean()
    def move(): Boolean = { if (random.nextInt(oneIn) == 0) on = !on; on }
  }

  private def run(seed: Int, cycles: Int): Unit = simulate(new Ingress(p)) { dut =>
    val random = new Random(seed)
    val in = dut.io.client.request
    val out = dut.io.core.request
    val response = dut.io.core.response
    val toClient = dut.io.client.response
    var current: Option[(Request, Int)] = None // and the beat
    var refusing = false
    var touching = false
    val busy = mutable.Map.empty[Int, Int] // blocks being re-encrypted, by slot
    val owed = mutable.Buffer.empty[Request]
    val pending = mutable.Buffer.empty[Request]
    var answer: Option[(Answer, Int)] = None // of the core, and the beat
    var coming: Option[(Answer, Int)] = None // what the client is in the middle of
    val open = new Lever(random, 12)
    val hold, denies, spare = new Lever(random, 20)
    val seen = mutable.Map.empty[String, Int].withDefaultValue(0)

    for (cycle <- 0 until cycles) {
      val inFlight = (pending ++ owed).map(_.id).toSet ++ answer.map(_._1.id) ++ coming.map(_._1.id)
      val free = (0 until internal).filterNot(inFlight)
      if (current.forall(_._2 == 0) && random.nextBoolean()) {
        current = if (free.isEmpty || random.nextInt(6) == 0) None
        else Some((drawn(random, free(random.nextInt(free.size))), 0))
      }
      if (answer.isEmpty && pending.nonEmpty && random.nextBoolean()) {
        val done = pending.remove(random.nextInt(pending.size))
        answer = Some((done.answer(random.nextInt(4) == 0, BigInt(40, random)), 0))
      }
      val offers = current.nonEmpty && random.nextInt(4) != 0
      val (isOpen, holds, isDenied, isSpare) = (open.move(), hold.move(), denies.move(), spare.move())
      val (asks, touches) = (random.nextInt(6) == 0, random.nextInt(6) == 0)
      val (askedBlock, touchedBlock) = (random.nextInt(dataBytes / 64), random.nextInt(dataBytes / 64))
      val (coreTakes, clientTakes, answers) =
        (random.nextInt(3) != 0, random.nextInt(3) != 0, answer.nonEmpty && random.nextInt(4) != 0)
      dut.io.open.poke(isOpen)
      dut.io.hold.poke(holds)
      dut.io.denies.poke(isDenied)
      in.valid.poke(offers)
      for ((r, beat) <- current) {
        in.bits.write.poke(r.write)
        in.bits.partial.poke(r.partial)
        in.bits.address.poke(r.address)
        in.bits.size.poke(r.size)
        in.bits.id.poke(r.id)
        in.bits.mask.poke(0x5a + beat)
        in.bits.data.poke(r.data + beat)
        in.bits.corrupt.poke(beat == 1)
      }
      dut.io.reencrypt.valid.poke(asks)
      val askedSlot = random.nextInt(p.reencryptions)
      dut.io.reencrypt.bits.block.poke(askedBlock)
      dut.io.reencrypt.bits.slot.poke(askedSlot)
      dut.io.spare.poke(isSpare)
      dut.io.touch.valid.poke(touches)
      dut.io.touch.bits.poke(touchedBlock)
      out.ready.poke(coreTakes)
      toClient.ready.poke(clientTakes)
      response.valid.poke(answers)
      for ((a, beat) <- answer) {
        response.bits.write.poke(a.write)
        response.bits.size.poke(a.size)
        response.bits.id.poke(a.id)
        response.bits.denied.poke(a.denied)
        response.bits.data.poke(a.data + beat)
      }

      // In
      val first = current.forall(_._2 == 0)
      val refuses = current.exists { case (r, _) => if (first) !isOpen || r.address >= dataBytes else refusing }
      val held = holds && first && current.exists(_._1.write)
      val isAlone = busy.isEmpty && !touching
      val reencrypts = asks && first && (isAlone || (isSpare && !touching && !busy.contains(askedSlot)))
      val reads = touches && first && isAlone && !asks
      val injects = reencrypts || reads
      val passes = offers && !refuses && !held && !injects
      out.valid.expect(injects || passes)
      val taken = offers && in.ready.peekBoolean()
      if (offers && !refuses) assert(taken == (passes && coreTakes))
      dut.io.violation.valid.expect(taken && refuses && first)
      dut.io.reencrypt.ready.expect(reencrypts && coreTakes)
      dut.io.touch.ready.expect(reads && coreTakes)
      if (injects) {
        out.bits.write.expect(asks)
        out.bits.partial.expect(asks)
        out.bits.address.expect(64 * (if (asks) askedBlock else touchedBlock))
        out.bits.mask.expect(0)
        out.bits.corrupt.expect(false)
        val id = internal + (if (asks) askedSlot else 0)
        assert(beatsOf(out.bits.size.peek().toInt) == 1 && out.bits.id.peek() == id)
        if (busy.nonEmpty) seen("several at once") += 1
        if (held && offers && coreTakes) seen("injected while a write was held") += 1
        if (coreTakes) pending += Request(asks, asks, 0, 3, id, 0)
      } else if (passes) {
        val (r, beat) = current.get
        out.bits.write.expect(r.write)
        out.bits.partial.expect(r.partial)
        out.bits.address.expect(r.address)
        out.bits.size.expect(r.size)
        out.bits.id.expect(r.id)
        out.bits.corrupt.expect(beat == 1)
        if (r.write) {
          out.bits.mask.expect(0x5a + beat)
          out.bits.data.expect(r.data + beat)
        }
        if (beat > 0 && (asks || touches) && isAlone) seen("did not break a burst") += 1
        if (beat > 0 && !isOpen) seen("closed within a burst") += 1
      }
      if (taken) {
        val (r, beat) = current.get
        if (refuses && first) {
          dut.io.violation.bits.cause.expect(if (isOpen) AlarmCause.outsideData else AlarmCause.notArmed)
          dut.io.violation.bits.address.expect(r.address)
          seen(if (isOpen) "outside" else "not armed") += 1
        }
        if (refuses && !first && isOpen && r.address < dataBytes) seen("opened within a refused burst") += 1
        if (beat == r.beats - 1) (if (refuses) owed else pending) += r
      }

      // Out
      val own = answers && answer.exists(_._1.id >= internal)
      val sentBack = answers && response.ready.peekBoolean()
      if (own) assert(sentBack)
      val slot = if (own) answer.get._1.id - internal else 0
      dut.io.reencrypted.valid.expect(own && !touching)
      dut.io.touched.expect(own && touching)
      dut.io.lost.valid.expect(own && !touching && answer.get._1.denied)
      if (own && !touching) dut.io.reencrypted.bits.expect(slot)
      if (own && !touching && answer.get._1.denied) {
        dut.io.lost.bits.expect(busy(slot))
        seen("lost") += 1
      }
      if (toClient.valid.peekBoolean()) {
        val id = toClient.bits.id.peek().toInt
        val fromCore = answers && !own && answer.get._1.id == id
        val (expected, beat) = coming.getOrElse {
          (if (fromCore) answer.get._1 else owed.find(_.id == id).get.answer(denied = true, 0), 0)
        }
        assert(id == expected.id, "bursts do not mix")
        if (fromCore) assert(sentBack == clientTakes)
        toClient.bits.write.expect(expected.write)
        toClient.bits.size.expect(expected.size)
        toClient.bits.denied.expect(!fromCore || isDenied || expected.denied)
        toClient.bits.data.expect(if (!fromCore || isDenied) BigInt(0) else expected.data + beat)
        if (clientTakes) {
          coming = if (beat + 1 < expected.beats) Some((expected, beat + 1)) else None
          if (!fromCore && coming.isEmpty) owed -= owed.find(_.id == id).get
          seen(if (fromCore) "answered" else "denied") += 1
        }
      } else assert(!answers || own, "an answer that waits is shown")

      // What the next cycle knows
      if (own && !touching) busy -= slot
      if (own) touching = false
      if (reencrypts && coreTakes) busy(askedSlot) = askedBlock
      if (reads && coreTakes) touching = true
      if (taken) {
        val (r, beat) = current.get
        refusing = refuses
        current = if (beat + 1 < r.beats) Some((r, beat + 1)) else None
      }
      if (sentBack) {
        val (a, beat) = answer.get
        answer = if (beat + 1 < a.beats) Some((a, beat + 1)) else None
      }
      step()
    }
    assert(owed.size <= 1, "a refused request has no answer")
    for (
      event <- Seq(
        "injected while a write was held",
        "several at once",
        "did not break a burst",
        "closed within a burst",
        "outside",
        "not armed",
        "opened within a refused burst",
        "lost",
        "answered",
        "denied"
      )
    ) {
      assert(seen(event) >= 10, s"hardly ever: $event")
    }
  }

  test("what enters the core, and what comes back, is as a model has it") { run(seed = 11, cycles = 6000) }
}
