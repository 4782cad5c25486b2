package hauberk.tools

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

/** The checker on DRAMs that were re-encrypted twice, and perhaps not wholly the second time. */
class RekeyedMemorySpec extends AnyFunSuite {
  private val words = entropy ++ moreEntropy
  private val Seq(gone, before, now) = dynamicKey +: secondKeys
  private val results = Region(base + 0x2108, base + 0x2308)
  private val resultBytes = randomBytes(512)
  private val uart = UartLog(Some(Fnv1a(resultBytes)))
  private val long = elf.copy(symbols =
    Seq("hauberk_results" -> results.start.toLong, "hauberk_results_end" -> results.end.toLong)
  )

  /** Eleven blocks that were written: data, nine of results (0x84 to 0x8c), and one that nobody knows anything of.
    *
    * @param pointer blocks before this one are under the last key, the others under the one before
    * @param strange blocks that are under other keys all the same
    * @param more    blocks that were written too
    */
  private class Run(scheme: Scheme, pointer: Int, strange: Map[Int, Array[Byte]] = Map.empty, more: Seq[Int] = Nil) {
    private val described = soc(description(scheme))
    private val made = ProgramPackage.make(described, program(long, described), keys)
    private def under(block: BigInt): Array[Byte] = strange.getOrElse(block.toInt, if (block < pointer) now else before)
    val left = new LeftMemory(made, scheme, 1, under)
    val dump: Dram = left.dump
    val layout: MetadataLayout = MetadataLayout(dramBytes, 64, scheme.shape)

    more.foreach(block => left.write(64 * block, made.plaintext.bytes(base + 64 * block, 64)))
    left.write(0x2000, randomBytes(64))
    (new Array[Byte](8) ++ resultBytes ++ new Array[Byte](56)).grouped(64).zipWithIndex.foreach { case (bytes, i) =>
      left.write(0x2100 + 64 * i, bytes)
    }
    left.write(0x4000, randomBytes(64))
    left.flush()

    def flip(offset: Int): Unit = dump.content(offset) = (dump.content(offset) ^ 1).toByte

    /** So many beats of a block have been written under the current key, with counter 1, when the machine stops. */
    def half(block: Int, beats: Int): Unit = {
      val model = new ReferenceModel(scheme.mode, layout, 0)
      val stored = dump.bytes(base + 64 * block, 64)
      val plain = model.decrypt(ProtectionKeys(keys.static, under(block)), block, left.counter(64 * block), stored)
      val fresh = model.encrypt(ProtectionKeys(keys.static, now), block, 1, plain)
      dump.put(base + 64 * block, fresh.take(8 * beats) ++ stored.drop(8 * beats))
    }

    def check(words: Seq[BigInt] = words): CheckResult =
      DramCheck(made, RunRecord("TestConfig", "test", 20, 1000, words, None), uart, dump)
  }

  /** Blocks under the current key, under the one before, and under one of the two. */
  private def uses(result: CheckResult): (Int, Int, Int) = {
    assert(result.verdict == "pass" && result.plaintextWords == 0)
    val checked = result.checked.toMap
    val listed = Seq("under_current_key", "under_previous_key", "under_either_key", "being_reencrypted")
    assert(checked("dynamic_keys") == 3 && checked("blocks_written") == listed.map(use => checked(s"blocks_$use")).sum)
    (
      checked("blocks_under_current_key").toInt,
      checked("blocks_under_previous_key").toInt,
      checked("blocks_under_either_key").toInt
    )
  }

  private val end = 1 << 10
  private val tagged = Seq("hash tree" -> Scheme.hashTree, "block tags" -> Scheme.blockTags)

  test("without tags, the results tell how far re-encryption had come, as far as they reach") {
    for {
      scheme <- Seq(Scheme.otp, Scheme.cbc)
      (pointer, expected) <- Seq(
        0 -> ((0, 10, 1)),
        0x84 -> ((0, 10, 1)),
        0x85 -> ((2, 9, 0)),
        0x88 -> ((5, 6, 0)),
        0x8c -> ((9, 2, 0)),
        0x8d -> ((10, 0, 1)),
        end -> ((10, 0, 1))
      )
    } assert(uses(new Run(scheme, pointer).check()) == expected, s"$scheme, $pointer")
  }

  for ((name, scheme) <- tagged) test(s"$name: tags tell of every block") {
    for ((pointer, current) <- Seq(0 -> 0, 0x84 -> 1, 0x85 -> 2, 0x88 -> 5, 0x8d -> 10, 0x100 -> 10, end -> 11))
      assert(uses(new Run(scheme, pointer).check()) == ((current, 11 - current, 0)), pointer)
  }

  test("read-only blocks that were written tell, too") {
    assert(uses(new Run(Scheme.otp, 0x41, more = Seq(0x40)).check()) == ((1, 10, 1)))
    assert(uses(new Run(Scheme.otp, end, more = Seq(0x3, 0x40)).check()) == ((12, 0, 1)))
    val wrong = new Run(Scheme.otp, 0x41, strange = Map(0x40 -> gone), more = Seq(0x40))
    assert(wrong.check().verdict.contains("of read-only segment 1"))
  }

