package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity.Verification
import hauberk.memory.tree.HashGuard
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The guard of a hash tree's lines alone, its hasher and the level above played by the test: a hash is wrong in one bit, whichever it is. */
class HashGuardSpec extends AnyFunSuite with Simulation {
  private val params = ProtectionParams.aegisHashTree
  private val random = new Random(64)
  private val data = BigInt(512, random)
  private val (line, misses) = (5, 3)
  private val (current, previous) = (2, 1)
  private val hash = BigInt(64, random).setBit(0)

  /** Fetches a line, and returns the released data and the verdict.
    *
    * @param recorded the line's entry in the level above
    * @param hashes   the hasher's answers, in the order of the keys that the guard tries
    */
  private def fetch(dut: HashGuard, recorded: BigInt, hashes: BigInt*): (BigInt, Boolean) =
    fetchAs(0)(dut, recorded, hashes: _*)

  /** @param miss its number */
  private def fetchAs(miss: Int)(dut: HashGuard, recorded: BigInt, hashes: BigInt*): (BigInt, Boolean) = {
    val cache = dut.io.cache
    cache.opened.valid.poke(true)
    cache.opened.bits.miss.poke(miss)
    cache.opened.bits.line.poke(line)
    step()
    cache.opened.valid.poke(false)
    stepUntil(dut.io.parent.request.valid, 5)
    assert(dut.io.parent.request.bits.tag.peek() == miss)
    assert(dut.io.parent.request.bits.line.peek() == line && !dut.io.parent.request.bits.write.peekBoolean())
    step()
    dut.io.parent.entry.valid.poke(true)
    dut.io.parent.entry.bits.tag.poke(miss)
    dut.io.parent.entry.bits.hash.poke(recorded)
    cache.fetched.valid.poke(true)
    cache.fetched.bits.miss.poke(miss)
    cache.fetched.bits.line.poke(line)
    cache.fetched.bits.data.poke(data)
    step()
    dut.io.parent.entry.valid.poke(false)
    cache.fetched.valid.poke(false)
    var left = hashes
    var released = Option.empty[BigInt]
    for (_ <- 0 until 20) {
      if (cache.released.valid.peekBoolean()) released = Some(cache.released.bits.data.peek())
      if (cache.settled.valid.peekBoolean()) {
        val ok = cache.settled.bits.ok.peekBoolean()
        cache.settled.bits.miss.expect(miss)
        step()
        assert(left.isEmpty, "a verdict without the hash")
        return (released.get, ok)
      }
      val asks = dut.io.job.valid.peekBoolean()
      val tries = left.size < hashes.size
      if (asks) {
        assert(dut.io.job.bits.data.peek() == data && dut.io.job.bits.line.peek() == line)
        assert(dut.io.job.bits.slot.peek() == (if (tries) previous else current))
      }
      // The key must not go before its hash has come
      assert(dut.io.usesPreviousKey.peekBoolean() == (tries && asks))
      step()
      if (asks) {
        dut.io.hash.valid.poke(true)
        dut.io.hash.bits.tag.poke(miss)
        dut.io.hash.bits.hash.poke(left.head)
        assert(dut.io.usesPreviousKey.peekBoolean() == tries)
        left = left.tail
        step()
        dut.io.hash.valid.poke(false)
      }
    }
    fail("no verdict")
  }

  private def guard(verification: Verification, level: Int = 1, mshrs: Int = 1)(body: HashGuard => Unit): Unit = {
    val p = Protection(params.copy(verification = verification), Bank(localBytes = 1 << 16))
    simulate(new HashGuard(p, level, mshrs, lineBits = 7)) { dut =>
      for (valid <- Seq(dut.io.cache.opened.valid, dut.io.cache.fetched.valid, dut.io.cache.seal.valid))
        valid.poke(false)
      dut.io.parent.entry.valid.poke(false)
      dut.io.hash.valid.poke(false)
      dut.io.parent.request.ready.poke(true)
      dut.io.job.ready.poke(true)
      dut.io.imageBlocks.poke(0)
      keys(dut, changing = false)
      body(dut)
    }
  }

  private def keys(dut: HashGuard, changing: Boolean): Unit = {
    dut.io.keys.current.poke(current)
    dut.io.keys.previous.poke(previous)
    dut.io.keys.changing.poke(changing)
  }

