package hauberk.memory

import hauberk.memory.cache.WritebackUnit
import hauberk.memory.common.Bank
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Lines on their way back to memory alone: each is sealed, sent whole, and held until memory has it. */
class WritebackUnitSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.blockMac, Bank(localBytes = 1 << 22))
  private val (arrayBase, lineBits, firstId) = (BigInt(1 << 21), 13, 5)

  /** A line that is held. */
  private class Line(val number: Int, val place: Int) {
    var data, asWritten = Option.empty[BigInt]
    var isTaken, isAcknowledged = false
    var beats = 0
    def isSent: Boolean = beats == 8
  }

  // covers: memory.flush
  test("each line is sealed, sent as one burst in turn, and held until its last beat and its acknowledgement") {
    simulate(new WritebackUnit(p, arrayBase, lineBits, firstId)) { dut =>
      val random = new Random(109)
      // Lines that differ in one bit
      val base = random.nextInt(1 << lineBits)
      val numbers = base +: (0 until lineBits).map(bit => base ^ 1 << bit)
      def any = numbers(if (random.nextBoolean()) 0 else random.nextInt(numbers.size))
      val held = mutable.Buffer.empty[Line]
      var arriving = Option.empty[Line]
      var next = 0
      var (early, same, full) = (0, 0, 0)
      for (cycle <- 0 until 8000) {
        // Also amid everything
        if (cycle % 500 == 499) {
          for (valid <- Seq(dut.io.start.valid, dut.io.sealedLine.valid, dut.io.acknowledged.valid)) valid.poke(false)
          resetDesign(dut)
          held.clear()
          arriving = None
          next = 0
        }
        val starts = held.size < 2 && random.nextInt(3) == 0
        val number = any
        dut.io.ready.expect(!held.exists(_.place == next))
        val enters = starts && !held.exists(_.place == next)
        dut.io.start.valid.poke(enters)
        dut.io.start.bits.poke(number)
        val data = BigInt(512, random)
        dut.io.data.poke(data)

        // Each line but for a bit
        val asked = any ^ (if (random.nextBoolean()) 0 else 1 << random.nextInt(lineBits))
        dut.io.line.poke(asked)
        dut.io.holds.expect(held.exists(_.number == asked))
        dut.io.busy.expect(held.nonEmpty)

        // The guard
        val toSeal = held.find(_.asWritten.isEmpty)
        val offered = toSeal.filter(line => line.data.nonEmpty && !line.isTaken)
        val takes = random.nextBoolean()
        dut.io.seal.ready.poke(takes)
        dut.io.seal.valid.expect(offered.nonEmpty)
        for (line <- offered) {
          dut.io.seal.bits.line.expect(line.number)
          dut.io.seal.bits.data.expect(line.data.get)
        }
        val seals =
          toSeal.filter(line => line.isTaken || (offered.nonEmpty && takes)).filter(_ => random.nextInt(3) == 0)
        val asWritten = BigInt(512, random)
        dut.io.sealedLine.valid.poke(seals.nonEmpty)
        dut.io.sealedLine.bits.poke(asWritten)

        // Memory
        val sends = held.find(!_.isSent).filter(_.asWritten.nonEmpty)
          .filter(line => !held.exists(other => other.isSent && other.number == line.number))
        val beatTaken = random.nextInt(3) != 0
        val request = dut.io.request
        request.ready.poke(beatTaken)
        request.valid.expect(sends.nonEmpty)
        dut.io.inBurst.expect(held.exists(line => line.beats > 0 && line.beats < 8))
        for (line <- sends) {
          request.bits.write.expect(true)
          request.bits.partial.expect(false)
          request.bits.corrupt.expect(false)
          request.bits.address.expect(arrayBase + 64 * line.number)
          request.bits.size.expect(6)
          request.bits.id.expect(firstId + line.place)
          request.bits.mask.expect(255)
          request.bits.data.expect((line.asWritten.get >> (64 * line.beats)) & ((BigInt(1) << 64) - 1))
        }
        val begun = held.filter(line => line.beats > 0 && !line.isAcknowledged)
        val answers = if (begun.nonEmpty && random.nextInt(8) == 0) Some(begun(random.nextInt(begun.size))) else None
        dut.io.acknowledged.valid.poke(answers.nonEmpty)
        dut.io.acknowledged.bits.poke(answers.fold(random.nextInt(2))(_.place))
        for (line <- answers if !line.isSent) early += 1

        val sent = sends.filter(_ => beatTaken)
        sent.foreach(_.beats += 1)
        answers.foreach(_.isAcknowledged = true)
        val finished = held.filter(line => line.isSent && line.isAcknowledged)
        dut.io.finished.expect(finished.nonEmpty)
        if (held.size == 2) full += 1
        if (held.size == 2 && held.head.number == held.last.number) same += 1
        step()
        arriving.foreach(line => line.data = Some(data))
        arriving = None
        if (offered.nonEmpty && takes) offered.get.isTaken = true
        seals.foreach(line => line.asWritten = Some(asWritten))
        held --= finished
        if (enters) {
          val line = new Line(number, next)
          held += line
          arriving = Some(line)
          next = 1 - next
        }
      }
      assert(early > 50 && same > 50 && full > 50, s"$early early, $same same, $full full")
    }
  }
}
