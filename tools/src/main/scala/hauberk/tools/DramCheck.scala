package hauberk.tools

/** What became of a check.
  *
  * @param isProtected    whether DRAM was to hold no plaintext
  * @param plaintextWords non-zero words of image and results that stand unencrypted at their places, where they should not
  * @param failures       what in DRAM is not as it should be, a phrase each
  * @param checked        how much was looked at
  * @param pages          what is to be seen of all pages of DRAM, if that was asked for
  */
case class CheckResult(
    config: String,
    program: String,
    isProtected: Boolean,
    plaintextWords: Int,
    failures: Seq[String],
    checked: Seq[(String, BigInt)],
    pages: Option[PageCount] = None
) {
  def verdict: String = if (failures.isEmpty) "pass" else s"fail: ${failures.mkString("; ")}"

  /** Why the check failed, if it did. */
  def complaint: Option[String] = {
    val leak = if (isProtected && plaintextWords > 0) Seq(s"$plaintextWords words stand in the clear in DRAM") else Nil
    val leakedPages = pages.filter(isProtected && _.plaintext > 0).map(found =>
      s"${found.plaintext} pages of DRAM show plaintext"
    )
    Some(leak ++ leakedPages ++ failures).filter(_.nonEmpty).map(_.mkString("; "))
  }

  def toJson: ujson.Obj = {
    val pageCounts = pages.toSeq.flatMap(found =>
      Seq[(String, ujson.Value)]("pages_used" -> found.used, "plaintext_pages_in_dram" -> found.plaintext)
    )
    ujson.Obj.from(
      Seq[(String, ujson.Value)](
        "config" -> config,
        "program" -> program,
        "protected" -> isProtected,
        "plaintext_words_in_dram" -> plaintextWords,
        "dram_check" -> verdict,
        "checked" -> ujson.Obj.from(checked.map { case (what, count) => what -> ujson.Num(count.toDouble) })
      ) ++ pageCounts
    )
  }
}

/** Judges the DRAM that a program left, from outside, by the reference model:
  *   - read-only segments decrypt to what the program file has there;
  *   - every block of the image whose counter is 0, so that nobody wrote it, decrypts to the image;
  *   - the results decrypt to bytes whose checksum is the one the program printed;
  *   - no counter is larger than the blocks that were written to DRAM can have made it;
  *   - the tags of all blocks that have one verify, and so do the lines of the trees above counters or tags;
  *   - the harness, if it watched, saw no word of the image written in the clear;
  *   - no non-zero word of the image or of the results stands unencrypted at its place.
  *
  * Where memory was re-encrypted under new keys, every block is under the last of them or, if that was not over, the one before, on either side
  * of one place in memory; tags say where it is, or what is known of the contents does ([[Sweep]]).
  *
  * Regions that are left in plaintext are compared as they are, and may show everything, but have no counters. What is of the second context
  * is read with its key, which the run's record has the entropy of.
  */
object DramCheck {

  /** @param pages count pages of all of DRAM, too */
  def apply(made: ProgramPackage, run: RunRecord, uart: UartLog, dump: Dram, pages: Boolean = false): CheckResult = {
    val soc = made.soc
    UserError.unless(run.config == soc.config)(
      s"the run was on ${run.config}, but its package is for ${soc.config}: give the package that was run"
    )
    UserError.unless(dump.content.length == soc.dramBytes)(
      s"the dump has ${dump.content.length} bytes, but the DRAM of ${soc.config} has ${soc.dramBytes}: dump all of it"
    )
    new DramCheck(made, run, uart, dump, dumped(made, run, uart, dump), pages).result
  }

  /** What the run's record has of the counters that tiles kept; none where they keep none. */
  private def sharedBusOf(run: RunRecord, protection: DramProtection): Option[SharedBusRecord] =
    if (protection.counterFormat != CounterFormat.Announced) None
    else if (run.sharedBus.nonEmpty) run.sharedBus
    else
      throw new UserError(
        "the run record has nothing of what tiles said of counters (pads): run it with this simulator again"
      )

  private def dumped(made: ProgramPackage, run: RunRecord, uart: UartLog, dump: Dram): Option[DumpedDram] =
    for {
      protection <- made.soc.protection
      keys <- made.keys
    } yield {
      val known = KnownMemory(made, uart)
      val sharedBus = sharedBusOf(run, protection)
      val runKeys = sharedBus.fold(RunKeys(protection, keys.static, run.entropy))(TilePads.keys(keys, _))
      new DumpedDram(
        made.soc,
        protection,
        runKeys,
        made.imageBlocks,
        dump,
        run.metadataWrites,
        run.dataWrites,
        known,
        sharedBus.fold(Map.empty[BigInt, BigInt])(_.counters)
      )
    }
}

