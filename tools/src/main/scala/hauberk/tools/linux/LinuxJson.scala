package hauberk.tools.linux

/** Linux's runs for other programs. Overheads are fractions; what a run did not yield is null. */
object LinuxJson {
  def apply(results: LinuxResults): ujson.Arr = ujson.Arr.from(results.runs.map { run =>
    ujson.Obj(
      "config" -> run.config,
      "cores" -> run.cores,
      "exit_code" -> run.run.exitCode,
      "boot_cycles" -> number(run.console.booted),
      "total_cycles" -> number(Some(run.cycles)),
      "boot_overhead" -> fraction(results.overhead(run, results.measures.head)),
      "total_overhead" -> fraction(results.overhead(run, results.measures.last)),
      "initialisation_cycles" -> number(run.run.initialisationCycles),
      "wall_seconds" -> run.wallSeconds,
      "kHz_cpu" -> run.kiloHertz,
      "programs" -> ujson.Arr.from(run.console.programs.map(program(results, run, _))),
      "protector" -> ujson.Obj.from(
        Seq("hits" -> run.run.hits, "misses" -> run.run.misses).map(count) ++ run.protector.map(count)
      ),
      "counter_hit_rate" -> fraction(run.hitRate),
      "dram" -> ujson.Obj.from(
        Seq(
          "data_reads" -> run.run.dram.dataReads,
          "data_writes" -> run.run.dram.dataWrites,
          "metadata_reads" -> run.run.dram.metadataReads,
          "metadata_writes" -> run.run.dram.metadataWrites
        ).map(count)
      ),
      "pages_used" -> number(run.check.map(_.pagesUsed)),
      "plaintext_pages_in_dram" -> number(run.check.map(_.plaintextPages)),
      "dram_check" -> run.check.fold[ujson.Value](ujson.Null)(check => ujson.Str(check.verdict))
    )
  })

  private def program(results: LinuxResults, run: LinuxRun, program: LinuxProgram) = ujson.Obj(
    "program" -> program.name,
    "exit_code" -> program.exitCode,
    "checksum" -> program.uart.checksum.fold[ujson.Value](ujson.Null)(value => ujson.Str(f"$value%016x")),
    "cycles" -> number(program.uart.cycles),
    "instret" -> number(program.uart.instret),
    "overhead" -> fraction(results.overhead(run, program.name))
  )

  private def count(named: (String, BigInt)): (String, ujson.Value) = named._1 -> ujson.Num(named._2.toDouble)
  private def number(value: Option[BigInt]): ujson.Value = fraction(value.map(_.toDouble))
  private def fraction(value: Option[Double]): ujson.Value = value.fold[ujson.Value](ujson.Null)(ujson.Num(_))
}
