package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity.Verification
import hauberk.memory.tree.HashGuard
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The guard of a hash tree's lines alone, with several lines that come and one that leaves at a time: each has its own verdict. */
class HashGuardMissesSpec extends AnyFunSuite with Simulation {
  private val (mshrs, current, previous) = (3, 2, 1)
  private val p =
    (of: Verification) => Protection(ProtectionParams.aegisHashTree.copy(verification = of), Bank(localBytes = 1 << 16))

  /** A hash that depends on all that is hashed. */
  private def hashOf(line: Int, data: BigInt, slot: Int): BigInt =
    ((data ^ (data >> 64) ^ (data >> 200)) * (2 * line + 1) * BigInt(
      "9e3779b97f4a7c15",
      16
    ) + slot).mod(BigInt(1) << 63) + 1

  /** A line that comes. */
  private class Miss(val line: Int, val data: BigInt, val recorded: BigInt) {
    var isAsked, isHere, wantsHash, isHashing, isTried, isReleased = false
    var parent, hash = Option.empty[BigInt]
    def isBlank: Boolean = parent.contains(BigInt(0))
    def isWrong: Boolean = isHere && !isBlank && parent.nonEmpty && hash.nonEmpty && parent != hash
    def isHashWanted: Boolean = wantsHash && !isBlank
    def isDecided(changing: Boolean): Boolean =
      isHere && parent.nonEmpty && !(isWrong && changing && !isTried) && (hash.nonEmpty || (isBlank && !isHashing))
  }

  // covers: memory.hash-tree, memory.hash-compare, memory.rekey
  for (verification <- Seq(Verification.Blocking, Verification.Speculative))
    test(s"$verification: each line has its own entry, hash and verdict, under one key and under two") {
      simulate(new HashGuard(p(verification), level = 1, mshrs, lineBits = 5)) { dut =>
        for (changing <- Seq(false, true)) run(dut, verification, changing)
      }
    }