  for (verification <- Seq(Verification.Blocking, Verification.ByOwner, Verification.Speculative))
    // covers: memory.hash-compare
    test(s"$verification: every bit of a recorded hash is compared") {
      guard(verification, mshrs = misses) { dut =>
        for (miss <- 0 until misses) withClue(s"miss $miss, ") {
          assert(fetchAs(miss)(dut, hash, hash) == ((data, true)))
          for (bit <- 0 until 64) assert(fetchAs(miss)(dut, hash.flipBit(bit), hash) == ((data, false)), s"bit $bit")
          assert(fetchAs(miss)(dut, hash, hash) == ((data, true)))
        }
      }
    }

  test("only the entry 0 means that a line was never written back") {
    guard(Verification.Blocking, mshrs = misses) { dut =>
      for (miss <- 0 until misses) withClue(s"miss $miss: ") {
        // Without a hash, or beside one that comes too late
        assert(fetchAs(miss)(dut, 0) == ((BigInt(0), true)))
        for (bit <- 0 until 64) {
          val only = BigInt(1) << bit
          assert(fetchAs(miss)(dut, only, hash) == ((data, false)), s"an entry of which only bit $bit is set")
        }
      }
    }
  }

  // covers: memory.hash-compare
  test("while keys change, every bit is compared under both") {
    guard(Verification.Blocking, mshrs = misses) { dut =>
      keys(dut, changing = true)
      val other = BigInt(64, random).setBit(1)
      for (miss <- 0 until misses) withClue(s"miss $miss, ") {
        def fetch(recorded: BigInt, hashes: BigInt*) = fetchAs(miss)(dut, recorded, hashes: _*)
        assert(fetch(hash, hash) == ((data, true)))
        for (bit <- 0 until 64) {
          assert(fetch(hash, hash.flipBit(bit), hash) == ((data, true)), s"bit $bit, under the current key")
          assert(fetch(hash, other, hash.flipBit(bit)) == ((data, false)), s"bit $bit, under the previous key")
        }
      }
    }
  }

  // covers: memory.image-tags
  test("a tag line that was never written back holds the tags of the image, and zeros for all other blocks") {
    guard(Verification.Blocking, level = 0) { dut =>
      for (imageBlocks <- Seq(0, 8 * line) ++ (1 to 8).map(8 * line + _) :+ 900) {
        dut.io.imageBlocks.poke(imageBlocks)
        val tags = math.min(8, math.max(0, imageBlocks - 8 * line))
        assert(fetch(dut, 0) == ((data & ((BigInt(1) << (64 * tags)) - 1), true)), s"an image of $imageBlocks blocks")
      }
    }
  }

  // covers: memory.rekey
  test("a line that leaves has its hash under the current key, and leaves when its parent has that") {
    guard(Verification.Blocking) { dut =>
      for (changing <- Seq(false, true)) {
        keys(dut, changing)
        dut.io.parent.request.ready.poke(false)
        val seal = dut.io.cache.seal
        seal.valid.poke(true)
        seal.bits.line.poke(line)
        seal.bits.data.poke(data)
        assert(seal.ready.peekBoolean())
        step()
        seal.valid.poke(false)
        assert(dut.io.job.valid.peekBoolean() && dut.io.job.bits.slot.peek() == current)
        assert(dut.io.job.bits.data.peek() == data && dut.io.job.bits.line.peek() == line)
        val tag = dut.io.job.bits.tag.peek()
        step()
        for (_ <- 0 until 5) {
          assert(!dut.io.cache.sealedLine.valid.peekBoolean() && !dut.io.parent.request.valid.peekBoolean())
          step()
        }
        dut.io.hash.valid.poke(true)
        dut.io.hash.bits.tag.poke(tag)
        dut.io.hash.bits.hash.poke(hash)
        step()
        dut.io.hash.valid.poke(false)
        for (_ <- 0 until 5) {
          assert(dut.io.parent.request.valid.peekBoolean() && dut.io.parent.request.bits.write.peekBoolean())
          assert(dut.io.parent.request.bits.hash.peek() == hash && dut.io.parent.request.bits.line.peek() == line)
          assert(!dut.io.cache.sealedLine.valid.peekBoolean(), "it leaves before its parent has its hash")
          step()
        }
        dut.io.parent.request.ready.poke(true)
        assert(dut.io.cache.sealedLine.valid.peekBoolean() && dut.io.cache.sealedLine.bits.peek() == data)
        step()
        assert(!dut.io.cache.sealedLine.valid.peekBoolean() && !dut.io.parent.request.valid.peekBoolean())
      }
    }
  }
}
