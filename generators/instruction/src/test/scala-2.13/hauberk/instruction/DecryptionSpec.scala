package hauberk.instruction

import hauberk.crypto.JdkAes
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Both modes give the processor what the vendor encrypted, and everything else as it is, in the cycles they promise. */
class DecryptionSpec extends AnyFunSuite with FetchBench {
  private val shapes = Seq(
    "counter mode" -> EmuParams(),
    "counter mode, several fetches, beats of a block, a slower cipher" ->
      EmuParams(ids = 4, beatBytes = 16, extraLatency = 3, pages = 5, keySlots = 3),
    "direct" -> EmuParams(DecryptionMode.Direct()),
    "direct, two ciphers, beats of a block" -> EmuParams(DecryptionMode.Direct(cores = 2), beatBytes = 16, ids = 2),
    "direct, one cipher, a slower one" -> EmuParams(DecryptionMode.Direct(cores = 1), extraLatency = 2)
  )
  private val both = Seq(DecryptionMode.Counter, DecryptionMode.Direct(cores = 2))

  // covers: instruction.decryption
  for ((name, p) <- shapes) test(s"$name: pages of several keys and in plaintext, every size of fetch, with gaps") {
    decrypts(p, Seq(p.mode))
  }
  for (chain <- Seq(both, both.reverse))
    // covers: instruction.decryption
    test(s"a chain of modifiers, ${chain.map(_.name).mkString(" before ")}: the same") {
      decrypts(EmuParams(ids = 2), chain)
    }

  /** What comes of a chain of modifiers, from the processor's side to memory's, for what was encrypted by one after the other. */
  private def decrypts(p: EmuParams, chain: Seq[DecryptionMode]): Unit = {
    withEmu(p, chain) { bench =>
      val random = new Random(405)
      val keys = Seq.fill(p.keySlots - 1)(JdkAes.random(random, 128))
      for ((key, i) <- keys.zipWithIndex) bench.loadKey(i + 1, key)
      val plain = (0 until p.pages + 2).map(i => BigInt(0x80000 + 7 * i) -> randomPage(random)).toMap
      for (((page, content), i) <- plain.toSeq.sortBy(_._1).zipWithIndex) {
        if (i < p.pages) {
          val slot = 1 + i % (p.keySlots - 1)
          val ancillary = JdkAes.random(random, 128)
          bench.pages(page) =
            chain.foldLeft(content)((data, mode) => ReferenceSeal.page(mode, keys(slot - 1), ancillary, data))
          bench.mapped(i, page, slot, ancillary)
        } else bench.pages(page) = content
      }
      for (_ <- 0 until 150) {
        val page = plain.keys.toSeq.sorted.apply(random.nextInt(plain.size))
        val lgSize = 2 + random.nextInt(5)
        val address = (page << 12) + ((random.nextInt(4096) >> lgSize) << lgSize)
        bench.latency = random.nextInt(30)
        val got = bench.fetch(address, lgSize, random.nextInt(p.ids), Some(random).filter(_ => random.nextBoolean()))
        assert(!got.denied)
        assert(got.beats == bench.words(plain(page), address, lgSize), s"at 0x${address.toString(16)}, $lgSize")
      }
    }
  }

  // covers: instruction.timing
  test("counter mode adds no cycle where memory is slower than the cipher, and none to plaintext") {
    val p = EmuParams()
    withBothPages(p, new Random(406)) { (bench, encrypted, other) =>
      for (memory <- Seq(0, 1, 5, 10, 11, 12, 30)) {
        bench.latency = memory
        val (sealedOne, plain) = (bench.fetch(encrypted), bench.fetch(other))
        // An answer in the cycle of its request waits for the books of the request
        val open = memory.max(1)
        assert((plain.first, plain.last) == ((open, open + p.beats - 1)))
        val ready = memory.max(12)
        assert((sealedOne.first, sealedOne.last) == ((ready, ready + p.beats - 1)), s"memory of $memory cycles")
      }
    }
  }

  // covers: instruction.timing
  test(
    "direct mode with fewer ciphers adds ten cycles for each block that a cipher has before its last, and deciphers only what is fetched"
  ) {
    for (cores <- Seq(1, 2)) withBothPages(EmuParams(DecryptionMode.Direct(cores)), new Random(408)) {
      (bench, encrypted, _) =>
        bench.latency = 10
        for {
          lgSize <- 3 to 6
          at <- 0 until 64 by 1 << lgSize
        } {
          val blocks = (1 << lgSize) / 16 max 1
          val got = bench.fetch(encrypted + at, lgSize)
          val before = (blocks - 1) / cores
          assert(got.first == 10 + 2 * blocks - 1 + 12 + 10 * before, s"$blocks blocks from $at with $cores ciphers")
        }
    }
  }

  // covers: instruction.timing
  test("direct mode adds the buffering of the line and the cipher's latency, and nothing to plaintext") {
    val p = EmuParams(DecryptionMode.Direct())
    withBothPages(p, new Random(407)) { (bench, encrypted, other) =>
      for (memory <- Seq(1, 10, 30)) {
        bench.latency = memory
        val (sealedOne, plain) = (bench.fetch(encrypted), bench.fetch(other))
        assert((plain.first, plain.last) == ((memory, memory + p.beats - 1)))
        assert(sealedOne.first == memory + p.beats - 1 + 12, s"memory of $memory cycles")
        assert(sealedOne.last == sealedOne.first + p.beats - 1)
      }
    }
  }
}
