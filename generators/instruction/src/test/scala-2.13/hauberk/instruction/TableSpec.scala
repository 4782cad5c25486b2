package hauberk.instruction

import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What is refused, and that a refusal changes nothing and gives no wrong plaintext (sections III-B to III-D). */
class TableSpec extends AnyFunSuite with FetchBench {
  private val modes = Seq("counter mode" -> DecryptionMode.Counter, "direct" -> DecryptionMode.Direct())
  private val first = BigInt(0x80001)
  private val second = BigInt(0x80002)

  private def sealedPages(
      bench: Bench,
      keys: (BigInt, BigInt),
      ancillary: (BigInt, BigInt)
  ): Map[BigInt, Array[Byte]] = {
    val random = new Random(1)
    val plain = Map(first -> randomPage(random), second -> randomPage(random))
    bench.pages(first) = ReferenceSeal.page(bench.p.mode, keys._1, ancillary._1, plain(first))
    bench.pages(second) = ReferenceSeal.page(bench.p.mode, keys._2, ancillary._2, plain(second))
    plain
  }

  /** Both pages are there, each under a key of its own, and not mapped. */
  private def withTwoKeys(p: EmuParams)(body: (Bench, Map[BigInt, Array[Byte]]) => Unit): Unit = withEmu(p) { bench =>
    bench.loadKey(1, 11)
    bench.loadKey(2, 22)
    body(bench, sealedPages(bench, (11, 22), (256, 512)))
  }

  /** With the first page mapped each time: its mapping is to be freed, or its key to be zeroized if `rekeys`, in a cycle of a fetch. */
  private def interfering(bench: Bench, cycles: Range)(body: (Boolean, Int) => Unit): Unit = {
    bench.latency = 9
    for {
      rekeys <- Seq(false, true)
      cycle <- cycles
    } {
      if (bench.map(0, first, 1, 256) == EmuError.noKey) bench.loadKey(1, 11)
      bench.mapped(0, first, 1, 256)
      body(rekeys, cycle)
    }
  }

  /** Also with one fetch at a time, and then in direct mode with one cipher. */
  private def shapes(p: EmuParams): Seq[EmuParams] = {
    val alone = p.copy(ids = 1)
    val oneCipher = p.mode match {
      case DecryptionMode.Direct(_) => Some(alone.copy(mode = DecryptionMode.Direct(cores = 1)))
      case DecryptionMode.Counter => None
    }
    Seq(p, alone) ++ oneCipher
  }

  /** A fetch is denied and has no data. */
  private def denied(got: Fetched): Boolean = got.denied && got.beats.forall(_ == 0)

