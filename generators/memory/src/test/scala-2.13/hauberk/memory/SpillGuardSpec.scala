package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.counter.SpillGuard
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The guard of spilled sequence numbers alone: XTS of each line, with a cipher that the test plays. */
class SpillGuardSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.yangSncLru, Bank(localBytes = 1 << 20, engine = 3))
  private val (mshrs, lineBits) = (3, 7)
  private val mask = (BigInt(1) << 128) - 1
  private val odd = BigInt("9e3779b97f4a7c15f39cc0605cedc835", 16)
  private val inverse = odd.modInverse(mask + 1)
  private val random = new Random(158)
  private val tweakKey = BigInt(128, random)

  /** A permutation of 128 bits and its inverse, in the place of the cipher; the byte order of FIPS-197. */
  private def encrypt(x: BigInt) = (x * odd + 77) & mask
  private def decrypt(x: BigInt) = ((x - 77 + mask + 1) * inverse) & mask
  private def encryptTweak(x: BigInt) = (x * odd + tweakKey) & mask
  private def reversed(x: BigInt) = (0 until 16).map(i => ((x >> (8 * i)) & 255) << (8 * (15 - i))).sum

  /** The line as memory has it (IEEE 1619): data unit 2^48 + engine * 2^40 + line, the byte with the lowest address in the lowest bits. */
  private def spilled(line: Int, data: BigInt, cipher: BigInt => BigInt = encrypt): BigInt = {
    var tweak = reversed(encryptTweak(reversed((BigInt(1) << 48) + (BigInt(3) << 40) + line)))
    (0 until 4).map { i =>
      val block = (data >> (128 * i)) & mask
      val result = reversed(cipher(reversed(block ^ tweak))) ^ tweak
      tweak = ((tweak << 1) & mask) ^ (if (tweak.testBit(127)) 0x87 else 0)
      result << (128 * i)
    }.sum
  }

  private case class Miss(line: Int, plain: BigInt, inMemory: BigInt) {
    var isFetched = false
    var waits = 0
  }

  // covers: memory.reference, memory.no-pad-twice
  for (inOrder <- Seq(true, false))
    test(
      s"fetched lines are decrypted and spilled ones encrypted, each under its own number; fetches come ${if (inOrder)
          "in order"
        else "in any order"}"
    ) {
      simulate(new SpillGuard(p, mshrs, lineBits)) { dut =>
        val cache = dut.io.cache
        for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid)) valid.poke(false)
        dut.io.cipher.answer.valid.poke(false)
        resetDesign(dut)
        val misses = Array.fill(mshrs)(Option.empty[Miss])
        var leaving = Option.empty[(Int, BigInt)]
        val inCipher = mutable.Queue.empty[(Int, BigInt, BigInt)]
        var (released, zeros, sealedLines, idle, ones) = (0, 0, 0, 0, 0)
        for (cycle <- 0 until 9000) {
          // Also amid everything
          if (cycle % 700 == 699) {
            for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid)) valid.poke(false)
            dut.io.cipher.answer.valid.poke(false)
            resetDesign(dut)
            misses.indices.foreach(misses(_) = None)
            leaving = None
            inCipher.clear()
          }
          // Stages of much traffic, and of little
          val rate = if (cycle / 500 % 2 == 0) 3 else 30
          val free = misses.indexWhere(_.isEmpty)
          val opens = free >= 0 && random.nextInt(rate) == 0
          val line = random.nextInt(1 << lineBits)
          cache.opened.valid.poke(opens)
          cache.opened.bits.miss.poke(if (opens) free else random.nextInt(mshrs))
          cache.opened.bits.line.poke(line)
          val due = misses.indices.filter(i => misses(i).exists(!_.isFetched))
          val arrives = due.nonEmpty && random.nextInt(3) == 0
          val miss = if (arrives) due(if (inOrder) 0 else random.nextInt(due.size)) else 0
          cache.fetched.valid.poke(arrives)
          cache.fetched.ready.expect(true)
          cache.fetched.bits.miss.poke(if (arrives) miss else random.nextInt(mshrs))
          cache.fetched.bits.line.poke(if (arrives) misses(miss).get.line else line)
          cache.fetched.bits.data.poke(if (arrives) misses(miss).get.inMemory else BigInt(512, random))
          val leaves = random.nextInt(rate) == 0
          val (out, data) = (random.nextInt(1 << lineBits), BigInt(512, random))
          cache.seal.valid.poke(leaves)
          cache.seal.bits.line.poke(out)
          cache.seal.bits.data.poke(data)
          val isIdle = leaving.isEmpty
          cache.seal.ready.expect(isIdle)

          val answer = if (inCipher.nonEmpty && inCipher.head._1 <= cycle) Some(inCipher.dequeue()) else None
          dut.io.cipher.answer.valid.poke(answer.nonEmpty)
          val (_, tag, result) = answer.getOrElse((0, BigInt(p.cipherTagBits, random), BigInt(128, random)))
          dut.io.cipher.answer.bits.tag.poke(tag)
          dut.io.cipher.answer.bits.block.poke(result)
          val takes = random.nextInt(4) != 0
          val request = dut.io.cipher.request
          request.ready.poke(takes)
          if (request.valid.peekBoolean()) {
            request.bits.slot.expect(1)
            val (block, tweak, opens) =
              (request.bits.block.peek(), request.bits.tweak.peekBoolean(), request.bits.decrypt.peekBoolean())
            val result = if (tweak) encryptTweak(block) else if (opens) decrypt(block) else encrypt(block)
            if (takes) inCipher += ((cycle + p.cipher.latency, request.bits.tag.peek(), result))
          }

          val goes = cache.released.valid.peekBoolean()
          cache.settled.valid.expect(goes)
          val place = if (goes) cache.released.bits.miss.peek().toInt else -1
          if (goes) {
            assert(misses(place).exists(_.isFetched), s"miss $place is released before it is there")
            cache.released.bits.data.expect(misses(place).get.plain)
            cache.settled.bits.miss.expect(place)
            cache.settled.bits.ok.expect(true)
            released += 1
            if (misses(place).get.plain == 0) zeros += 1
          }
          val isSealed = cache.sealedLine.valid.peekBoolean()
          if (isSealed) {
            cache.sealedLine.bits.expect(spilled(leaving.get._1, leaving.get._2))
            sealedLines += 1
          }
          val works = leaving.nonEmpty || misses.exists(_.exists(_.isFetched))
          if (works && !goes && !isSealed && inCipher.isEmpty && !request.valid.peekBoolean()) dut.io.busy.expect(true)
          if (misses.forall(_.isEmpty) && leaving.isEmpty) {
            dut.io.busy.expect(false)
            idle += 1
          }
          step()
          for (miss <- misses.flatten if miss.isFetched) {
            miss.waits += 1
            assert(miss.waits < 300, "a line is never released")
          }
          if (arrives) misses(miss).get.isFetched = true
          if (goes) misses(place) = None
          if (opens) {
            val plain = if (random.nextInt(4) == 0) BigInt(0) else BigInt(512, random)
            // Lines of one bit are not lines of zeros
            val one = BigInt(1) << (2 * ones + (if (inOrder) 1 else 0)) % 512
            misses(free) = Some(
              if (random.nextInt(3) != 0) {
                ones += 1
                Miss(line, spilled(line, one, decrypt), one)
              } else Miss(line, plain, if (plain == 0) 0 else spilled(line, plain))
            )
          }
          if (isSealed) leaving = None
          if (leaves && isIdle) leaving = Some((out, data))
        }
        assert(
          released > 100 && zeros > 20 && sealedLines > 30 && idle > 20 && ones >= 256,
          s"$released, $zeros, $sealedLines, $idle, $ones"
        )
      }
    }
}
