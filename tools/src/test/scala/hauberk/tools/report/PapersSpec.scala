package hauberk.tools.report

import hauberk.tools.cli.ReportTool
import hauberk.tools.{Files, UserError}
import hauberk.tools.Fixtures.inFolder
import java.nio.file.{Files => NioFiles, Path}
import org.scalatest.funsuite.AnyFunSuite

/** The report of the papers' studies on a folder of invented runs; no figure here was measured. */
class PapersSpec extends AnyFunSuite {
  private val plan = ujson.Obj(
    "title" -> "Two studies",
    "dram" -> ujson.Obj(
      "near" -> ujson.Obj("latency" -> 20, "beat" -> 1),
      "far" -> ujson.Obj("latency" -> 100, "beat" -> 1)
    ),
    "programs" -> ujson.Obj("all" -> ujson.Arr("crc32", "fft")),
    "studies" -> ujson.Arr(
      ujson.Obj(
        "name" -> "schemes",
        "title" -> "Schemes",
        "source" -> "Figure 1",
        "note" -> "Invented.",
        "x_axis" -> "",
        "dram" -> "near",
        "baseline" -> "PlainConfig",
        "programs" -> "all",
        "points" -> ujson.Arr(
          ujson.Obj(
            "series" -> "pads",
            "config" -> "PadsConfig",
            "paper" -> ujson.Obj("mean" -> 0.0128, "note" -> "of 11")
          ),
          ujson.Obj("series" -> "direct", "config" -> "DirectConfig", "paper" -> ujson.Obj("worst" -> 0.32))
        )
      ),
      ujson.Obj(
        "name" -> "latency",
        "title" -> "Latency",
        "source" -> "Figure 2",
        "note" -> "",
        "x_axis" -> "latency",
        "dram" -> "near",
        "baseline" -> "PlainConfig",
        "programs" -> "all",
        "points" -> ujson.Arr(
          ujson.Obj("series" -> "pads", "x" -> "20", "config" -> "PadsConfig"),
          ujson.Obj("series" -> "pads", "x" -> "100", "config" -> "PadsConfig", "dram" -> "far")
        )
      )
    ),
    "bounds" -> ujson.Arr(
      ujson.Obj("figure" -> "pads in the mean", "study" -> "schemes", "series" -> "pads", "at_most" -> 1.0)
    )
  )

  // Cycles by DRAM, configuration and program
  private val cycles = Map(
    ("near", "PlainConfig") -> Seq(1000, 2000),
    ("near", "PadsConfig") -> Seq(4000, 2000), // ratios 4 and 1: the geometric mean is 2
    ("near", "DirectConfig") -> Seq(1500, 3000),
    ("far", "PlainConfig") -> Seq(2000, 4000),
    ("far", "PadsConfig") -> Seq(3000, 6000)
  )

  private def invent(runs: Path): Unit = for {
    ((dram, config), figures) <- cycles
    (program, count) <- Seq("crc32", "fft").zip(figures)
  } {
    val here = runs.resolve(dram).resolve(config).resolve(program)
    val guarded = config != "PlainConfig"
    val run = ujson.Obj(
      "config" -> config,
      "program" -> program,
      "exit_code" -> 0,
      "initialisation_cycles" -> (if (guarded) 614400 else 0),
      "dram" -> ujson.Obj(
        "latency" -> plan("dram")(dram)("latency"),
        "cycles_per_beat" -> 1,
        "bus_bytes" -> 8,
        "outstanding" -> 8,
        "write_queue" -> 4,
        "data_reads" -> 30,
        "data_writes" -> 10,
        "metadata_reads" -> (if (guarded) 3 else 0),
        "metadata_writes" -> (if (guarded) 1 else 0)
      ),
      "counter_cache" -> ujson.Obj("hits" -> (if (guarded) 90 else 0), "misses" -> (if (guarded) 10 else 0)),
      "entropy" -> ujson.Obj("words" -> ujson.Arr())
    )
    val check = ujson.Obj("protected" -> guarded, "plaintext_words_in_dram" -> 0, "dram_check" -> "pass")
    Files.writeText(here.resolve("run.json"), run.render())
    Files.writeText(here.resolve("check.json"), check.render())
    Files.writeText(here.resolve("uart.log"), s"checksum 0\ncycles $count\ninstret 700\n")
  }

  /** Reports on invented runs that were tampered with; exit code, folder of the results, standard error. */
  private def report(more: String*)(spoil: (ujson.Value, Path) => Unit)(body: (Int, Path, String) => Unit): Unit =
    inFolder { folder =>
      invent(folder.resolve("runs"))
      val changed = ujson.copy(plan)
      spoil(changed, folder.resolve("runs"))
      Files.writeText(folder.resolve("plan.json"), changed.render())
      val errors = new java.io.ByteArrayOutputStream
      val arguments = Seq("--plan" -> "plan.json", "--runs" -> "runs", "--out" -> "out").flatMap { case (name, file) =>
        Seq(name, folder.resolve(file).toString)
      }
      val code = Console.withErr(errors)(Console.withOut(new java.io.ByteArrayOutputStream) {
        ReportTool.run(("papers" +: arguments) ++ more)
      })
      body(code, folder.resolve("out"), errors.toString)
    }

  private def json(file: Path) = ujson.read(NioFiles.readAllBytes(file))

