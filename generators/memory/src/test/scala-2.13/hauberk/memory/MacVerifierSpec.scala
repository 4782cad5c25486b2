package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.integrity.{BlockMac, HashTree, Integrity, Verification}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Block tags, alone and under a hash tree: what was written is accepted, whatever was changed is not. */
class MacVerifierSpec extends AnyFunSuite with Simulation {
  private val keys = {
    val random = new Random(21)
    Seq.fill(KeySlot.count)(Array.fill(16)(random.nextInt(256).toByte))
  }
  private val tiny = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
  private val small = MetadataCacheParams(lines = 4, ways = 2, mshrs = 2)
  private def params(integrity: Integrity, verification: Verification = Verification.Blocking) =
    ProtectionParams(integrity = integrity, verification = verification, reads = 4, writes = 4)
  private def protection(params: ProtectionParams) = Protection(params, Bank(localBytes = 1 << 16, engine = 5))

  /** One build of a verifier for several scenarios; each begins with a reset, a new memory and its own random numbers. */
  private def scenarios(name: String, params: ProtectionParams)(all: (String, VerifierBench => Unit)*): Unit =
    test(s"$name: ${all.map(_._1).mkString("; ")}") {
      simulate(new VerifierHarness(protection(params))) { dut =>
        for (((scenario, body), seed) <- all.zipWithIndex) withClue(s"$scenario: ") {
          val bench = new VerifierBench(this, dut, keys, new Random(seed), delay = 20)
          dut.io.keyWrite.valid.poke(false)
          resetDesign(dut)
          bench.start()
          body(bench)
        }
      }
    }
  private def address(block: Int): BigInt = BigInt(64) * block

  /** Push a block's tag line, and what is above it, out of the caches. */
  private def forget(bench: VerifierBench, block: Int): Unit = {
    for (i <- 1 to 24) bench.read((block + 40 * i) % bench.p.layout.dataBlocks.toInt)
    bench.drain()
    bench.verify(if (block < 512) 600 else 100) // beneath another node of the last level
  }

  private def soak(accesses: Int, imageBlocks: Int)(bench: VerifierBench): Unit = {
    bench.install(Seq.fill(imageBlocks)(bench.words()))
    val all = bench.p.layout.dataBlocks.toInt
    val hot = Seq.fill(6)(bench.random.nextInt(all))
    val tickets = (1 to accesses).map { i =>
      val block = if (bench.random.nextBoolean()) hot(bench.random.nextInt(6)) else bench.random.nextInt(all)
      if (i % 500 == 0) bench.flush()
      while (i % 16 == 0 && !bench.idle && bench.random.nextInt(8) != 0) bench.tick()
      if (bench.random.nextBoolean()) bench.read(block) else bench.write(block, bench.words())
    }
    bench.drain()
    assert(tickets.forall(bench.verdicts), s"${tickets.count(t => !bench.verdicts(t))} false verdicts")
    assert(bench.alarms.isEmpty, bench.alarms)
  }

  private val latency: VerifierBench => Unit = { bench =>
    bench.record(9, bench.words())
    for (_ <- 0 until 60) bench.tick()
    bench.latencies.clear()
    bench.verify(9)
    val pad = bench.p.cipher.latency
    assert(bench.latencies.head <= pad + 2, s"the verdict on a cached tag came after ${bench.latencies.head} cycles")
  }

  private val format: VerifierBench => Unit = { bench =>
    bench.install(Seq.fill(2)(bench.words()))
    val words = bench.words()
    assert(bench.record(13, words))
    val counter = bench.held(13).counter
    bench.flush()
    assert(bench.tag(13) == bench.arithmetic.tag(13, counter, words), "the tag in memory is not the specified one")
    assert(bench.verify(13) && bench.verify(0) && bench.verify(1))
  }

