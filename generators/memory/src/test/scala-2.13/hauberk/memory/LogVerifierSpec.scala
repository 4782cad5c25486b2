package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.integrity.{LogHash, Verification}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The log hash: what memory gives back wrong is found at the next check at the latest, and nothing else is. */
// covers: memory.log-hash
class LogVerifierSpec extends AnyFunSuite with Simulation {
  private val keys = {
    val random = new Random(22)
    Seq.fill(KeySlot.count)(Array.fill(16)(random.nextInt(256).toByte))
  }
  private val small = MetadataCacheParams(lines = 4, ways = 2, mshrs = 2)
  private def protection(versionBits: Int, localBytes: Int) = Protection(
    ProtectionParams(
      integrity = LogHash(versions = small, tags = small, versionBits = versionBits),
      verification = Verification.Speculative,
      reads = 6,
      writes = 4
    ),
    Bank(localBytes = localBytes, engine = 5)
  )
  private def scenarios(
      name: String,
      versionBits: Int = 32,
      localBytes: Int = 1 << 16
  )(all: (String, VerifierBench => Unit)*): Unit =
    test(s"$name: ${all.map(_._1).distinct.mkString("; ")}") {
      simulate(new VerifierHarness(protection(versionBits, localBytes))) { dut =>
        for (((scenario, body), seed) <- all.zipWithIndex) withClue(s"$scenario: ") {
          val bench = new VerifierBench(this, dut, keys, new Random(seed), delay = 20)
          dut.io.keyWrite.valid.poke(false)
          resetDesign(dut)
          bench.start()
          body(bench)
        }
      }
    }
  private def versionLine(bench: VerifierBench, block: Int): BigInt = bench.p.layout.versionBase + block / 16 * 64
  private def version(bench: VerifierBench, block: Int): BigInt =
    (bench.line(versionLine(bench, block)) >> (32 * (block % 16))) & 0xffffffffL
  private def setVersion(bench: VerifierBench, block: Int, version: BigInt): Unit = {
    val shift = 32 * (block % 16)
    val others = bench.line(versionLine(bench, block)) & ~(BigInt(0xffffffffL) << shift)
    bench.putLine(versionLine(bench, block), others | version << shift)
  }

  /** Push a block's version line out of the cache, and leave no in-flight transaction. */
  private def forget(bench: VerifierBench, block: Int): Unit = {
    bench.flush()
    for (i <- 1 to 12) bench.read((block + 48 * i) % bench.p.layout.dataBlocks.toInt)
    bench.drain()
    bench.flush()
  }

  private def soak(accesses: Int, checks: Int, imageBlocks: Int)(bench: VerifierBench): Unit = {
    bench.install(Seq.fill(imageBlocks)(bench.words()))
    val all = bench.p.layout.dataBlocks.toInt
    val hot = Seq.fill(6)(bench.random.nextInt(all))
    val tickets = (1 to accesses).map { i =>
      val block = if (bench.random.nextBoolean()) hot(bench.random.nextInt(6)) else bench.random.nextInt(all)
      if (i % (accesses / checks) == 0) bench.startCheck()
      if (i % 700 == 0) bench.flush()
      while (i % 16 == 0 && !bench.idle && bench.random.nextInt(8) != 0) bench.tick()
      if (bench.random.nextBoolean()) bench.read(block) else bench.write(block, bench.words())
    }
    bench.drain()
    bench.check()
    bench.check()
    assert(tickets.forall(bench.verdicts), s"${tickets.count(t => !bench.verdicts(t))} false verdicts")
    assert(bench.alarms.isEmpty, bench.alarms)
    assert(bench.touches > 0, "no check touched anything")
  }
  test("versions too few for the blocks are refused") {
    val error =
      intercept[Exception](hauberk.testing.Elaborate(new VerifierHarness(protection(versionBits = 10, 1 << 16))))
    assert(Iterator.iterate[Throwable](error)(
      _.getCause
    ).takeWhile(_ != null).exists(_.getMessage.contains("use more versionBits")))
  }

