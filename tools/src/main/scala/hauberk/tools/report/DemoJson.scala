package hauberk.tools.report

/** A demo as a list of runs, for other programs. What a run did not yield is null. */
object DemoJson {
  def apply(demo: Demo): ujson.Arr = ujson.Arr.from(demo.inOrder.map { run =>
    ujson.Obj(
      "config" -> run.config,
      "program" -> run.program,
      "exit_code" -> run.exitCode,
      "cycles" -> number(run.uart.cycles),
      "instret" -> number(run.uart.instret),
      "overhead" -> orNull(demo.overhead(run.config, run.program))(ujson.Num(_)),
      "dram" -> orNull(run.dram)(dram =>
        ujson.Obj(
          "data_reads" -> number(dram.dataReads),
          "data_writes" -> number(dram.dataWrites),
          "metadata_reads" -> number(dram.metadataReads),
          "metadata_writes" -> number(dram.metadataWrites)
        )
      ),
      "counter_cache" -> orNull(run.lookups)(found =>
        ujson.Obj("hits" -> number(found.hits), "misses" -> number(found.misses))
      ),
      "plaintext_words_in_dram" -> number(run.plaintextWords),
      "dram_check" -> orNull(run.verdict)(ujson.Str(_))
    )
  })

  private def number(count: BigInt): ujson.Value = ujson.Num(count.toDouble)
  private def number(count: Option[BigInt]): ujson.Value = orNull(count)(number(_))
  private def orNull[T](value: Option[T])(json: T => ujson.Value): ujson.Value =
    value.fold[ujson.Value](ujson.Null)(json)
}
