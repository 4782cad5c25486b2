package hauberk.tools.report

import hauberk.tools.cli.ReportTool
import hauberk.tools.{Files, UserError}
import hauberk.tools.Fixtures.{inFolder, refused}
import java.nio.file.{Files => NioFiles, Path}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.matching.Regex

/** The demo's report on a folder of invented runs; no figure here was measured. */
class DemoSpec extends AnyFunSuite {
  private val configs = Seq("BaselineRocketConfig", "XomRocketConfig", "AegisOtpRocketConfig")
  private val factor = Map(configs(0) -> 1.0, configs(1) -> 1.5, configs(2) -> 1.25)
  private val cycles = Map("crc32" -> 1000, "fft" -> 4000)

  private def invent(folder: Path, config: String, program: String): Unit = {
    val guarded = config != configs.head
    val here = folder.resolve(config).resolve(program)
    val run = ujson.Obj(
      "config" -> config,
      "program" -> program,
      "exit_code" -> 0,
      "cycles" -> 1,
      "dram" -> ujson.Obj(
        "latency" -> 80,
        "cycles_per_beat" -> 5,
        "bus_bytes" -> 8,
        "outstanding" -> 8,
        "write_queue" -> 0,
        "data_reads" -> 11,
        "data_writes" -> 12,
        "metadata_reads" -> 13,
        "metadata_writes" -> 14
      ),
      "counter_cache" -> ujson.Obj("hits" -> (if (guarded) 90 else 0), "misses" -> (if (guarded) 10 else 0)),
      "entropy" -> ujson.Obj("words" -> ujson.Arr())
    )
    val check =
      ujson.Obj("protected" -> guarded, "plaintext_words_in_dram" -> (if (guarded) 0 else 77), "dram_check" -> "pass")
    Files.writeText(here.resolve("run.json"), run.render())
    Files.writeText(here.resolve("check.json"), check.render())
    Files.writeText(
      here.resolve("uart.log"),
      s"checksum 0\ncycles ${(cycles(program) * factor(config)).toInt}\ninstret 700\n"
    )
  }

  private def withRuns(body: Path => Unit): Unit = inFolder { folder =>
    for {
      config <- configs
      program <- cycles.keys
    } invent(folder, config, program)
    body(folder)
  }

  private def change(file: Path)(edit: ujson.Value => Unit): Unit = {
    val json = ujson.read(NioFiles.readAllBytes(file))
    edit(json)
    Files.writeText(file, json.render())
  }

  private def report(runs: Path, more: String*): (Int, Path, String) = {
    val out = runs.resolve("out")
    val errors = new java.io.ByteArrayOutputStream
    val code = Console.withErr(errors)(Console.withOut(new java.io.ByteArrayOutputStream) {
      ReportTool.run(Seq("demo", "--runs", runs.toString, "--out", out.toString) ++ more)
    })
    (code, out, errors.toString)
  }

  test("good runs: the list of runs, the table and the plot") {
    withRuns { runs =>
      val (code, out, errors) = report(runs)
      assert(code == 0 && errors.isEmpty)
      val list = ujson.read(NioFiles.readAllBytes(out.resolve("summary.json"))).arr
      assert(list.map(run => (run("program").str, run("config").str)) == cycles.keys.toSeq.sorted.flatMap(p =>
        configs.map(p -> _)
      ))
      val keys =
        "config program exit_code cycles instret overhead dram counter_cache plaintext_words_in_dram dram_check"
      assert(list.forall(_.obj.keys.toSet == keys.split(" ").toSet))
      assert(list.map(_("overhead").num) == Seq(0, 0.5, 0.25, 0, 0.5, 0.25))
      assert(list(1)("cycles").num == 1500 && list(1)("instret").num == 700)
      val traffic = ujson.Obj("data_reads" -> 11, "data_writes" -> 12, "metadata_reads" -> 13, "metadata_writes" -> 14)
      assert(list(1)("dram") == traffic)
      assert(list(1)("counter_cache") == ujson.Obj("hits" -> 90, "misses" -> 10))
      assert(list(0)("plaintext_words_in_dram").num == 77 && list(1)("dram_check").str == "pass")

      val text = Files.readText(out.resolve("summary.md"), "summary")
      val geometric = text.linesIterator.find(_.contains("geometric mean")).get
      assert(geometric.contains("+50.0 %") && geometric.contains("+25.0 %"))
      assert(text.contains("6 of 6 DRAM dumps") && text.contains("4 of 4 dumps of protected memory"))
      // Heights of the bars of each colour: two programs and the mean, 50 % for one configuration and 25 % for the other.
      val plot = Files.readText(out.resolve("overhead.svg"), "plot")
      def heights(colour: String) =
        ("d=\"M[0-9.]+ ([0-9.]+) L[0-9.]+ [0-9.]+ L[0-9.]+ ([0-9.]+) [^>]*fill:" + Regex.quote(colour)).r
          .findAllMatchIn(plot).map(bar => bar.group(2).toDouble - bar.group(1).toDouble).toSeq
      assert(heights("rgb(213,94,0)").size == 3 && heights("rgb(0,114,178)").size == 3)
      for ((xom, aegis) <- heights("rgb(213,94,0)").zip(heights("rgb(0,114,178)")))
        assert(xom > 100 && math.abs(xom / aegis - 2) < 0.01)
    }
  }