  private val untouched: VerifierBench => Unit = { bench =>
    bench.check()
    assert(bench.touches == 0 && bench.memory.reads == 0, "a check of nothing reads memory")
    assert(bench.verify(100) && bench.verify(101) && bench.record(500, bench.words()))
    bench.check()
    assert(bench.touches == 3, s"a check of three blocks touched ${bench.touches}")
    assert(bench.alarms.isEmpty, bench.alarms)
  }
  private val gate: VerifierBench => Unit = { bench =>
    assert(!bench.unverified)
    bench.verify(7)
    assert(bench.unverified, "a block was read, and nothing is unverified")
    bench.startCheck()
    assert(bench.unverified)
    bench.check()
    bench.check()
    assert(!bench.unverified, "all is checked, and something is unverified")
  }
  private val versions: VerifierBench => Unit = { bench =>
    assert(bench.record(40, bench.words()) && bench.verify(40) && bench.verify(41))
    bench.flush()
    assert(
      version(bench, 40) == 2 && version(bench, 41) == 3 && version(bench, 42) == 0,
      "versions count in the order of accesses"
    )
  }

  /** An attack between two accesses: the alarm comes by the end of the check at the latest. */
  private def attack(deed: VerifierBench => Unit)(bench: VerifierBench): Unit = {
    bench.install(Seq.fill(4)(bench.words()))
    for (block <- Seq(3, 70, 71, 200)) assert(bench.record(block, bench.words()))
    assert(bench.verify(1))
    forget(bench, 3)
    bench.check()
    assert(bench.alarms.isEmpty, bench.alarms)
    forget(bench, 3)
    deed(bench)
    bench.check()
    assert(bench.alarms.nonEmpty, "the attack raises no alarm")
    assert(bench.alarms.exists { case (cause, _) =>
      cause == AlarmCause.logMismatch || cause == AlarmCause.blockMismatch
    })
    if (bench.alarms.exists(_._1 == AlarmCause.logMismatch))
      assert(!bench.verify(70), "a block is accepted after the log failed")
  }
  private val noAttack: VerifierBench => Unit = { bench =>
    intercept[org.scalatest.exceptions.TestFailedException](attack(_ => ())(bench))
    assert(bench.alarms.isEmpty, bench.alarms)
  }
  private def changed(bench: VerifierBench, block: Int): Unit = {
    val held = bench.held(block)
    val bit = bench.random.nextInt(512)
    bench.blocks(block) = held.copy(words = held.words.updated(bit / 64, held.words(bit / 64).flipBit(bit % 64)))
  }
  private val attacks: Seq[(String, VerifierBench => Unit)] = Seq(
    "changed data" -> { b => changed(b, 3) },
    "changed data that is read" -> { b => changed(b, 3); b.verify(3) },
    "changed data that is put back after it was read" -> { b =>
      val good = b.held(3)
      changed(b, 3)
      b.verify(3)
      b.blocks(3) = good
    },
    "changed data that is overwritten without being read" -> { b => changed(b, 3); b.record(3, b.words()) },
    "swapped blocks" -> { b =>
      val (x, y) = (b.held(70), b.held(71))
      b.blocks(70) = y
      b.blocks(71) = x
    },
    "swapped blocks with their versions" -> { b =>
      val (x, y) = (b.held(3), b.held(200))
      val (s, t) = (version(b, 3), version(b, 200))
      b.blocks(3) = y
      b.blocks(200) = x
      setVersion(b, 3, t)
      setVersion(b, 200, s)
    },
    "an old block" -> { b =>
      val old = b.held(3)
      b.record(3, b.words())
      b.blocks(3) = old
    },
    "an old block with its old version" -> { b =>
      val (old, s) = (b.held(3), version(b, 3))
      b.record(3, b.words())
      forget(b, 3)
      b.blocks(3) = old
      setVersion(b, 3, s)
    },
    "all of an old memory" -> { b =>
      val (blocks, metadata) = (b.blocks.toMap, b.memory.contents)
      b.record(3, b.words())
      b.verify(70)
      forget(b, 3)
      b.blocks ++= blocks
      b.memory.restore(metadata)
    },
    "a version of 0" -> { b => setVersion(b, 3, 0) },
    "a version of 0 of a block that is read" -> { b => setVersion(b, 3, 0); b.verify(3) },
    "a written block as packaged" -> { b =>
      b.blocks(3) = HeldBlock(b.words(), 0)
      b.setTag(3, b.arithmetic.imageTag(3, b.imageBlocks, b.held(3).words))
      setVersion(b, 3, 0)
      b.verify(3)
    },
    "a written block as never written" -> { b =>
      b.blocks(70) = HeldBlock(Seq.fill(8)(BigInt(0)), 0)
      setVersion(b, 70, 0)
      b.verify(70)
    },
    "a version not given out yet" -> { b => setVersion(b, 3, (version(b, 3) & 0x80000000L) + 0x7000); b.verify(3) },
    "a version of an epoch gone by" -> { b => setVersion(b, 3, version(b, 3) ^ 0x80000000L); b.verify(3) },
    "a version for a block that was never touched" -> { b => setVersion(b, 72, version(b, 71)) },
    "a changed package block" -> { b => changed(b, 2); b.verify(2) },
    "a false imageBlocks" -> { b => b.imageBlocks = 5; b.verify(2) }
  )
  // Every bit of one version, and some of the data, one after the other
  private val versionBitsFound: VerifierBench => Unit = { bench =>
    // An alarm is for good, so each begins anew: the flips of one reset are of blocks of their own
    for (block <- 0 until 3) assert(bench.record(block, bench.words()))
    forget(bench, 0)
    bench.check()
    forget(bench, 0)
    val bit = bench.random.nextInt(31)
    setVersion(bench, 1, version(bench, 1).flipBit(bit))
    bench.check()
    assert(bench.alarms.nonEmpty, s"version bit $bit is not verified")
  }