  for ((name, mode) <- modes) {
    val p = EmuParams(mode, pages = 3, keySlots = 4, ids = 2)

    // covers: instruction.tables
    test(s"$name: indices, slots, duplicates and slots without a key are refused, and nothing changes") {
      withTwoKeys(p) { (bench, plain) =>
        bench.mapped(0, first, 1, 256)
        bench.mapped(2, second, 2, 512)
        assert(bench.map(3, 7, 1) == EmuError.badIndex)
        assert(bench.map(65535, 7, 1) == EmuError.badIndex)
        assert(bench.map(1, 7, 4) == EmuError.badSlot)
        assert(bench.map(0, 7, 32768 + 1) == EmuError.badSlot)
        assert(bench.map(1, first, 2) == EmuError.duplicatePage)
        assert(bench.map(1, 7, 3) == EmuError.noKey)
        // Not even the need of a flush
        for (page <- Seq(first, second)) {
          assert(bench.fetch(page << 12).beats == bench.words(plain(page), page << 12))
        }
      }
    }

    // covers: instruction.flush
    test(s"$name: between a change and the flush of the instruction cache encrypted pages are denied, others are not") {
      withEmu(p) { bench =>
        bench.loadKey(1, 11)
        val plain = sealedPages(bench, (11, 11), (256, 512))
        bench.pages(BigInt(9)) = randomPage(new Random(3))
        assert(bench.map(0, first, 1, 256) == EmuError.none)
        assert(denied(bench.fetch(first << 12)))
        assert(bench.fetch(BigInt(9) << 12).beats == bench.words(bench.pages(9), 0))
        bench.flush()
        assert(bench.fetch(first << 12).beats == bench.words(plain(first), 0))
        // The stale mapping of a context switch: the index now is another page's
        assert(bench.map(0, second, 1, 512) == EmuError.none)
        assert(denied(bench.fetch(second << 12)))
        bench.flush()
        assert(bench.fetch(second << 12).beats == bench.words(plain(second), 0))
        // A page that is not mapped any more is ciphertext, as in memory
        assert(bench.fetch(first << 12).beats == bench.words(bench.pages(first), 0))
      }
    }

    test(
      s"$name: what changes of one page, or of a key it is not under, does not concern another, in any cycle of its fetch"
    ) {
      for (p <- shapes(p)) withTwoKeys(p) { (bench, plain) =>
        interfering(bench, 0 until 44 by 3) { (rekeys, cycle) =>
          bench.mapped(1, second, 2, 512)
          val got =
            bench.fetch(second << 12, id = cycle % p.ids, meanwhile = now => bench.interfere(now == cycle, rekeys))
          bench.interfere(active = false, rekeys)
          assert(!got.denied && got.beats == bench.words(plain(second), 0), s"cycle $cycle")
          // Nor does it need the flush that the other now does
          assert(bench.fetch(second << 12).beats == bench.words(plain(second), 0), s"after cycle $cycle")
        }
      }
    }

    // covers: instruction.flush
    test(s"$name: a flush counts from its cycle on, and not in that of a change") {
      withEmu(p) { bench =>
        bench.loadKey(1, 11)
        val plain = sealedPages(bench, (11, 11), (256, 512))
        bench.flushes(true)
        assert(bench.map(0, first, 1, 256) == EmuError.none)
        bench.flushes(false)
        assert(denied(bench.fetch(first << 12)))
        val got = bench.fetch(first << 12, meanwhile = cycle => bench.flushes(cycle == 0))
        bench.flushes(false)
        assert(!got.denied && got.beats == bench.words(plain(first), 0))
      }
    }

// covers: instruction.change-in-fetch
    test(
      s"$name: a mapping that changes, or a key that goes, in any cycle of a fetch, denies what has not gone, and the next is right"
    ) {
      for (p <- shapes(p)) withTwoKeys(p) { (bench, plain) =>
        interfering(bench, 0 until 44) { (rekeys, cycle) =>
          bench.mapped(1, second, 2, 512)
          val good = bench.words(plain(first), 0)
          val got = bench.fetch(
            first << 12,
            id = cycle % p.ids,
            meanwhile = now => bench.interfere(now == cycle, rekeys)
          )
          bench.interfere(active = false, rekeys)
          for ((beat, right) <- got.arrived.zip(good)) {
            if (beat.cycle > cycle) assert(beat.denied && beat.data == 0, s"cycle $cycle")
            else assert(beat.data == (if (beat.denied) BigInt(0) else right), s"cycle $cycle")
          }
          // At once, while ciphers still have blocks of the one that was denied
          val next = bench.fetch(second << 12, id = cycle % p.ids)
          assert(!next.denied && next.beats == bench.words(plain(second), 0), s"after cycle $cycle")
          bench.loadKey(1, 11)
          bench.mapped(1, second, 2, 512)
          assert(bench.fetch(second << 12).beats == bench.words(plain(second), 0), s"after cycle $cycle")
          assert(bench.map(1, second, 0) == EmuError.none)
        }
      }
    }

    // covers: instruction.change-in-fetch
    test(s"$name: a short fetch is right at once behind one that was denied in any cycle") {
      for (p <- shapes(p)) withTwoKeys(p) { (bench, plain) =>
        bench.mapped(1, second, 2, 512)
        interfering(bench, 0 until 20) { (rekeys, cycle) =>
          bench.latency = 1
          bench.fetch(first << 12, lgSize = 4, meanwhile = now => bench.interfere(now == cycle, rekeys))
          bench.interfere(active = false, rekeys)
          val next = bench.fetch(second << 12, lgSize = 4)
          assert(!next.denied && next.beats == bench.words(plain(second), 0, lgSize = 4), s"after cycle $cycle")
          bench.loadKey(1, 11)
        }
      }
    }

    // covers: instruction.slot-reuse
    test(s"$name: a slot with a new key does not decipher the pages of the old one") {
      withEmu(p) { bench =>
        bench.loadKey(1, 11)
        val plain = sealedPages(bench, (11, 22), (256, 512))
        bench.mapped(0, first, 1, 256)
        bench.loadKey(1, 22)
        bench.flush()
        assert(denied(bench.fetch(first << 12)))
        bench.mapped(1, second, 1, 512)
        assert(bench.fetch(second << 12).beats == bench.words(plain(second), 0))
        assert(denied(bench.fetch(first << 12)))
      }
    }

    // covers: instruction.moved-pages
    test(s"$name: ciphertext moved to another page, and pages swapped, do not become their plaintext") {
      withTwoKeys(p) { (bench, plain) =>
        bench.mapped(0, first, 1, 256)
        bench.mapped(1, second, 2, 512)
        val swapped = bench.pages(first)
        bench.pages(first) = bench.pages(second)
        bench.pages(second) = swapped
        for {
          page <- Seq(first, second)
          other <- Seq(first, second)
        } {
          val words = bench.fetch(page << 12).beats
          assert(words.zip(bench.words(plain(other), 0)).forall { case (a, b) => a != b })
        }
      }
    }

    // covers: instruction.denials
    test(s"$name: what memory denies is denied") {
      withEmu(p) { bench =>
        bench.loadKey(1, 11)
        sealedPages(bench, (11, 11), (256, 512))
        bench.mapped(0, first, 1, 256)
        for (page <- Seq(first, second)) assert(denied(bench.fetch(page << 12, memoryDenies = true)))
      }
    }
  }
}