  test("the geometric mean is that of the ratios") {
    withRuns { runs =>
      Files.writeText(runs.resolve(configs(1)).resolve("crc32").resolve("uart.log"), "cycles 4000\ninstret 1\n")
      Files.writeText(runs.resolve(configs(1)).resolve("fft").resolve("uart.log"), "cycles 4000\ninstret 1\n")
      val mean = Demo.read(runs, configs, Nil).meanOverhead(configs(1)).get
      assert(math.abs(mean - 1.0) < 1e-12) // ratios 4 and 1
    }
  }

  private def fails(sentence: String)(spoil: Path => Unit): Unit = withRuns { runs =>
    spoil(runs)
    val (code, out, errors) = report(runs)
    assert(code == 1)
    assert(errors.linesIterator.size == 1 && errors.contains(sentence))
    assert(NioFiles.size(out.resolve("summary.json")) > 0 && NioFiles.size(out.resolve("overhead.svg")) > 0)
  }

  test("a program that failed fails the report") {
    fails("fft on XomRocketConfig ended with exit code 3")(runs =>
      change(runs.resolve("XomRocketConfig/fft/run.json"))(_("exit_code") = 3)
    )
    fails("fft on XomRocketConfig printed no cycles or no instret")(runs =>
      Files.writeText(runs.resolve("XomRocketConfig/fft/uart.log"), "checksum 0\n")
    )
  }

  test("a failed check fails the report, and so does one that was not made") {
    fails("crc32 on BaselineRocketConfig has the DRAM check 'fail: because'")(runs =>
      change(runs.resolve("BaselineRocketConfig/crc32/check.json"))(_("dram_check") = "fail: because")
    )
    fails("crc32 on XomRocketConfig has the DRAM check 'fail: not checked'")(runs =>
      NioFiles.delete(runs.resolve("XomRocketConfig/crc32/check.json"))
    )
  }

  test("plaintext in protected memory fails the report") {
    fails("crc32 on AegisOtpRocketConfig left 2 words in the clear in DRAM")(runs =>
      change(runs.resolve("AegisOtpRocketConfig/crc32/check.json"))(_("plaintext_words_in_dram") = 2)
    )
  }

  test("a missing run fails the report") {
    fails("fft on AegisOtpRocketConfig did not run")(runs =>
      NioFiles.delete(runs.resolve("AegisOtpRocketConfig/fft/run.json"))
    )
  }

  test("a configuration without any run fails the report, and still there is one") {
    fails("crc32 on BaselineRocketConfig did not run") { runs =>
      for (program <- cycles.keys) NioFiles.delete(runs.resolve(configs.head).resolve(program).resolve("run.json"))
    }
  }

  test("a program that was to run but did nowhere is missing") {
    withRuns { runs =>
      val (code, _, errors) = report(runs, "--programs", "crc32,fft,sha256")
      assert(code == 1)
      for (config <- configs) assert(errors.contains(s"sha256 on $config did not run"))
    }
  }

  test("different DRAM timings do not compare") {
    fails("different DRAM timings")(runs =>
      change(runs.resolve("XomRocketConfig/fft/run.json"))(_("dram")("latency") = 20)
    )
  }

  test("bad input is refused in one sentence") {
    withRuns { runs =>
      assert(report(runs.resolve("absent"))._1 == UserError.badInput)
      assert(report(runs, "--configs", "OneConfig")._1 == UserError.badInput)
      assert(report(runs, "--configs", "A,A")._1 == UserError.badInput)
      val empty = report(runs, "--configs", "OneConfig,OtherConfig")
      assert(empty._1 == UserError.badInput && empty._3.contains("there are no runs of OneConfig, OtherConfig"))
      Files.writeText(runs.resolve("XomRocketConfig/fft/run.json"), "[]")
      val broken = report(runs)
      assert(broken._1 == UserError.badInput && broken._3.contains("is not a JSON object"))
      invent(runs, "XomRocketConfig", "crc32")
      NioFiles.copy(
        runs.resolve("XomRocketConfig/crc32/run.json"),
        runs.resolve("XomRocketConfig/fft/run.json"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING
      )
      refused("holds the run of crc32 on XomRocketConfig")(Demo.read(runs, configs, Nil))
    }
  }
}
