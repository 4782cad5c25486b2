package hauberk.tools

import hauberk.memory._
import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

/** The checker on DRAMs made by hand: those a program may leave pass, and each way to spoil one is found. */
class DramCheckSpec extends AnyFunSuite {
  private val keyPair = ProtectionKeys(keys.static, dynamicKey)
  private val results = Region(base + 0x2108, base + 0x211c)
  private val resultBytes = randomBytes(20)
  private val uart = UartLog(Some(Fnv1a(resultBytes)), Some(1000), Some(500))

  /** What a run left: the image, with written data and results under the dynamic key. */
  private class Run(mode: String, engines: Int) {
    val made: ProgramPackage =
      ProgramPackage.make(soc(description(mode, engines)), program(elf, soc(description(mode, engines))), keys)
    val dump = new Dram(base, new Array[Byte](dramBytes.toInt))
    private val members = Seq(OneTimePad, DirectCbc())
    private var writes = 0
    made.image.content.copyToArray(dump.content)

    private val data = made.plaintext.bytes(base + 0x2000, 64)
    write(0x2000, data.reverse)
    write(0x2100, new Array[Byte](8) ++ resultBytes ++ new Array[Byte](36))

    /** A block written by the program, encrypted here without the tools' own code. */
    def write(offset: Int, plain: Array[Byte]): Unit = {
      writes += 1
      if (engines == 0) dump.put(base + offset, plain)
      else {
        val number = offset / 64
        val layout = MetadataLayout(dramBytes / engines, 64, 4)
        val model = new ReferenceModel(members.find(_.name == mode).get, layout, number % engines)
        dump.put(base + offset, model.encrypt(keyPair, number / engines, writes, plain))
        setCounter(offset, writes)
      }
    }

    def setCounter(offset: Int, counter: Int): Unit = {
      val number = offset / 64
      val layout = MetadataLayout(dramBytes / engines, 64, 4)
      val local = layout.counterAddress(number / engines)
      val address = base + local / 64 * 64 * engines + (number % engines) * 64 + local % 64
      dump.put(address, Array(counter, counter >> 8, counter >> 16, counter >> 24).map(_.toByte))
    }

    def flip(offset: Int): Unit = dump.content(offset) = (dump.content(offset) ^ 1).toByte

    def check(uart: UartLog = uart, dataWrites: Int = writes): CheckResult =
      DramCheck(made, record("TestConfig", entropy, dataWrites), uart, dump)
  }

  private def record(config: String, words: Seq[BigInt], dataWrites: Int) =
    RunRecord(config, "test", 0, DramTiming(80, 5, 8), DramTraffic(0, dataWrites, 0, 0), 0, 0, words, None)

  private val protectedRuns = for {
    mode <- Seq("one-time pad", "direct CBC")
    engines <- Seq(1, 2)
  } yield (mode, engines)

