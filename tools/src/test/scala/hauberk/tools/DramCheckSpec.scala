package hauberk.tools

import hauberk.memory.layout.{MetadataLayout, TreeLeaves}
import hauberk.memory.reference.{ReferenceKey, ReferenceLineMac}
import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

/** The checker on DRAMs made by hand: those a program may leave pass, and each way to spoil one is found. */
class DramCheckSpec extends AnyFunSuite {
  private val results = Region(base + 0x2108, base + 0x211c)
  private val resultBytes = randomBytes(20)
  private val uart = UartLog(Some(Fnv1a(resultBytes)))

  /** What a run left: the image, with written data and results under the dynamic key. */
  private class Run(scheme: Scheme, engines: Int, numbered: Boolean = false, regions: Seq[DramRegion] = Nil) {
    private val described = soc(description(scheme, engines, regions))
    private val words =
      if (regions.exists(_.context > 0)) entropy ++ moreEntropy.take(2 * engines) else entropy
    val made: ProgramPackage = ProgramPackage.make(described, program(elf, described), keys)
    private val left = if (engines == 0) None else Some(new LeftMemory(made, scheme, engines))
    val dump: Dram = left.fold(new Dram(base, made.image.content.padTo(dramBytes.toInt, 0.toByte)))(_.dump)
    val layout: Option[MetadataLayout] = left.map(_ => MetadataLayout(dramBytes / engines, 64, scheme.shape))

    write(0x2000, made.plaintext.bytes(base + 0x2000, 64).reverse)
    write(0x2100, new Array[Byte](8) ++ resultBytes ++ new Array[Byte](36))
    left.foreach(_.flush())

    private def write(offset: Int, plain: Array[Byte]): Unit =
      left.fold(dump.put(base + offset, plain))(_.write(offset, plain, numbered))

    def setCounter(offset: Int, counter: Long): Unit = left.foreach(_.setCounter(offset, BigInt(counter)))
    def flip(offset: Int): Unit = dump.content(offset) = (dump.content(offset) ^ 1).toByte

    /** Changes the metadata line of an engine at a bank-local address. */
    def flipMetadata(engine: Int, local: BigInt): Unit = flip((left.get.global(engine, local) - base).toInt)

    def check(uart: UartLog = uart, dataWrites: Int = 2, words: Seq[BigInt] = words): CheckResult =
      DramCheck(made, record("TestConfig", words, dataWrites), uart, dump)
    def pages(): (CheckResult, PageCount) = {
      val result = DramCheck(made, record("TestConfig", words, 2), uart, dump, pages = true)
      (result, result.pages.get)
    }
  }

  private def record(config: String, words: Seq[BigInt], dataWrites: Int) =
    RunRecord(config, "test", dataWrites, 1000, words, None)

  private def failure(scheme: Scheme, engines: Int)(spoil: Run => Unit): String = {
    val run = new Run(scheme, engines)
    spoil(run)
    val result = run.check()
    assert(result.complaint.isDefined)
    result.verdict
  }