  test("good runs: a record and a plot of each study, the tables and the figures") {
    report()((_, _) => ()) { (code, out, errors) =>
      assert(code == 0 && errors.isEmpty)
      val Seq(pads, direct) = json(out.resolve("schemes.json"))("points").arr.toSeq
      assert(math.abs(pads("mean_slowdown").num - 1) < 1e-12 && math.abs(direct("mean_slowdown").num - 0.5) < 1e-12)
      assert(pads("worst_program").str == "crc32" && pads("worst_slowdown").num == 3)
      assert(pads("counter_hit_rate").num == 0.9 && pads("metadata_per_data_block").num == 0.1)
      assert(pads("initialisation_cycles").num == 614400)
      assert(pads("paper") == ujson.Obj("mean" -> 0.0128, "worst" -> ujson.Null, "note" -> "of 11"))
      assert(pads("programs").arr.map(_("slowdown").num) == Seq(3, 0))
      val sweep = json(out.resolve("latency.json"))("points").arr
      assert(sweep.map(_("x").str) == Seq("20", "100") && math.abs(sweep(1)("mean_slowdown").num - 0.5) < 1e-12)

      val text = Files.readText(out.resolve("summary.md"), "summary")
      assert(text.startsWith("# Two studies\n\n| figure "))
      val row = text.linesIterator.find(_.startsWith("| pads  ")).get
      for (cell <- Seq("+100.00 %", "crc32 +300.00 %", "90.0 %", "0.100", "mean +1.28 %; of 11"))
        assert(row.contains(cell))
      assert(text.contains(Files.readText(out.resolve("schemes.md"), "study")))
      assert("\\| PadsConfig +\\| +far \\| +614,400 \\|".r.findFirstIn(text).isDefined)
      assert(text.contains("worst +32.00 %") && text.contains("| fft "))

      val figure = json(out.resolve("bounds.json")).arr.head
      assert(figure("met").bool && figure("at_most").num == 1 && math.abs(figure("measured").num - 1) < 1e-12)
      for (study <- Seq("schemes", "latency"))
        assert(Files.readText(out.resolve(s"$study.svg"), "plot").contains("fill:rgb(213,94,0)"))
    }
  }

  test("only the studies asked for are reported, and only their figures") {
    report("--studies", "latency")((_, _) => ()) { (code, out, _) =>
      assert(code == 0)
      assert(NioFiles.exists(out.resolve("latency.json")) && !NioFiles.exists(out.resolve("schemes.json")))
      assert(json(out.resolve("bounds.json")).arr.isEmpty)
    }
  }

  test("a plan without bounds has no table of them") {
    report()((plan, _) => plan("bounds") = ujson.Arr()) { (code, out, _) =>
      assert(code == 0)
      assert(Files.readText(out.resolve("summary.md"), "summary").startsWith("# Two studies\n\n## Schemes"))
    }
  }

  private def fails(sentence: String)(spoil: (ujson.Value, Path) => Unit): Unit =
    report()(spoil) { (code, out, errors) =>
      assert(code == 1)
      assert(errors.linesIterator.size == 1 && errors.contains(sentence), errors)
      assert(NioFiles.size(out.resolve("summary.md")) > 0)
    }

  test("a figure that misses its bound fails the report") {
    fails("pads in the mean misses its bound")((plan, _) => plan("bounds")(0)("at_most") = 0.99)
  }

  test("a run that is missing, or went wrong, or had another memory, fails the report") {
    fails("fft on PadsConfig did not run with the DRAM far")((_, runs) =>
      NioFiles.delete(runs.resolve("far/PadsConfig/fft/run.json"))
    )
    fails("crc32 on DirectConfig has the DRAM check 'fail: not checked'")((_, runs) =>
      NioFiles.delete(runs.resolve("near/DirectConfig/crc32/check.json"))
    )
    fails("fft on PadsConfig had another DRAM timing than on PlainConfig") { (_, runs) =>
      val file = runs.resolve("near/PadsConfig/fft/run.json")
      val changed = json(file)
      changed("dram")("latency") = 21
      Files.writeText(file, changed.render())
    }
  }

  test("without any run there are question marks, not figures") {
    report() { (_, runs) =>
      for (program <- Seq("crc32", "fft")) NioFiles.delete(runs.resolve(s"near/PlainConfig/$program/run.json"))
    } { (code, out, _) =>
      assert(code == 1 && !json(out.resolve("bounds.json")).arr.head("met").bool)
      assert(json(out.resolve("schemes.json"))("points")(0)("mean_slowdown").isNull)
    }
  }

  private def refused(sentence: String, more: String*)(spoil: ujson.Value => Unit): Unit =
    report(more: _*)((plan, _) => spoil(plan)) { (code, _, errors) =>
      assert(code == UserError.badInput && errors.linesIterator.size == 1 && errors.contains(sentence), errors)
    }

  test("bad input is refused in one sentence") {
    refused("there is no study figure: choose among schemes, latency", "--studies", "figure")(_ => ())
    refused("two studies of one name")(plan => plan("studies")(1)("name") = "schemes")
    refused("bounds hash tree in the study schemes, which has no such point")(plan =>
      plan("bounds")(0)("series") = "hash tree"
    )
    refused("the field few should be a list of texts")(_("studies")(0)("programs") = "few")
    refused("the field at_most should be a number")(_("bounds")(0)("at_most") = "little")
  }
}