  for {
    pointer <- Seq(0, 0x88, end)
    block <- Seq(0x84, 0x87, 0x8c)
  } {
    test(s"a block $block under a key long gone is reported, the pointer being at $pointer") {
      assert(new Run(Scheme.otp, pointer, Map(block -> gone)).check().verdict.contains("the program printed 0x"))
      for ((_, scheme) <- tagged) {
        val verdict = new Run(scheme, pointer, Map(block -> gone)).check().verdict
        val place = Hex(base + 64 * block)
        assert(verdict.contains(s"the tags of 1 blocks do not verify, the first at $place"))
        assert(verdict.contains(s"1 of them are under a key that had been replaced, the first at $place"))
      }
    }
  }

  test("a block under the key before, where the sweep had already been, is reported") {
    val verdict = new Run(Scheme.hashTree, end, Map(0x86 -> before)).check().verdict
    assert(verdict.contains(s"1 of them are under a key that had been replaced, the first at ${Hex(base + 0x2180)}"))
    assert(new Run(Scheme.otp, 0x8d, Map(0x86 -> before)).check().verdict.contains("the program printed 0x"))
  }

  test("a block that was being re-encrypted when the machine stopped is read, in however many parts") {
    def halfway(result: CheckResult) = result.checked.toMap.apply("blocks_being_reencrypted")
    for {
      beats <- 0 to 8
      (name, scheme) <- ("one-time pad" -> Scheme.otp) +: tagged
    } {
      val run = new Run(scheme, 0x87)
      val old = run.left.counter(64 * 0x87).toLong
      run.half(0x87, beats)
      // Its timestamp was flushed before, or is the new one already; with tags, the old one is found in either case
      for (counter <- if (scheme == Scheme.otp) Seq(old) else Seq(old, 1L)) {
        run.left.setCounter(64 * 0x87, counter)
        val result = run.check()
        val isUntouched = beats == 0 && counter != 1
        assert(uses(result) == ((4, if (isUntouched) 7 else 6, 0)), s"$name, $beats beats, $counter")
        assert(halfway(result) == (if (isUntouched) 0 else 1))
      }
    }
    val spoilt = new Run(Scheme.hashTree, 0x87)
    spoilt.half(0x87, 5)
    spoilt.flip(0x21c1)
    assert(spoilt.check().verdict.contains(s"the tags of 1 blocks do not verify, the first at ${Hex(base + 0x21c0)}"))
  }

  test("a flipped bit in data, tag or node is found in re-encrypted memory") {
    for (pointer <- Seq(0x88, end)) {
      def spoilt(scheme: Scheme)(address: MetadataLayout => BigInt): String = {
        val run = new Run(scheme, pointer)
        val at = address(run.layout).toInt
        run.flip(at)
        run.check().verdict
      }
      assert(spoilt(Scheme.otp)(_ => 0x2180).contains("the program printed 0x"))
      assert(spoilt(Scheme.otp)(_ => 0x1000).contains("read-only segment 1"))
      assert(spoilt(Scheme.hashTree)(_ => 0x4000).contains("the tags of 1 blocks do not verify"))
      assert(spoilt(Scheme.hashTree)(_.tagAddress(0x100)).contains("lines of metadata do not verify"))
      assert(spoilt(Scheme.hashTree)(_.levels.head.base + 64 * (0x100 / 64)).contains("not verify"))
    }
  }

  test("a word of a key that was not there yet counts for nothing") {
    assert(uses(new Run(Scheme.otp, 0x88).check()) == ((5, 6, 0)))
    val result = new Run(Scheme.otp, 0x88).check(words :+ BigInt(5))
    assert(result.verdict == "pass" && result.checked.toMap.apply("blocks_under_current_key") == 5)
  }

  test("keys that were there before memory was re-encrypted are no longer enough") {
    assert(new Run(Scheme.otp, end).check(entropy).verdict.contains("the program printed 0x"))
    assert(new Run(Scheme.otp, end).check(entropy ++ moreEntropy.take(2)).verdict.contains("the program printed 0x"))
    assert(!new Run(Scheme.otp, end).check(entropy).checked.toMap.contains("dynamic_keys"))
  }

  test("what cannot be known, or cannot be, is refused") {
    def keysOf(scheme: Scheme, engines: Int) =
      RunKeys(soc(description(scheme, engines)).protection.get, keys.static, words)
    assert(keysOf(Scheme.otp, 1).before.map(_.dynamic.toSeq) == Seq(before.toSeq, gone.toSeq))
    refused("took 6 words of entropy", "of 2 engines it is not recorded which took which")(keysOf(Scheme.otp, 2))
    for (scheme <- Seq(Scheme.bonsai, Scheme.perAddress, Scheme.snc, Scheme.xts))
      refused("took 6 words of entropy, more than the 2 that make a dynamic key")(keysOf(scheme, 1))
  }
}