  for {
    (name, scheme) <- Scheme.withCounters
    engines <- Seq(1, 2)
  } {
    def found(spoil: Run => Unit) = failure(scheme, engines)(spoil)
    val even = (0x2080 / 64 + engines - 1) / engines * engines

    test(s"$name, $engines engines: what a program may leave passes") {
      val result = new Run(scheme, engines).check()
      assert(result.verdict == "pass" && result.plaintextWords == 0 && result.complaint.isEmpty)
      val checked = result.checked.toMap
      assert(checked("read_only_bytes") == 500 && checked("result_bytes") == 20 && checked("blocks_written") == 2)
      assert(checked("image_blocks") == even && checked("image_blocks_never_written") == even - 1)
      val perBlock = scheme.counterFormat == "split" || scheme.counterFormat == "per-address"
      assert(checked("largest_counter") == (if (perBlock) 1 else 2))
      val all = new Run(scheme, engines).layout.get.dataBlocks * engines
      val tags = scheme.integrity match {
        case "none" => BigInt(0)
        case "hash tree" => all
        case "log hash" => BigInt(even - 1)
        case _ => BigInt(even + 1)
      }
      assert(checked("tags_verified") == tags)
    }

    test(s"$name, $engines engines: a flipped bit is found, wherever it is") {
      assert(found(_.flip(0x81)).contains("of read-only segment 0"))
      assert(found(_.flip(0x1000)).contains("read-only segment 1 (0x80001000 to 0x800010c7) differ"))
      assert(found(_.flip(0x2055)).contains("the first at 0x80002040"))
      assert(found(_.flip(0x2110)).contains("the program printed 0x"))
      // Between segments, where nothing was loaded but zeros.
      assert(found(_.flip(
        0x800
      )).contains("1 blocks that nobody wrote do not decrypt to the image, the first at 0x80000800"))
    }

    test(s"$name, $engines engines: a block moved, or put back as it was, is found") {
      assert(found(run => run.dump.put(base, run.made.image.bytes(base + 64, 64))).contains("read-only"))
      assert(found(run => run.dump.put(base + 0x2100, new Array[Byte](64))).contains("checksum"))
    }

    if (scheme.tree != "counters") test(s"$name, $engines engines: a false counter is found") {
      assert(found(_.setCounter(0, 1)).contains("read-only"))
      assert(found(_.setCounter(0x2100, 1)).contains("checksum"))
      assert(found(_.setCounter(0x8000, 3)).contains("a counter is 3, but only 2 blocks were written"))
      assert(found(_.setCounter(0x8000, 0xffffffffL)).contains(s"a counter is ${0xffffffffL}"))
    }

    test(s"$name, $engines engines: plaintext of the image is counted word by word") {
      val run = new Run(scheme, engines)
      run.dump.put(base + 0x40, run.made.plaintext.bytes(base + 0x40, 16))
      run.dump.put(base + 0x1008, run.made.plaintext.bytes(base + 0x1008, 8))
      // Zeros are not counted: that a word is zero says nothing.
      run.dump.put(base + 0x800, new Array[Byte](64))
      val result = run.check()
      assert(result.plaintextWords == 3)
      assert(result.complaint.exists(_.startsWith("3 words stand in the clear in DRAM; ")))
    }

    test(s"$name, $engines engines: plaintext is counted in blocks written since, too") {
      val run = new Run(scheme, engines)
      run.dump.put(base + 0x2010, run.made.plaintext.bytes(base + 0x2010, 8))
      assert(run.check().plaintextWords == 1)
    }

    test(s"$name, $engines engines: a page that shows plaintext is counted, wherever the plaintext is from") {
      val data = (new Run(scheme, engines).made.soc.dataBytes.toInt + 4095) / 4096
      val (passed, none) = new Run(scheme, engines).pages()
      assert(none == PageCount(data, 0) && passed.complaint.isEmpty)
      def spoiled(spoil: Run => Unit) = {
        val run = new Run(scheme, engines)
        spoil(run)
        run.pages()
      }
      // A word at its place
      assert(spoiled(run => run.dump.put(base + 0x1008, run.made.plaintext.bytes(base + 0x1008, 8)))._2.plaintext == 1)
      // A block of code, at a place where nothing of it ever was
      val (result, moved) = spoiled(run => run.dump.put(base + 0x7040, run.made.plaintext.bytes(base + 0x40, 64)))
      assert(moved.plaintext == 1 && result.complaint.exists(_.contains("1 pages of DRAM show plaintext")))
      // What nobody knows, but what no ciphertext looks like
      assert(spoiled(_.dump.put(base + 0x7048, new Array[Byte](8)))._2.plaintext == 1)
      // Zeros say nothing, and what is all zeros was not used
      assert(spoiled(_.dump.put(base + 0x8000, new Array[Byte](4096)))._2 == PageCount(data - 1, 0))
    }

    test(s"$name, $engines engines: results in the clear are counted") {
      val run = new Run(scheme, engines)
      run.dump.put(results.start, resultBytes)
      // 20 bytes touch three words.
      assert(run.check().plaintextWords == 3)
    }

    test(s"$name, $engines engines: what the program prints must agree") {
      val run = new Run(scheme, engines)
      assert(run.check(uart.copy(checksum = Some(1))).verdict.contains("the program printed 0x1"))
      assert(run.check(uart.copy(checksum = None)).verdict == "fail: the program printed no checksum of its results")
    }

    test(s"$name, $engines engines: another dynamic key does not decrypt the results") {
      val run = new Run(scheme, engines)
      val other = DramCheck(run.made, record("TestConfig", entropy.reverse, 2), uart, run.dump)
      assert(other.verdict.contains("checksum"))
    }
  }

  private val resultBlock = 0x2100 / 64

