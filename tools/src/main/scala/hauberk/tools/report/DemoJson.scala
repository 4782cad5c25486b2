package hauberk.tools.report

/** A demo as a list of runs, for other programs. What a run did not yield is null. */
object DemoJson {
  def apply(demo: Demo): ujson.Arr = ujson.Arr.from(demo.inOrder.map { run =>
    ujson.Obj(
      "config" -> run.config,
      "program" -> run.program,
      "exit_code" -> run.run.exitCode,
      "cycles" -> number(run.uart.cycles),
      "instret" -> number(run.uart.instret),
      "overhead" -> demo.overhead(run.config, run.program).fold[ujson.Value](ujson.Null)(ujson.Num(_)),
      "dram" -> ujson.Obj(
        "data_reads" -> number(run.run.dram.dataReads),
        "data_writes" -> number(run.run.dram.dataWrites),
        "metadata_reads" -> number(run.run.dram.metadataReads),
        "metadata_writes" -> number(run.run.dram.metadataWrites)
      ),
      "counter_cache" -> ujson.Obj("hits" -> number(run.run.hits), "misses" -> number(run.run.misses)),
      "plaintext_words_in_dram" -> number(run.plaintextWords),
      "dram_check" -> run.dramCheck
    )
  })

  private def number(count: BigInt): ujson.Value = ujson.Num(count.toDouble)
  private def number(count: Option[BigInt]): ujson.Value = count.fold[ujson.Value](ujson.Null)(number(_))
}