  /** Every bit of data, of the tag and of the counter; a tag from elsewhere; an old tag. */
  private def flips(bits: Seq[Int])(bench: VerifierBench): Unit = {
    val block = 3
    val words = bench.words()
    for (i <- 0 until 3)
      assert(bench.record(block, if (i == 2) words else bench.words())) // no flip makes its counter 0
    bench.flush()
    val good = bench.held(block)
    for (bit <- bits) {
      val changed = words.updated(bit / 64, words(bit / 64).flipBit(bit % 64))
      bench.blocks(block) = HeldBlock(changed, good.counter)
      bench.alarms.clear()
      assert(!bench.verify(block), s"data bit $bit is not verified")
      assert(bench.alarms.contains((AlarmCause.blockMismatch, address(block))), bench.alarms)
    }
    bench.alarms.clear()
    for (bit <- 0 until 32) {
      bench.blocks(block) = HeldBlock(words, good.counter.flipBit(bit))
      assert(!bench.verify(block), s"counter bit $bit is not verified")
    }
    bench.blocks(block) = good
    bench.alarms.clear()
    assert(bench.verify(block) && bench.alarms.isEmpty, "the block is not accepted any more")
  }
  private val tagFlips: VerifierBench => Unit = { bench =>
    val block = 3
    assert(bench.record(block, bench.words()))
    bench.flush()
    val tag = bench.tag(block)
    for (bit <- 0 until 64) {
      forget(bench, block)
      bench.setTag(block, tag.flipBit(bit))
      bench.alarms.clear()
      assert(!bench.verify(block), s"tag bit $bit is not verified")
      assert(bench.alarms.contains((AlarmCause.blockMismatch, address(block))), bench.alarms)
    }
    forget(bench, block)
    bench.setTag(block, tag)
    assert(bench.verify(block))
  }
  private val places: VerifierBench => Unit = { bench =>
    assert(bench.record(3, bench.words()) && bench.record(300, bench.words()))
    bench.flush()
    val (a, b) = (bench.held(3), bench.held(300))
    val (tagA, tagB) = (bench.tag(3), bench.tag(300))
    forget(bench, 3)
    forget(bench, 300)
    bench.setTag(3, tagB)
    bench.setTag(300, tagA)
    bench.blocks(3) = b
    bench.blocks(300) = a
    assert(!bench.verify(3) && !bench.verify(300), "swapped blocks are accepted")
    // An old block with its old tag, under the counter that is current
    bench.setTag(3, tagA)
    bench.blocks(3) = a
    forget(bench, 3)
    assert(bench.verify(3) && bench.record(3, bench.words()))
    bench.flush()
    val now = bench.held(3)
    forget(bench, 3)
    bench.setTag(3, tagA)
    bench.blocks(3) = HeldBlock(a.words, now.counter)
    assert(!bench.verify(3), "a replayed block is accepted")
  }
  private val packages: VerifierBench => Unit = { bench =>
    bench.install(Seq.fill(12)(bench.words()))
    for (block <- 0 until 12) assert(bench.verify(block), s"package block $block")
    for (block <- 12 until 20) assert(bench.verify(block), s"block $block reads as zero")
    assert(bench.alarms.isEmpty, bench.alarms)
    bench.blocks(4) = HeldBlock(bench.words(), 0)
    assert(!bench.verify(4), "a changed package block is accepted")
    bench.imageBlocks = 13
    assert(!bench.verify(5), "a package block is accepted under a false imageBlocks")
    assert(!bench.verify(12), "a block that the package did not bring is accepted")
  }
  private val refusals: VerifierBench => Unit = { bench =>
    assert(bench.record(3, bench.words()))
    bench.flush()
    bench.unreadable += 3
    assert(!bench.verify(3) && bench.alarms.isEmpty, "refused data gives a verdict, and no alarm")
    bench.unreadable.clear()
    assert(bench.verify(3))
    forget(bench, 3)
    bench.alarms.clear()
    bench.memory.refused += bench.number(bench.tagLine(3))
    assert(!bench.verify(3), "a block without its tag is accepted")
    assert(bench.alarms.map(_._1).contains(AlarmCause.metadataError))
    bench.memory.refused.clear()
    assert(!bench.verify(200), "a block is accepted after a failure")
  }

  scenarios("block tags", params(BlockMac(tags = small)))(
    "a tag has the specified form, and is accepted" -> format,
    "a verdict follows two cycles after the last that it needs" -> latency,
    // covers: memory.tag-compare
    "every flipped bit of data and counter is found" -> flips(0 until 512),
    // covers: memory.tag-compare
    "every flipped bit of a tag is found" -> tagFlips,
    // covers: memory.places
    "neither swapped nor replayed blocks are accepted" -> places,
    // covers: memory.image-tags
    "a package is accepted as it is, with its number of blocks" -> packages,
    "refused data is not verified; a refused tag ends verification" -> refusals,
    "random accesses are all accepted" -> soak(2000, imageBlocks = 40)
  )

