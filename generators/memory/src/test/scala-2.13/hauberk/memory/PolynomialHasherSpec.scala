package hauberk.memory

import hauberk.memory.cipher.PolynomialHasher
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The hasher of words alone, beside Horner's rule. */
class PolynomialHasherSpec extends AnyFunSuite with Simulation {
  private val arithmetic = new TagArithmetic(Nil, 0)
  private val (keys, words) = (2, 2)

  // covers: memory.tag-compare
  test("each key has the hash of the words since a message began, and a pause changes nothing") {
    simulate(new PolynomialHasher(keys, words)) { dut =>
      val random = new Random(42)
      val state = Array.fill(keys)(Option.empty[BigInt])
      for (cycle <- 0 until 500) {
        val begins = cycle == 0 || random.nextInt(6) == 0
        val steps = cycle == 0 || random.nextInt(3) != 0
        val message = Seq.fill(words)(BigInt(64, random))
        val (hashKeys, starts) = (Seq.fill(keys)(BigInt(64, random)), Seq.fill(keys)(BigInt(64, random)))
        dut.io.step.poke(steps)
        dut.io.begins.poke(begins)
        dut.io.words.zip(message).foreach { case (port, word) => port.poke(word) }
        dut.io.keys.zip(hashKeys).foreach { case (port, key) => port.poke(key) }
        dut.io.start.zip(starts).foreach { case (port, start) => port.poke(start) }
        for (i <- 0 until keys) {
          state(i).foreach(dut.io.held(i).expect(_))
          val from = if (begins) starts(i) else state(i).get
          val hash = message.foldLeft(from)((sum, word) => arithmetic.multiply(sum ^ word, hashKeys(i)))
          dut.io.hashes(i).expect(hash)
          if (steps) state(i) = Some(hash)
        }
        step()
      }
    }
  }
}
