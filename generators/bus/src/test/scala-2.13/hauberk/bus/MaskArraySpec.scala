package hauberk.bus

import chisel3.util.Valid
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The masks of a group alone, beside a model of them: masks come in any order, and any sender takes them. */
class MaskArraySpec extends AnyFunSuite with Simulation {
  private val (members, slots, lanes) = (3, 3, 2)

  /** What one sender, or all of them, have. */
  private class Masks {
    val masks = Array.fill(slots, lanes)(BigInt(0))
    val present = Array.fill(slots, lanes)(false)
    val free = Array.fill(slots)(0)
    var pointer, count = 0
  }

  private def run(source: BusMasks): Unit = {
    val p = SmallBus(members, 128 * lanes, SmallBus.secure.copy(masks = slots, maskSource = source))
    val perSender = source == BusMasks.PerSender
    simulate(new MaskArray(p)) { dut =>
      val random = new Random(23)
      def oneIn(n: Int) = random.nextInt(n) == 0
      val io = dut.io
      val places = for {
        pid <- 0 until (if (perSender) members else 1)
        slot <- 0 until slots
        lane <- 0 until lanes
      } yield (pid, slot, lane)
      var all = Seq.fill(members)(new Masks)
      def of(source: Int) = if (perSender) all(source) else all.head
      var waits = Seq.empty[(Int, Int, Int)] // Lanes that are to be written
      def say(port: Valid[TransferResult], place: Option[(Int, Int, Int)], block: BigInt): Unit = {
        // A block of a chain changes no mask, whatever its numbers are
        val (pid, slot, lane) = place.getOrElse(places(random.nextInt(places.size)))
        port.bits.isMask.poke(place.nonEmpty)
        port.bits.isChain.poke(place.isEmpty)
        port.bits.pid.poke(pid)
        port.bits.slot.poke(slot)
        port.bits.lane.poke(lane)
        port.bits.block.poke(block)
      }
      io.clear.poke(true)
      step()
      for (now <- 0 until 2500) {
        val clears = now == 0 || oneIn(200)
        if (waits.isEmpty && all.forall(_.present.flatten.forall(!_))) waits = random.shuffle(places)
        val asks = Seq.fill(2)(random.nextInt(members))
        val (source, hasData, data) = (random.nextInt(members), !oneIn(3), BigInt(128 * lanes, random))
        val taken = of(source)
        def isReady(masks: Masks) = now >= masks.free(masks.pointer) && masks.present(masks.pointer).forall(x => x)
        val uses = oneIn(2) && (!hasData || isReady(taken))
        // Now and then masks come much later than the cipher is to take
        val pace = if (now / 100 % 3 == 2) 40 else 2
        val first = if (oneIn(2 * pace)) waits.headOption else None
        val results = waits.drop(1).take(p.ciphers).map(place => if (oneIn(3)) Some(place) else None)
          .padTo(p.ciphers, None)
        val (valid, blocks) = (Seq.fill(p.ciphers)(oneIn(pace)), Seq.fill(p.ciphers + 1)(BigInt(128, random)))
        io.clear.poke(clears)
        io.use.valid.poke(uses)
        io.use.bits.source.poke(source)
        io.use.bits.hasData.poke(hasData)
        io.use.bits.data.poke(data)
        for ((query, source) <- Seq(io.own, io.received).zip(asks)) query.source.poke(source)
        // A first chain is no mask, nor is one that is not there
        io.first.valid.poke(first.nonEmpty || now % 2 == 0)
        say(io.first, first.orElse(if (now % 2 == 0) None else Some(places(now % places.size))), blocks.last)
        for (i <- 0 until p.ciphers) {
          io.results(i).valid.poke(valid(i))
          say(io.results(i), results(i), blocks(i))
        }

        for ((query, source) <- Seq(io.own, io.received).zip(asks)) {
          query.ready.expect(isReady(of(source)))
          query.mask.expect(ReferenceMasks.joined(of(source).masks(of(source).pointer).toSeq))
        }
        io.pid.expect(if (perSender) source else 0)
        io.slot.expect(taken.pointer)
        for (lane <- 0 until lanes)
          io.inputs(lane).expect(
            if (perSender) ReferenceBlock.senderMask(lane, source, taken.count + slots)
            else ReferenceBlock.nextMask(lane, source, taken.count, ReferenceBlock.lane(data, lane))
          )
        io.exhausted.expect(false)
        step()

        val written = first.map(_ -> blocks.last) ++
          (0 until p.ciphers).filter(valid).flatMap(i => results(i).map(_ -> blocks(i)))
        for (((pid, slot, lane), block) <- written) {
          all(pid).masks(slot)(lane) = block
          all(pid).present(slot)(lane) = true
        }
        waits = waits.filterNot(written.map(_._1).toSet)
        if (uses && hasData) {
          taken.free(taken.pointer) = now + p.secure.aesLatency
          for (lane <- 0 until lanes) taken.present(taken.pointer)(lane) = false
          waits ++= (0 until lanes).map(lane => (if (perSender) source else 0, taken.pointer, lane))
        }
        if (uses && (hasData || !perSender)) {
          taken.pointer = (taken.pointer + 1) % slots
          taken.count += 1
        }
        if (clears) {
          all = Seq.fill(members)(new Masks)
          waits = Nil
        }
      }
    }
  }

  // covers: bus.mask-once
  test("a mask in common is taken once, in turn, and made anew of the sender and of its ciphertext") {
    run(BusMasks.Chained)
  }

  // covers: bus.mask-once
  test("a sender's mask is taken once, by its transfers alone, and made anew of their number") {
    run(BusMasks.PerSender)
  }
}