  // The hash tree. 1,024 blocks less metadata: tag lines, then nodes of 8 hashes until no more than rootEntries lines are left
  private val tree = HashTree(tags = small, nodes = tiny, rootEntries = 4)
  private def levelAddress(bench: VerifierBench, block: Int, level: Int): BigInt =
    if (level == 0) bench.tagLine(block)
    else bench.p.layout.levels(level - 1).base + (block >> (3 + 3 * level)) * 64
  private def wordsOf(line: BigInt) = (0 until 8).map(i => (line >> (64 * i)) & ((BigInt(1) << 64) - 1))

  private val treeFormat: VerifierBench => Unit = { bench =>
    val levels = bench.p.layout.levels.size
    assert(levels == 2, "this test wants a tree of two levels")
    assert(bench.record(13, bench.words()))
    bench.flush()
    for (level <- 1 to levels) {
      val below = bench.line(levelAddress(bench, 13, level - 1))
      val line = 13 >> (3 * level)
      val expected = bench.arithmetic.lineHash(level - 1, line, wordsOf(below))
      assert(
        wordsOf(bench.line(levelAddress(bench, 13, level)))(line % 8) == expected,
        s"the hash of level ${level - 1}"
      )
    }
    forget(bench, 13)
    assert(bench.verify(13) && bench.alarms.isEmpty, bench.alarms)
  }

  /** Change the line of one level, or bring an old one back, with everything below it. */
  private def treeAttack(level: Int, replay: Boolean)(bench: VerifierBench): Unit = {
    val block = 3
    def path = (0 to level).map(l => levelAddress(bench, block, l))
    assert(bench.record(block, bench.words()))
    bench.flush()
    val before = path.map(a => a -> bench.line(a))
    val oldBlock = bench.held(block)
    assert(bench.record(block, bench.words()))
    bench.flush()
    forget(bench, block)
    assert(bench.alarms.isEmpty, bench.alarms)
    if (replay) {
      for ((a, line) <- before) bench.putLine(a, line)
      bench.blocks(block) = oldBlock
    } else {
      val a = path.last
      val bit = 64 * ((block >> (3 * level)) % 8) + bench.random.nextInt(64)
      bench.putLine(a, bench.line(a).flipBit(bit))
    }
    val ok = bench.verify(block)
    for (_ <- 0 until 300) bench.tick()
    assert(bench.alarms.nonEmpty, "the attack raises no alarm")
    if (bench.p.params.verification.blocks) assert(!ok, "the attack gets a good verdict")
    assert(!bench.verify(500), "a block is accepted after a failure")
  }
  private val rollback: VerifierBench => Unit = { bench =>
    bench.install(Seq.fill(2)(bench.words()))
    assert(bench.record(1, bench.words()) && bench.record(30, bench.words()))
    bench.flush()
    forget(bench, 30)
    bench.blocks(30) = HeldBlock(Seq.fill(8)(BigInt(0)), 0)
    assert(!bench.verify(30), "a written block is accepted as never written")
    assert(bench.alarms.contains((AlarmCause.blockMismatch, address(30))), bench.alarms)
    // Back to the package, with its tag
    forget(bench, 1)
    bench.blocks(1) = HeldBlock(bench.words(), 0)
    bench.setTag(1, bench.arithmetic.imageTag(1, 2, bench.held(1).words))
    assert(!bench.verify(1), "a package block that was written since is accepted")
    assert(bench.alarms.exists(_._1 == AlarmCause.metadataMismatch), bench.alarms)
  }
  private val anyBitOfALine: VerifierBench => Unit = { bench =>
    assert(bench.record(3, bench.words()))
    bench.flush()
    val good = bench.line(bench.tagLine(3))
    forget(bench, 3)
    bench.putLine(bench.tagLine(3), good.flipBit(64 * 6 + 17)) // another block's
    assert(!bench.verify(3), "a changed tag line is accepted")
    assert(bench.alarms.contains((AlarmCause.metadataMismatch, bench.tagLine(3))), bench.alarms)
  }