  for {
    (name, scheme) <- Scheme.withCounters.filter(_._2.integrity != "none")
    engines <- Seq(1, 2)
  } test(s"$name, $engines engines: what tags and trees guard is verified in all of memory") {
    val (engine, block) = (resultBlock % engines, BigInt(resultBlock / engines))
    def found(spoil: (Run, MetadataLayout) => Unit) =
      failure(scheme, engines)(run => spoil(run, run.layout.get))
    // A changed tag of a block of the image, here the first, which nobody wrote
    val first = found((run, layout) => run.flipMetadata(0, layout.tagBase))
    scheme.tree match {
      case "tags" => assert(first.contains("engine 0: the tags of 1 blocks do not verify, the first at 0x80000000"))
      case _ => assert(first == "fail: engine 0: the tags of 1 blocks do not verify, the first at 0x80000000")
    }
    if (scheme.integrity != "log hash") {
      // Changed data or tag of a block that the program wrote
      val data = found((run, _) => run.flip(0x2000))
      assert(data.contains("engine 0:"))
      val tag = found((run, layout) => run.flipMetadata(engine, layout.tagAddress(block)))
      assert(tag.contains(s"engine $engine:") && tag.contains("not verify"))
    }
    if (scheme.tree != "none") {
      val node = found((run, layout) => run.flipMetadata(engine, layout.levels.head.base + 64 * nodeOf(layout, block)))
      assert(node.contains("not verify"))
    }
    if (scheme.tree == "counters") {
      val line = found((run, layout) => run.flipMetadata(engine, layout.counterLineAddress(layout.counterLine(block))))
      assert(line.contains("1 lines of metadata do not verify, the first being metadata line"))
    }
  }

  /** The node above a block's counters or tags. */
  private def nodeOf(layout: MetadataLayout, block: BigInt): BigInt =
    if (layout.shape.leaves == TreeLeaves.TagLines) block / 64 else layout.counterLine(block) / 8

  for (engines <- Seq(1, 2)) {
    test(s"XTS, $engines engines: what is encrypted without counters is checked by its contents alone") {
      val result = new Run(Scheme.xts, engines).check()
      assert(result.verdict == "pass" && result.plaintextWords == 0)
      assert(result.checked.toMap.apply("image_blocks_never_written") == 0)
      assert(failure(Scheme.xts, engines)(_.flip(0x1000)).contains("read-only segment 1"))
      assert(failure(Scheme.xts, engines)(_.flip(0x2110)).contains("the program printed 0x"))
    }

    test(s"SNC without replacement, $engines engines: blocks without a number are encrypted directly") {
      val result = new Run(Scheme.sncFixed, engines).check()
      assert(result.verdict == "pass" && result.plaintextWords == 0)
      assert(result.checked.toMap.apply("result_bytes") == 20)
      assert(failure(Scheme.sncFixed, engines)(_.flip(0x2110)).contains("the program printed 0x"))
      assert(failure(Scheme.sncFixed, engines)(_.flip(0x1000)).contains("read-only segment 1"))
    }

    test(s"SNC without replacement, $engines engines: results under a number on the chip are not called wrong") {
      val run = new Run(Scheme.sncFixed, engines, numbered = true)
      val result = run.check()
      assert(result.verdict == "pass" && result.checked.toMap.apply("result_bytes") == 0)
      run.flip(0x1000)
      assert(run.check().verdict.contains("read-only segment 1"))
    }
  }

  // Written data and results, and the end of the image; what is read-only is elsewhere
  private val written = Region(base + 0x2000, base + 0x3000)

  for {
    (name, scheme) <- Seq("one-time pad" -> Scheme.otp, "direct CBC" -> Scheme.cbc, "SNC" -> Scheme.snc)
    engines <- Seq(1, 2)
  } {
    test(s"$name, $engines engines: a region in plaintext is compared as it is, and the rest is encrypted") {
      def made = new Run(scheme, engines, regions = Seq(DramRegion(written, plain = true, 0)))
      val run = made
      val result = run.check()
      assert(result.complaint.isEmpty && result.plaintextWords == 0, result.complaint)
      val checked = result.checked.toMap
      assert(checked("blocks_in_plaintext_region") == 3 && checked("blocks_of_second_context") == 0)
      assert(checked("result_bytes") == 20 && checked("blocks_written") == 0)
      assert(run.dump.bytes(results.start, 20) sameElements resultBytes)

      run.flip(0x2110)
      assert(run.check().verdict.contains("checksum"))
      val shown = made
      shown.dump.put(base + 0x40, shown.made.plaintext.bytes(base + 0x40, 8))
      assert(shown.check().plaintextWords == 1)
      val counted = made
      counted.setCounter(0x2100, 1)
      assert(counted.check().verdict.contains("1 blocks left in plaintext have counters, the first at 0x80002100"))
    }

    test(s"$name, $engines engines: a second context is read with the key that its engine has for it") {
      def made = new Run(scheme, engines, regions = Seq(DramRegion(written, plain = false, 1)))
      val result = made.check()
      assert(result.complaint.isEmpty && result.plaintextWords == 0, result.complaint)
      val checked = result.checked.toMap
      assert(checked("blocks_in_plaintext_region") == 0 && checked("blocks_of_second_context") == 3)
      assert(checked("result_bytes") == 20 && checked("blocks_written") == 2)
      val words = entropy ++ moreEntropy.take(2 * engines)
      assert(made.check(words = entropy ++ words.drop(2).reverse).verdict.contains("checksum"))
      refused(
        "took 2 words",
        s"not the ${words.size} that make ${1 + engines} dynamic keys"
      )(made.check(words = entropy))
      refused("under another key")(made.check(words = words ++ entropy))
    }
  }