  for ((mode, engines) <- protectedRuns) {
    def failure(spoil: Run => Unit): String = {
      val run = new Run(mode, engines)
      spoil(run)
      val result = run.check()
      assert(result.complaint.isDefined)
      result.verdict
    }

    test(s"$mode, $engines engines: what a program may leave passes") {
      val result = new Run(mode, engines).check()
      assert(result.verdict == "pass" && result.plaintextWords == 0 && result.complaint.isEmpty)
      val checked = result.checked.toMap
      assert(checked("read_only_bytes") == 500 && checked("result_bytes") == 20 && checked("blocks_written") == 2)
      assert(checked("image_blocks") == 0x2080 / 64 && checked("image_blocks_never_written") == 0x2080 / 64 - 1)
      assert(checked("largest_counter") == 2)
    }

    test(s"$mode, $engines engines: a flipped bit is found, wherever it is") {
      assert(failure(_.flip(0x81)).contains("of read-only segment 0"))
      assert(failure(_.flip(0x1000)).contains("read-only segment 1 (0x80001000 to 0x800010c7) differ"))
      assert(failure(_.flip(0x2055)).contains("the first at 0x80002040"))
      assert(failure(_.flip(0x2110)).contains("the program printed 0x"))
      // Between segments, where nothing was loaded but zeros.
      assert(failure(
        _.flip(0x800)
      ).contains("1 blocks that nobody wrote do not decrypt to the image, the first at 0x80000800"))
    }

    test(s"$mode, $engines engines: a block moved, or put back as it was, is found") {
      assert(failure(run => run.dump.put(base, run.made.image.bytes(base + 64, 64))).contains("read-only"))
      assert(failure(run => run.dump.put(base + 0x2100, new Array[Byte](64))).contains("checksum"))
    }

    test(s"$mode, $engines engines: a false counter is found") {
      assert(failure(_.setCounter(0, 1)).contains("read-only"))
      assert(failure(_.setCounter(0x2100, 1)).contains("checksum"))
      assert(failure(_.setCounter(0x8000, 3)).contains("a counter is 3, but only 2 blocks were written"))
      assert(failure(_.setCounter(0x8000, -1)).contains(s"a counter is ${0xffffffffL}"))
    }

    test(s"$mode, $engines engines: plaintext of the image is counted word by word") {
      val run = new Run(mode, engines)
      run.dump.put(base + 0x40, run.made.plaintext.bytes(base + 0x40, 16))
      run.dump.put(base + 0x1008, run.made.plaintext.bytes(base + 0x1008, 8))
      // Zeros are not counted: that a word is zero says nothing.
      run.dump.put(base + 0x800, new Array[Byte](64))
      val result = run.check()
      assert(result.plaintextWords == 3)
      assert(result.complaint.exists(_.startsWith("3 words stand in the clear in DRAM; ")))
    }

    test(s"$mode, $engines engines: plaintext is counted in blocks written since, too") {
      val run = new Run(mode, engines)
      run.dump.put(base + 0x2010, run.made.plaintext.bytes(base + 0x2010, 8))
      assert(run.check().plaintextWords == 1)
    }

    test(s"$mode, $engines engines: results in the clear are counted") {
      val run = new Run(mode, engines)
      run.dump.put(results.start, resultBytes)
      // 20 bytes touch three words.
      assert(run.check().plaintextWords == 3)
    }

    test(s"$mode, $engines engines: what the program prints must agree") {
      val run = new Run(mode, engines)
      assert(run.check(uart.copy(checksum = Some(1))).verdict.contains("the program printed 0x1"))
      assert(run.check(uart.copy(checksum = None)).verdict == "fail: the program printed no checksum of its results")
    }

    test(s"$mode, $engines engines: another dynamic key does not decrypt the results") {
      val run = new Run(mode, engines)
      val other = DramCheck(run.made, record("TestConfig", entropy.reverse, 2), uart, run.dump)
      assert(other.verdict.contains("checksum"))
    }
  }

  test("unprotected memory: contents are compared, and every word counts as plaintext") {
    val run = new Run("none", 0)
    val result = run.check()
    assert(result.verdict == "pass" && result.complaint.isEmpty)
    val nonZero = (base until base + 0x2080 by 8).count(run.dump.word(_) != 0) + 3
    assert(result.plaintextWords == nonZero)
    run.flip(0x1001)
    assert(run.check().verdict.contains("1 bytes of read-only segment 1"))
    assert(run.check().complaint.isDefined)
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
    val run = new Run("one-time pad", 1)
    refused("the run was on OtherConfig")(DramCheck(run.made, record("OtherConfig", entropy, 2), uart, run.dump))
    refused(
      "64 bytes",
      "dump all of it"
    )(DramCheck(run.made, record("TestConfig", entropy, 2), uart, new Dram(base, new Array[Byte](64))))
    refused("took 0 words of entropy", "boot ROM")(DramCheck(run.made, record("TestConfig", Nil, 2), uart, run.dump))
  }

  test("what the harness saw written in the clear counts against protected memory only") {
    for {
      (run, fails) <- Seq(new Run("one-time pad", 1) -> true, new Run("none", 0) -> false)
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
    val log =
      UartLog.parse("hello\r\nchecksum 1\r\nchecksum 00000000000000ff\r\n cycles 12\r\ninstret many\r\nmy cycles 9\r\n")
    assert(log == UartLog(Some(255), Some(12), None))
  }
}