  /** All of memory is written anew under the next key, with other traffic meanwhile; then nothing is under the old one. */
  private val keyChange: VerifierBench => Unit = { bench =>
    bench.install(Seq.fill(10)(bench.words()))
    val written = (Seq(3, 5) ++ Seq.fill(30)(bench.random.nextInt(800))).distinct
    written.foreach(b => bench.write(b, bench.words()))
    bench.drain()
    bench.flush()
    bench.treeKeys(current = 2, changing = true, previous = 1)
    bench.slot = 2
    for (b <- written) {
      bench.read(b)
      bench.write(b, bench.held(b).words)
      bench.read(bench.random.nextInt(800))
    }
    bench.drain()
    bench.flush()
    bench.treeKeys(current = 2, changing = false, previous = 2)
    bench.random.shuffle(written ++ (0 until 10)).foreach(bench.read)
    bench.drain()
    assert(bench.verdicts.values.forall(identity) && bench.alarms.isEmpty, bench.alarms)
    val below = bench.line(bench.tagLine(3))
    assert(wordsOf(bench.line(levelAddress(bench, 3, 1)))(0) == bench.arithmetic.lineHash(
      0,
      0,
      wordsOf(below),
      slot = 2
    ))
  }

  /** A flush reaches the first level of nodes while another is in the second, and is not over when that is. */
  private val flushInFlush: VerifierBench => Unit = { bench =>
    def isIn(level: Int)(number: Int) = {
      val there = bench.p.layout.levels(level - 1)
      number >= bench.number(there.base) && number < bench.number(there.base) + there.lines
    }
    def await(hint: String)(done: => Boolean): Unit = bench.await(hint, 5000)(done)
    assert(bench.record(3, bench.words()))
    bench.memory.withheld = isIn(2)
    bench.pulseFlush()
    await("the first flush does not come to the second level")(bench.memory.withholds)
    assert(bench.record(3, bench.words()))
    bench.memory.withheld = number => isIn(1)(number) || isIn(2)(number)
    bench.pulseFlush()
    val node = levelAddress(bench, 3, 1)
    val before = bench.line(node)
    await("the second flush does not come to the first level")(bench.line(node) != before)
    bench.memory.withheld = isIn(1)
    for (_ <- 0 until 300) {
      bench.tick()
      assert(bench.flushing, "a flush is over with another that began before it")
    }
    bench.memory.withheld = _ => false
    await("the flushes do not end")(!bench.flushing)
    val memory = bench.memory.contents
    for (_ <- 0 until 300) bench.tick()
    assert(bench.memory.contents == memory, "something was left to write back")
  }
  private val changeUnderAttack: VerifierBench => Unit = { bench =>
    bench.treeKeys(current = 2, changing = true, previous = 1)
    treeAttack(0, replay = true)(bench)
  }
  private val treeScenarios: Seq[(String, VerifierBench => Unit)] = Seq(
    "hashes have the specified form" -> treeFormat,
    // covers: memory.hash-tree
    "a changed tag line is found" -> treeAttack(0, replay = false),
    "a changed node is found" -> treeAttack(1, replay = false),
    "a changed node of the last level is found" -> treeAttack(2, replay = false),
    "a replayed tag is found" -> treeAttack(0, replay = true),
    // covers: memory.hash-tree
    "a replayed path is found" -> treeAttack(1, replay = true),
    // covers: memory.hash-tree
    "the replay of all memory is found" -> treeAttack(2, replay = true),
    "random accesses are all accepted" -> soak(700, imageBlocks = 40)
  )
  scenarios("hash tree, blocking", params(tree))(
    treeScenarios ++ Seq[(String, VerifierBench => Unit)](
      "a counter rolled back to 0 is found" -> rollback,
      "a tag line is verified whole" -> anyBitOfALine,
      "a tree comes under another key while it is in use" -> keyChange,
      // covers: memory.rekey
      "a replay is found while keys change" -> changeUnderAttack,
      "a flush in a flush is whole" -> flushInFlush,
      "a package is accepted as it is, with its number of blocks" -> packages,
      "every flipped bit of data and counter is found" -> flips(0 until 512 by 37)
    ): _*
  )
  scenarios("hash tree, speculative", params(tree, Verification.Speculative))(treeScenarios: _*)
  scenarios("hash tree of a root only", params(HashTree(tags = small, nodes = tiny, rootEntries = 512)))(
    "a changed tag line is found" -> treeAttack(0, replay = false),
    "the replay of all memory is found" -> treeAttack(0, replay = true),
    "random accesses are all accepted" -> soak(1000, imageBlocks = 40)
  )
}