  /** A written block has another version than its own, by the last one that was given: at once refused, or found at the check. */
  private def otherVersion(given: Boolean)(of: BigInt => BigInt)(bench: VerifierBench): Unit = {
    val block = 3
    for (other <- Seq(block, 70)) assert(bench.record(other, bench.words()))
    forget(bench, block)
    val all = (0 until bench.p.layout.dataBlocks.toInt).map(version(bench, _)).filter(_ < 0x10000)
    setVersion(bench, block, of(all.max))
    assert(bench.verify(block) == given)
    assert(bench.alarms.headOption == Option.when(!given)((AlarmCause.logMismatch, BigInt(64 * block))), bench.alarms)
    if (given) bench.check()
    assert(bench.alarms.nonEmpty)
  }
  private val otherVersions = Seq("the last that was given" -> otherVersion(given = true)(identity) _) ++
    (Seq[BigInt => BigInt](_ + 1, _ => 0, _ => BigInt(1) << 31, _ | BigInt(1) << 31) ++
      (8 to 30).map(bit => (last: BigInt) => last | BigInt(1) << bit))
      .map("a version that was not given" -> otherVersion(given = false)(_) _)
  private def imageTagBit(bit: Int)(bench: VerifierBench): Unit = {
    bench.install(Seq.fill(4)(bench.words()))
    bench.setTag(2, bench.tag(2).flipBit(bit))
    assert(!bench.verify(2), s"bit $bit is not compared")
    assert(bench.alarms.contains((AlarmCause.blockMismatch, BigInt(2 * 64))), bench.alarms)
  }
  private val duringCheck: VerifierBench => Unit = { bench =>
    for (block <- 0 until 40) bench.write(block * 5, bench.words())
    bench.drain()
    forget(bench, 0)
    changed(bench, 150)
    bench.startCheck()
    for (block <- 0 until 40) { bench.read(block * 5); bench.write(block * 5, bench.words()) }
    bench.check()
    assert(bench.alarms.exists(_._1 == AlarmCause.logMismatch), "traffic hides a change from the check")
  }
  private val refusals: VerifierBench => Unit = { bench =>
    assert(bench.record(3, bench.words()))
    bench.unreadable += 3
    assert(!bench.verify(3) && bench.alarms.isEmpty, bench.alarms)
    bench.unreadable.clear()
    assert(bench.verify(3))
    bench.check()
    assert(bench.alarms.isEmpty, bench.alarms)
    forget(bench, 3)
    bench.memory.refused += bench.number(versionLine(bench, 3))
    assert(!bench.verify(3))
    assert(bench.alarms.exists(_._1 == AlarmCause.metadataError))
  }

  private def idle(bench: VerifierBench, cycles: Int): Unit = for (_ <- 0 until cycles) bench.tick()
  private def awaitVerdicts(bench: VerifierBench, tickets: Seq[Int]): Unit =
    bench.await("no verdict", 20000)(tickets.forall(bench.verdicts.contains))
  private def awaitCheck(bench: VerifierBench): Unit = bench.await("the check does not end", 200000)(!bench.checking)