  test("SNC without replacement: what is direct is under the key of its context, and what is plain has no bit") {
    def verdict(regions: DramRegion*) = new Run(Scheme.sncFixed, 2, regions = regions).check().verdict
    assert(verdict(DramRegion(written, plain = false, 1)) == "pass")
    assert(verdict(DramRegion(written, plain = true, 0)) == "pass")
    // Of two that overlap the first counts
    assert(verdict(DramRegion(written, plain = true, 0), DramRegion(written, plain = false, 1)) == "pass")
  }

  test("a root counter is found up to what was written back, and not beyond") {
    val key = new ReferenceKey(dynamicKey)
    val line = randomBytes(64)
    for ((counter, most, expected) <- Seq((1, 1, 1), (5000, 5000, 5000), (5000, 9000, 5000), (5000, 4096, 0))) {
      val stored = ReferenceLineMac.seal(key, 3, 2, 17, counter, line)
      assert(TreeRoots.counter(key, 3, 2, 17, stored, most) == expected)
      assert(TreeRoots.counter(key, 3, 2, 18, stored, most) == 0)
    }
    assert(TreeRoots.counter(key, 3, 2, 17, new Array[Byte](64), 9000) == 0)
  }

  test("unprotected memory: contents are compared, and every word counts as plaintext") {
    val run = new Run(Scheme.otp, 0)
    val result = run.check()
    assert(result.verdict == "pass" && result.complaint.isEmpty)
    val nonZero = (base until base + 0x2080 by 8).count(run.dump.word(_) != 0) + 3
    assert(result.plaintextWords == nonZero)
    run.flip(0x1001)
    assert(run.check().verdict.contains("1 bytes of read-only segment 1"))
    assert(run.check().complaint.isDefined)
  }

  test("unprotected pages show what they hold") {
    // Code, constants, and data with results
    assert(new Run(Scheme.otp, 0).pages() match {
      case (result, pages) => pages == PageCount(3, 3) && result.complaint.isEmpty
    })
  }

  test("a program with nothing to check does not pass") {
    val description = Fixtures.description(engines = 0)
    val bare = elf.copy(segments = elf.segments.map(_.copy(flags = 7)), symbols = Nil)
    val made = ProgramPackage.make(soc(description), program(bare, soc(description)), keys)
    val dump = new Dram(base, new Array[Byte](dramBytes.toInt))
    val silent = uart.copy(checksum = None)
    assert(DramCheck(
      made,
      record("TestConfig", Nil, 0),
      silent,
      dump
    ).verdict.contains("neither results nor read-only segments"))
    assert(DramCheck(
      made,
      record("TestConfig", Nil, 0),
      uart,
      dump
    ).verdict.contains("does not say where its results are"))
  }

  test("records that do not belong together are refused") {
    val run = new Run(Scheme.otp, 1)
    refused("the run was on OtherConfig")(DramCheck(run.made, record("OtherConfig", entropy, 2), uart, run.dump))
    refused(
      "64 bytes",
      "dump all of it"
    )(DramCheck(run.made, record("TestConfig", entropy, 2), uart, new Dram(base, new Array[Byte](64))))
    refused("took 0 words of entropy", "boot ROM")(DramCheck(run.made, record("TestConfig", Nil, 2), uart, run.dump))
  }

  test("what the harness saw written in the clear counts against protected memory only") {
    for {
      (run, fails) <- Seq(new Run(Scheme.otp, 1) -> true, new Run(Scheme.otp, 0) -> false)
      seen <- Seq(0, 5)
    } {
      val watched = record("TestConfig", entropy, 2).copy(plaintextWrites = Some(seen))
      val result = DramCheck(run.made, watched, uart, run.dump)
      val expected =
        if (fails && seen > 0) "fail: 5 words of the image were written to DRAM in the clear during the run" else "pass"
      assert(result.verdict == expected)
    }
  }

  test("FNV-1a of published strings") {
    assert(Fnv1a(Array.empty) == BigInt("cbf29ce484222325", 16))
    assert(Fnv1a("a".getBytes) == BigInt("af63dc4c8601ec8c", 16))
    assert(Fnv1a("foobar".getBytes) == BigInt("85944171f73967e8", 16))
  }

  test("the UART log: the last line of a kind counts, other lines do not") {
    val log = UartLog.parse("hello\r\nchecksum 1\r\n checksum 00000000000000ff\r\nmy checksum 9\r\nchecksum many\r\n")
    assert(log == UartLog(Some(255)) && UartLog.parse("checksum many\r\n") == UartLog(None))
  }
}
