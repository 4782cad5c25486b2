package hauberk.crypto

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A key table beside a model of it, with any of its events in one cycle. */
class KeyTableSpec extends AnyFunSuite with Simulation {
  private val slots = 3
  private val rounds = 10

  private class Slot(var words: Vector[BigInt], var written: Vector[Boolean], var start: Option[BigInt]) {
    def whole: Boolean = written.forall(identity)
    def key: BigInt = (words(0) << 64) | words(1)
    def clear(): Unit = {
      words = Vector(0, 0)
      written = Vector(false, false)
      start = None
    }
  }

  for (direction <- Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both))
    test(s"writes, zeroizations and reads, any of them in one cycle: $direction") {
      simulate(new KeyTable(slots, 128, readPorts = 2, direction)) { dut =>
        val random = new Random(64)
        val table = Seq.fill(slots)(new Slot(Vector(0, 0), Vector(false, false), None))
        def usable(slot: Slot) = slot.whole && (!direction.decrypts || slot.start.nonEmpty)
        // The slot and the key whose start is being made, and the steps that are done
        var making = Option.empty[(Int, BigInt, Int)]
        for (cycle <- 0 until 6000) {
          if (cycle % 1000 == 500) {
            resetDesign(dut)
            table.foreach(_.clear())
            making = None
          }
          // Now mostly quiet, so that starts get done, now busy
          val rate = if (cycle / 100 % 2 == 0) 20 else 3
          def happens() = random.nextInt(rate) == 0
          val (writes, zeroizes) = (happens(), happens() && happens())
          val (slot, word, data) = (random.nextInt(4), random.nextInt(2), BigInt(64, random))
          val zeroized = random.nextInt(4)
          dut.io.write.valid.poke(writes)
          dut.io.write.bits.slot.poke(slot)
          dut.io.write.bits.word.poke(word)
          dut.io.write.bits.data.poke(data)
          dut.io.zeroize.valid.poke(zeroizes)
          dut.io.zeroize.bits.poke(zeroized)
          for (port <- dut.io.read) {
            val (asked, decrypts) = (random.nextInt(4), random.nextBoolean())
            port.slot.poke(asked)
            port.decrypt.poke(decrypts)
            val found = if (asked < slots) Some(table(asked)).filter(usable) else None
            port.usable.expect(found.nonEmpty)
            val isStart = direction == AesDirection.Decrypt || direction == AesDirection.Both && decrypts
            port.key.expect(found.fold(BigInt(0))(slot => if (isStart) slot.start.get else slot.key))
          }
          for ((port, slot) <- dut.io.usable.zip(table)) port.expect(usable(slot))
          val waiting = table.indices.filter(i => direction.decrypts && table(i).whole && table(i).start.isEmpty)
          dut.io.busy.expect(making.nonEmpty || waiting.nonEmpty)
          step()

          val done = making.filter(_._3 == rounds)
          val next =
            if (making.nonEmpty) making.filter(_._3 < rounds).map { case (slot, key, steps) => (slot, key, steps + 1) }
            else waiting.headOption.map(i => (i, table(i).key, 1))
          for ((slot, key, _) <- done) table(slot).start = Some(KeySchedule.decryptionStart(key, 128))
          val begins = making.isEmpty
          making = next
          for ((held, number) <- table.zipWithIndex) {
            val (written, gone) = (writes && slot == number, zeroizes && zeroized == number)
            if (gone || written && held.whole) {
              held.clear()
              // What is zeroized while a start begins may be its slot
              if (begins || making.exists(_._1 == number) || done.exists(_._1 == number)) making = None
            }
            if (written && !gone) {
              held.words = held.words.updated(word, data)
              held.written = held.written.updated(word, true)
            }
          }
        }
      }
    }
}