  // The read's bytes are in use when the check is asked for, and its version comes only when the sweep has been there
  private val readBefore: VerifierBench => Unit = { bench =>
    val (good, bad) = (bench.words(), bench.words())
    assert(bench.record(3, good))
    val honest = bench.blocks(3)
    bench.blocks(3) = honest.copy(words = bad)
    val read = bench.read(3)
    bench.withheld += read
    idle(bench, 100)
    bench.blocks(3) = honest
    bench.startCheck()
    idle(bench, 2000)
    assert(bench.checking, "a check ends before a read that is older")
    bench.withheld.clear()
    awaitCheck(bench)
    assert(bench.alarms.exists(_._1 == AlarmCause.logMismatch), "a check leaves out a read that is older")
  }

  // Memory takes a block back to the epoch that is being checked, after the sweep, and it is read again at the end of the check
  private def rolledBack(offset: Int): VerifierBench => Unit = { bench =>
    assert(bench.record(3, bench.words()))
    bench.flush()
    val before = bench.line(versionLine(bench, 3))
    bench.hold = true
    bench.startCheck()
    idle(bench, 50)
    val elder = bench.read(200)
    bench.withheld += elder
    idle(bench, 100)
    bench.hold = false
    idle(bench, 2000)
    bench.flush()
    awaitVerdicts(bench, (1 to 12).map(i => bench.read(3 + 48 * i)))
    bench.flush()
    assert(bench.line(versionLine(bench, 3)) != before, "the sweep has not been there")
    bench.putLine(versionLine(bench, 3), before)
    val read = bench.read(3)
    bench.withheld += read
    idle(bench, 100)
    awaitVerdicts(bench, Seq(bench.read(201))) // brings the elder's version line, so that its digest alone is missing
    idle(bench, 100)
    assert(bench.checking && bench.alarms.isEmpty, bench.alarms)
    for (at <- 0 until 60) {
      if (at == 20) bench.withheld -= elder
      if (at == 20 + offset) bench.withheld -= read
      bench.tick()
    }
    awaitVerdicts(bench, Seq(elder, read))
    awaitCheck(bench)
    idle(bench, 4)
    assert(bench.alarms.exists(_._1 == AlarmCause.logMismatch), s"a version of the last epoch, $offset after the end")
  }

  scenarios("log hash")(
    "a check reads what was touched and nothing else" -> untouched,
    "something is unverified until it is checked" -> gate,
    "versions have the specified form" -> versions,
    "without an attack there is no alarm" -> noAttack,
    "refused data is not verified and harms nobody; a refused version ends verification" -> refusals,
    "random accesses, and checks among them, are all accepted" -> soak(3000, checks = 10, imageBlocks = 40)
  )
  scenarios("log hash under attack")(
    (attacks.map { case (name, deed) => name -> attack(deed) _ } :+ ("changes during a check" -> duringCheck)) ++
      Seq("a read that is older than the check" -> readBefore) ++
      (-8 to 8).map(i => s"a version rolled back at the end of a check ($i)" -> rolledBack(i)) ++
      Seq.tabulate(12)(i => s"a flipped bit of a version ($i)" -> versionBitsFound): _*
  )
  scenarios("versions under a log hash")(otherVersions: _*)
  scenarios("tags of an image, under a log hash")(
    Seq.tabulate(64)(bit => "every flipped bit is found" -> imageTagBit(bit) _): _*
  )
  private val overflow: VerifierBench => Unit = { bench =>
    // A check is asked for and never gets its touches, because nobody runs them: versions come to an end
    for (i <- 0 until 300 if !bench.alarms.exists(_._1 == AlarmCause.counterOverflow)) {
      bench.hold = true
      bench.record(i % 3, bench.words())
    }
    assert(bench.alarms.exists(_._1 == AlarmCause.counterOverflow), "versions do not come to an end")
    assert(!bench.verify(0), "a block is accepted after the last version")
  }
  scenarios("log hash with few versions", versionBits = 8, localBytes = 1 << 12)(
    "checks begin by themselves, and nothing is false" -> soak(1200, checks = 2, imageBlocks = 10),
    "when versions are used up, nothing is accepted any more" -> overflow
  )
}