  private def run(dut: HashGuard, verification: Verification, changing: Boolean): Unit = {
    val random = new Random(5)
    def reset(): Unit = {
      val cache = dut.io.cache
      for (valid <- Seq(cache.opened.valid, cache.fetched.valid, cache.seal.valid)) valid.poke(false)
      for (valid <- Seq(dut.io.parent.entry.valid, dut.io.hash.valid)) valid.poke(false)
      resetDesign(dut)
    }
    reset()
    val cache = dut.io.cache
    val misses = Array.fill(mshrs)(Option.empty[Miss])
    def all = misses.toSeq.flatten
    var leaving = Option.empty[(Int, BigInt)]
    var stage = 0 // of the line that leaves: 1 to be hashed, 2 being hashed, 3 to its parent
    val hashing, reading = mutable.Queue[(Int, Int, BigInt)]() // due, tag or miss, result
    val verdicts = mutable.Map.empty[(Boolean, Boolean), Int].withDefaultValue(0)
    var sealedLines = 0
    dut.io.keys.current.poke(current)
    dut.io.keys.previous.poke(previous)
    dut.io.keys.changing.poke(changing)
    for (cycle <- 0 until 3000) {
      // Also amid everything
      if (cycle % 200 == 199) {
        reset()
        misses.indices.foreach(misses(_) = None)
        leaving = None
        stage = 0
        hashing.clear()
        reading.clear()
      }
      // The cache
      val free = misses.indexWhere(_.isEmpty)
      val opens = free >= 0 && random.nextInt(4) == 0
      cache.opened.valid.poke(opens)
      val lines = (0 until 32).filterNot(line => all.exists(_.line == line) || leaving.exists(_._1 == line))
      val line = lines(random.nextInt(lines.size))
      val data = BigInt(512, random)
      cache.opened.bits.miss.poke(if (opens) free else random.nextInt(mshrs))
      cache.opened.bits.line.poke(line)
      val due = misses.indexWhere(_.exists(!_.isHere))
      val arrives = due >= 0 && random.nextInt(4) == 0
      cache.fetched.valid.poke(arrives)
      cache.fetched.ready.expect(true)
      cache.fetched.bits.miss.poke(if (arrives) due else random.nextInt(mshrs))
      cache.fetched.bits.line.poke(if (arrives) misses(due).get.line else line)
      cache.fetched.bits.data.poke(if (arrives) misses(due).get.data else data)
      val other = lines.filter(_ != line)(random.nextInt(lines.size - 1))
      val leaves = random.nextInt(6) == 0
      cache.seal.valid.poke(leaves)
      cache.seal.bits.line.poke(other)
      cache.seal.bits.data.poke(data)
      cache.seal.ready.expect(leaving.isEmpty)
      val enters = leaves && leaving.isEmpty

      // The level above
      val request = dut.io.parent.request
      val takes = random.nextInt(3) != 0
      request.ready.poke(takes)
      request.valid.expect(stage == 3 || all.exists(!_.isAsked))
      cache.sealedLine.valid.expect(stage == 3 && takes)
      if (stage == 3) {
        val (line, data) = leaving.get
        request.bits.write.expect(true)
        request.bits.line.expect(line)
        request.bits.hash.expect(hashOf(line, data, current))
        cache.sealedLine.bits.expect(data)
      } else if (all.exists(!_.isAsked)) request.bits.write.expect(false)
      val asked =
        if (stage != 3 && takes && request.valid.peekBoolean()) Some(request.bits.tag.peek().toInt) else None
      for (miss <- asked) {
        assert(misses(miss).exists(!_.isAsked), s"miss $miss asks twice")
        request.bits.line.expect(misses(miss).get.line)
      }
      val entry = if (reading.nonEmpty && reading.head._1 <= cycle) Some(reading.dequeue()) else None
      dut.io.parent.entry.valid.poke(entry.nonEmpty)
      val (_, entryTag, entryHash) = entry.getOrElse((0, random.nextInt(mshrs), BigInt(64, random)))
      dut.io.parent.entry.bits.tag.poke(entryTag)
      dut.io.parent.entry.bits.hash.poke(entryHash)

      // The hasher
      val job = dut.io.job
      val hashes = random.nextInt(3) != 0
      job.ready.poke(hashes)
      job.valid.expect(stage == 1 || all.exists(_.isHashWanted))
      var started = Option.empty[Miss]
      if (job.valid.peekBoolean()) {
        job.bits.level.expect(1)
        val tag = job.bits.tag.peek().toInt
        val (line, data, slot) = if (stage == 1) (leaving.get._1, leaving.get._2, current)
        else {
          val miss = misses(tag).get
          assert(miss.isHashWanted, s"miss $tag is hashed for nothing")
          started = Some(miss)
          (miss.line, miss.data, if (miss.isTried) previous else current)
        }
        job.bits.line.expect(line)
        job.bits.data.expect(data)
        job.bits.slot.expect(slot)
        if (hashes) hashing += ((cycle + 1 + random.nextInt(6), tag, hashOf(line, data, slot)))
      }
      val made = if (hashing.nonEmpty && hashing.head._1 <= cycle) Some(hashing.dequeue()) else None
      dut.io.hash.valid.poke(made.nonEmpty)
      val (_, hashTag, hash) = made.getOrElse((0, random.nextInt(8), BigInt(64, random)))
      dut.io.hash.bits.tag.poke(hashTag)
      dut.io.hash.bits.hash.poke(hash)

      // Releases and verdicts
      val mayGo = all.filter(miss =>
        !miss.isReleased && (if (verification == Verification.Blocking) miss.isDecided(changing)
                             else miss.isHere && miss.parent.nonEmpty)
      )
      cache.released.valid.expect(mayGo.nonEmpty)
      val goes = if (mayGo.isEmpty) None else misses(cache.released.bits.miss.peek().toInt)
      for (miss <- goes) {
        assert(mayGo.contains(miss), "a line is released early, or twice")
        cache.released.bits.data.expect(if (miss.isBlank) BigInt(0) else miss.data)
      }
      val maySettle = all.filter(miss => miss.isDecided(changing) && (miss.isReleased || goes.contains(miss)))
      cache.settled.valid.expect(maySettle.nonEmpty)
      val place = if (maySettle.isEmpty) -1 else cache.settled.bits.miss.peek().toInt
      for (miss <- misses.lift(place).flatten) {
        assert(maySettle.contains(miss), "a verdict comes early, or twice")
        val genuine = hashOf(miss.line, miss.data, current) +: (if (changing)
                                                                  Seq(hashOf(miss.line, miss.data, previous))
                                                                else Nil)
        cache.settled.bits.ok.expect(miss.isBlank || genuine.contains(miss.recorded))
        verdicts((miss.isBlank, cache.settled.bits.ok.peekBoolean())) += 1
      }
      dut.io.usesPreviousKey.expect(all.exists(miss => miss.isHere && miss.isTried && miss.hash.isEmpty))
      dut.io.busy.expect(leaving.nonEmpty || all.exists(miss => !miss.isAsked || miss.isHere))
      step()

      val wrong = all.filter(miss => miss.isWrong && changing && !miss.isTried)
      goes.foreach(_.isReleased = true)
      for (miss <- asked) {
        misses(miss).get.isAsked = true
        reading += ((cycle + 1 + random.nextInt(8), miss, misses(miss).get.recorded))
      }
      for (miss <- started if hashes) {
        miss.wantsHash = false
        miss.isHashing = true
      }
      if (stage == 1 && hashes) stage = 2
      else if (stage == 3 && takes) {
        stage = 0
        leaving = None
        sealedLines += 1
      }
      for ((_, tag, hash) <- made) {
        if (tag >= 4) stage = 3
        else {
          misses(tag).get.hash = Some(hash)
          misses(tag).get.isHashing = false
        }
      }
      for ((_, tag, recorded) <- entry) misses(tag).get.parent = Some(recorded)
      for (miss <- wrong) {
        miss.isTried = true
        miss.wantsHash = true
        miss.hash = None
      }
      if (arrives) {
        misses(due).get.isHere = true
        misses(due).get.wantsHash = true
      }
      if (place >= 0) misses(place) = None
      if (opens) {
        val genuine = hashOf(line, data, if (random.nextBoolean()) current else previous)
        val recorded = random.nextInt(4) match {
          case 0 => BigInt(0)
          case 1 => genuine.flipBit(random.nextInt(63))
          case _ => genuine
        }
        misses(free) = Some(new Miss(line, data, recorded))
      }
      if (enters) {
        leaving = Some((other, data))
        stage = 1
      }
    }
    assert(sealedLines > 50 && verdicts.size == 3 && verdicts.values.forall(_ > 50), s"$sealedLines, $verdicts")
  }
}
