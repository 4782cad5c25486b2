package hauberk.bus

import chisel3.util.Valid
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The chains of each MAC alone, beside models of them: what the cipher says may come in any order. */
class MacChainsSpec extends AnyFunSuite with Simulation {
  private def oneIn(n: Int)(implicit random: Random): Boolean = random.nextInt(n) == 0

  // covers: bus.mac
  test("a CBC-MAC has a chain for each slot and lane, and its slots wait for their headers' blocks") {
    val p = SmallBus(3, 256, SmallBus.secure.copy(masks = 3))
    val (slots, lanes, ciphers) = (3, 2, 2)
    simulate(new CbcChains(p)) { dut =>
      implicit val random: Random = new Random(21)
      val io = dut.io
      assert(io.results.size == ciphers)
      val chains = Array.fill(slots, lanes + 1)(BigInt(0))
      val free = Array.fill(slots)(0)
      val pending = Array.fill(slots)(false)
      var pointer = 0
      val firsts = mutable.Queue[(Int, Int)]()
      def say(port: Valid[TransferResult], what: Option[(Int, Int)], block: BigInt, boundary: Boolean): Unit = {
        // A mask, or the mere end of a transfer, changes no chain, whatever its numbers are
        val isChain = what.nonEmpty
        val (slot, lane) = what.getOrElse((random.nextInt(slots), random.nextInt(lanes + 1)))
        port.bits.isChain.poke(isChain)
        port.bits.isMask.poke(!isChain)
        port.bits.slot.poke(slot)
        port.bits.lane.poke(lane)
        port.bits.block.poke(block)
        port.bits.boundary.poke(boundary)
      }
      def end(): Unit = {
        for (slot <- 0 until slots) {
          for (lane <- 0 to lanes) chains(slot)(lane) = 0
          free(slot) = 0
          pending(slot) = false
        }
        pointer = 0
        firsts.clear()
        firsts ++= random.shuffle(for {
          slot <- 0 until slots
          lane <- 0 to lanes
        } yield (slot, lane))
      }
      end()
      io.clear.poke(true)
      step()
      for (now <- 0 until 2500) {
        val clears = oneIn(150)
        val ready = now >= free(pointer) && !pending(pointer)
        val uses = ready && oneIn(2)
        val first = if (oneIn(2)) firsts.headOption else None
        // Of one transfer come no two blocks of a chain in a cycle, and none while it begins
        val free2 = random.shuffle(for {
          slot <- 0 until slots
          lane <- 0 to lanes
        } yield (slot, lane))
          .filterNot { case at @ (slot, lane) => firsts.contains(at) || uses && slot == pointer && lane == lanes }
        val said = free2.padTo(ciphers, (0, 0)).take(free2.size.min(ciphers)).map(Option(_)).padTo(ciphers, None)
          .map(_.filter(_ => !oneIn(3)))
        val (valid, boundary) = (Seq.fill(ciphers)(oneIn(2)), Seq.fill(ciphers)(oneIn(4)))
        val blocks = Seq.fill(ciphers + 1)(BigInt(128, random))
        val (data, header) = (BigInt(256, random), BigInt(128, random))
        io.clear.poke(clears)
        io.use.poke(uses)
        io.hasData.poke(oneIn(2))
        io.data.poke(data)
        io.header.poke(header)
        io.boundary.poke(oneIn(2))
        // A first mask is no chain, nor is one that is not there
        io.first.valid.poke(first.nonEmpty || now % 2 == 0)
        say(io.first, first.orElse(if (now % 2 == 0) None else Some((now % slots, now % 2))), blocks.last, false)
        for (i <- 0 until ciphers) {
          io.results(i).valid.poke(valid(i))
          say(io.results(i), said(i), blocks(i), boundary(i))
        }

        io.ready.expect(ready)
        io.slot.expect(pointer)
        for (lane <- 0 to lanes)
          io.inputs(lane).expect(
            chains(pointer)(lane) ^ (if (lane == lanes) header else ReferenceBlock.lane(data, lane))
          )
        val answers = (0 until ciphers).filter(valid).flatMap(i => said(i).map(_ -> blocks(i)))
        val writes = answers ++ first.map(_ -> blocks.last)
        val after = chains.map(_.clone)
        for (((slot, lane), block) <- writes) after(slot)(lane) = block
        val sums = (0 until ciphers).exists(i => valid(i) && boundary(i))
        io.summary.valid.expect(sums)
        io.summary.bits.expect(if (sums) after.flatten.reduce(_ ^ _) else BigInt(0))
        step()

        for (slot <- 0 until slots) after(slot).copyToArray(chains(slot))
        if (first.nonEmpty) firsts.dequeue()
        for (((slot, lane), _) <- answers if lane == lanes) pending(slot) = false
        if (uses) {
          pending(pointer) = true
          free(pointer) = now + p.secure.aesLatency
          pointer = (pointer + 1) % slots
        }
        if (clears) end()
      }
    }
  }

  // covers: bus.mac
  test("GHASH takes the lanes of a transfer, or zeros, then its header, and answers a boundary behind them") {
    val p = SmallBus(3, 256, SmallBus.secure.copy(mac = BusMac.Ghash))
    val lanes = 2
    simulate(new GhashChain(p)) { dut =>
      implicit val random: Random = new Random(22)
      val io = dut.io
      val hashKey = BigInt(128, random)
      io.hashKey.poke(hashKey)
      var (sum, left, asked) = (BigInt(0), 0, false)
      for (now <- 0 until 2000) {
        if (now == 1000) {
          resetDesign(dut)
          sum = 0
          left = 0
          asked = false
        }
        val clears = oneIn(60)
        val uses = left == 0 && oneIn(2)
        val (boundary, hasData) = (oneIn(6), oneIn(2))
        val (data, header) = (BigInt(256, random), BigInt(128, random))
        io.clear.poke(clears)
        io.use.poke(uses)
        io.hasData.poke(hasData)
        io.data.poke(data)
        io.header.poke(header)
        io.boundary.poke(boundary)

        io.ready.expect(left == 0)
        val sums = asked && left == 0
        io.summary.valid.expect(sums)
        io.summary.bits.expect(if (sums) sum else BigInt(0))
        step()

        if (left > 0) left -= 1
        asked = boundary || asked && !sums
        if (uses) {
          val blocks = Seq.tabulate(lanes)(lane => if (hasData) ReferenceBlock.lane(data, lane) else BigInt(0))
          sum = ReferenceField.hash(hashKey, blocks :+ header, sum)
          left = lanes + 1
        }
        if (clears) {
          sum = 0
          left = 0
          asked = false
        }
      }
    }
  }
}