/** Compares a dump with what the program should have left. */
private class DramCheck(
    made: ProgramPackage,
    run: RunRecord,
    uart: UartLog,
    dump: Dram,
    dram: Option[DumpedDram],
    pages: Boolean
) {
  private val block = made.soc.blockBytes
  private val readOnly = made.program.segments.filterNot(_.writable)
  private val imageBlocks = made.plaintext.base until made.plaintext.end by block

  private val decrypted = collection.mutable.Map.empty[BigInt, Array[Byte]]

  /** What the core would read of a block. */
  private def decryptedBlock(address: BigInt): Array[Byte] =
    decrypted.getOrElseUpdate(address, dram.fold(dump.bytes(address, block))(_.decrypt(address)))

  private def decrypt(region: Region): Array[Byte] = region.read(block, decryptedBlock)

  // Results under counters that never leave the chip cannot be read from outside
  private val hidden = made.program.results.exists(region =>
    dram.exists(memory => region.blocks(block).exists(memory.state(_) == BlockState.Unknown))
  )
  private val resultBytes = made.program.results.filterNot(_ => hidden).map(region => region -> decrypt(region))
  private val untouched = dram.toSeq.flatMap(memory => imageBlocks.filter(isUntouched(memory, _)))
  private val counters = dram.toSeq.flatMap(_.counters.filter(_ != 0))
  private val (integrityFailures, verified) = dram.fold((Seq.empty[String], 0))(_.verification)

  /** Nobody wrote the block, for certain; without counters at all, that is known of what is read-only alone. */
  private def isUntouched(memory: DumpedDram, address: BigInt): Boolean =
    memory.state(address) == BlockState.Counted(0) && memory.hasCounters

  private def readOnlyFailures: Seq[String] = readOnly.flatMap { segment =>
    val found = decrypt(Region(segment.address, segment.address + segment.data.length))
    val wrong = segment.data.indices.filter(i => found(i) != segment.data(i))
    wrong.headOption.map(first =>
      s"${wrong.size} bytes of read-only $segment differ from the program, from ${Hex(segment.address + first)} on"
    )
  }

  private def untouchedFailures: Seq[String] = {
    val wrong =
      untouched.filterNot(address => decryptedBlock(address).sameElements(made.plaintext.bytes(address, block)))
    wrong.headOption.map(first =>
      s"${wrong.size} blocks that nobody wrote do not decrypt to the image, the first at ${Hex(first)}"
    ).toSeq
  }

  private def resultFailures: Seq[String] = (resultBytes, uart.checksum) match {
    case _ if hidden => Nil
    case (Some((region, bytes)), Some(checksum)) if Fnv1a(bytes) != checksum =>
      Seq(s"the results ($region) have the checksum ${Hex(Fnv1a(bytes))}, but the program printed ${Hex(checksum)}")
    case (Some(_), None) => Seq("the program printed no checksum of its results")
    case (None, Some(_)) =>
      Seq("the program printed a checksum, but does not say where its results are (hauberk_results)")
    case (None, None) if readOnly.isEmpty =>
      Seq("the program has neither results nor read-only segments that could be checked")
    case _ => Nil
  }

  private def counterFailures: Seq[String] =
    dram.toSeq.flatMap { memory =>
      if (counters.forall(memory.writesFor(_) <= run.dataWrites)) None
      else Some(
        s"a counter is ${counters.map(memory.writesFor).max}, but only ${run.dataWrites} blocks were written to DRAM"
      )
    }

  private def writeFailures: Seq[String] = run.plaintextWrites.filter(made.soc.isProtected && _ > 0).toSeq.map {
    count =>
      s"$count words of the image were written to DRAM in the clear during the run"
  }

  private def isPlain(address: BigInt): Boolean = made.soc.protection.exists(_.isPlain(address))
  private def isSecond(address: BigInt): Boolean = made.soc.protection.exists(_.context(address) > 0)
  private val places = (imageBlocks ++ made.program.results.toSeq.flatMap(_.blocks(block))).distinct

  // Results whose plaintext cannot be had by decryption, because it already is plaintext.
  private val resultsInClear: Option[Region] = made.program.results.filter { region =>
    uart.checksum.contains(Fnv1a(dump.bytes(region.start, region.size.toInt)))
  }

  private def plaintextWords: Int =
    places.filterNot(isPlain).map { home =>
      val read = new Dram(home, decryptedBlock(home))
      (home until home + block by 8).count { address =>
        val stored = dump.word(address)
        val inImage = made.plaintext.contains(address, 8)
        val inResults = made.program.results.exists(overlaps(_, address))
        val isImage = inImage && stored == made.plaintext.word(address)
        val isRead = (inImage || inResults) && stored == read.word(address)
        stored != 0 && (isImage || isRead || resultsInClear.exists(overlaps(_, address)))
      }
    }.sum

  private def overlaps(region: Region, word: BigInt) = word + 8 > region.start && word < region.end

  private def regionCounts: Seq[(String, BigInt)] =
    if (made.soc.protection.forall(_.regions.isEmpty)) Nil
    else
      Seq(
        "blocks_in_plaintext_region" -> places.count(isPlain),
        "blocks_of_second_context" -> places.count(address => isSecond(address) && !isPlain(address))
      )

  private def keyCounts: Seq[(String, BigInt)] = dram.flatMap(_.keyUse).toSeq.flatMap { use =>
    Seq[(String, BigInt)](
      "dynamic_keys" -> run.entropy.size / 2,
      "blocks_under_current_key" -> use.current,
      "blocks_under_previous_key" -> use.previous,
      "blocks_under_either_key" -> use.either,
      "blocks_being_reencrypted" -> use.halfway
    )
  }

  def result: CheckResult = CheckResult(
    run.config,
    run.program,
    made.soc.isProtected,
    plaintextWords,
    readOnlyFailures ++ untouchedFailures ++ resultFailures ++ counterFailures ++ integrityFailures ++
      writeFailures,
    regionCounts ++ keyCounts ++ Seq[(String, BigInt)](
      "read_only_bytes" -> readOnly.map(segment => BigInt(segment.data.length)).sum,
      "result_bytes" -> resultBytes.fold(BigInt(0)) { case (region, _) => region.size },
      "image_blocks" -> imageBlocks.size,
      "image_blocks_never_written" -> untouched.size,
      "blocks_written" -> counters.size,
      "tags_verified" -> verified,
      "largest_counter" -> counters.foldLeft(BigInt(0))(_ max _)
    ),
    if (pages) Some(new DramPages(made, dump, decryptedBlock).count) else None
  )
}
