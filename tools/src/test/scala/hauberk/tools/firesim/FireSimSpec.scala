package hauberk.tools.firesim

import hauberk.tools.{Files, UserError}
import hauberk.tools.Fixtures.inFolder
import hauberk.tools.cli.ReportTool
import java.nio.file.{Files => NioFiles, Path, Paths}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.JavaConverters._

/** The collector on the sample of firesim/sample, whose figures are invented, and on all that can be wrong with it. */
class FireSimSpec extends AnyFunSuite {
  private val sample = Paths.get("firesim/sample/2026-01-01--00-00-00-hauberk-linux-sweep")

  private def withSample(body: Path => Unit): Unit = inFolder { folder =>
    val files = NioFiles.walk(sample)
    try files.iterator.asScala.filter(NioFiles.isRegularFile(_)).foreach { file =>
        Files.write(folder.resolve("results").resolve(sample.relativize(file)), NioFiles.readAllBytes(file))
      }
    finally files.close()
    body(folder.resolve("results"))
  }

  /** Exit code, folder of the report, standard error. */
  private def collect(results: Seq[Path], more: String*): (Int, Path, String) = {
    val out = results.head.resolveSibling("out")
    val errors = new java.io.ByteArrayOutputStream
    val code = Console.withErr(errors)(Console.withOut(new java.io.ByteArrayOutputStream) {
      ReportTool.run(Seq("firesim") ++ results.map(_.toString) ++ Seq("--out", out.toString) ++ more)
    })
    (code, out, errors.toString)
  }

  private def change(file: Path, old: String, by: String): Unit = {
    val text = Files.readText(file, "sample")
    assert(text.contains(old), s"$file has no '$old'")
    Files.writeText(file, text.patch(text.indexOf(old), by, old.length))
  }

  test("the sample: the list of runs, the table and the plot") {
    withSample { results =>
      val (code, out, errors) = collect(Seq(results))
      assert(code == 0 && errors.isEmpty)
      val list = ujson.read(NioFiles.readAllBytes(out.resolve("summary.json"))).arr
      val configs = Seq("RocketConfig", "HauberkAegisOtpRocketConfig", "HauberkYangSncLruRocketConfig")
      assert(list.map(run => (run("program").str, run("config").str)) ==
        Seq("gups", "quicksort", "stream").flatMap(program => configs.map(program -> _)))
      assert(list.take(3).map(_("overhead").num) == Seq(0, 0.5, 0.25))
      assert(list(0)("dram").isNull && list(0)("counter_cache").isNull && list.forall(_("dram_check").isNull))
      val traffic =
        ujson.Obj("data_reads" -> 1200, "data_writes" -> 800, "metadata_reads" -> 200, "metadata_writes" -> 100)
      assert(list(4)("dram") == traffic && list(4)("counter_cache") == ujson.Obj("hits" -> 1800, "misses" -> 200))
      val text = Files.readText(out.resolve("summary.md"), "summary")
      assert(text.contains("Rocket cycles") && text.contains("HauberkAegisOtp overhead"))
      assert(text.contains("DRAM was not dumped"))
      val rows = text.linesIterator.map(_.split('|').map(_.trim).filter(_.nonEmpty).toSeq).toSet
      assert(rows(Seq("aegis_otp", "hauberk_aegis_otp_u250", "150,000,000", "20,000", "10,000")))
      assert(rows(Seq("aegis_otp on hauberk_aegis_otp_u250: engine0.hits", "5,400", "14,400")))
      assert(rows(Seq("aegis_otp on hauberk_aegis_otp_u250: engine0.aes_blocks", "24,000", "64,000")))
      assert(rows(Seq("yang_snc_lru on hauberk_yang_snc_lru_u250: engine0.stall_cycles", "0", "?")))
      assert(Files.readText(out.resolve("overhead.svg"), "plot").contains("<svg"))
    }
  }

  test("two results folders are one comparison") {
    withSample { results =>
      val other = results.resolveSibling("other")
      NioFiles.createDirectory(other)
      NioFiles.move(results.resolve("rocket"), other.resolve("hauberk-linux0"))
      assert(collect(Seq(results, other))._1 == 0)
    }
  }

  test("a program without an operating system: its counts are those of AutoCounter") {
    withSample { results =>
      val bare = "checksum 0123456789abcdef\ncycles 1000\ninstret 500\n*** PASSED *** after 20000000 cycles\n"
      for (job <- Seq("rocket", "aegis_otp")) Files.writeText(results.resolve(job).resolve("uartlog"), bare)
      val folders = Seq("rocket", "aegis_otp").map { job =>
        val folder = results.resolveSibling(s"single-$job")
        NioFiles.createDirectory(folder)
        NioFiles.move(results.resolve(job), folder.resolve("hauberk-single-lat_mem_rd"))
        folder
      }
      val (code, out, errors) = collect(folders)
      assert(code == 0, errors)
      val list = ujson.read(NioFiles.readAllBytes(out.resolve("summary.json"))).arr
      assert(list.map(_("program").str).distinct == Seq("lat_mem_rd") && list.size == 2)
      assert(list(1)("dram")("data_reads").num == 9600 && list(1)("counter_cache")("hits").num == 14400)
      val counts = Files.readText(out.resolve("summary.md"), "summary").linesIterator.filter(_.contains("engine0.hits"))
      assert(counts.map(_.split('|').map(_.trim).toSeq.drop(2)).toSeq == Seq(Seq("?", "14,400")))
    }
  }

  private def fails(sentence: String)(spoil: Path => Unit): Unit = withSample { results =>
    spoil(results)
    val (code, out, errors) = collect(Seq(results))
    assert(code == 1 && errors.linesIterator.size == 1 && errors.contains(sentence), errors)
    assert(NioFiles.size(out.resolve("summary.json")) > 0)
  }

  test("what went wrong on a node fails the report") {
    fails("gups on HauberkAegisOtpRocketConfig ended with exit code 1")(results =>
      change(results.resolve("aegis_otp/uartlog"), "end gups 0", "end gups 1")
    )
    fails("gups on HauberkAegisOtpRocketConfig printed no cycles or no instret")(results =>
      change(results.resolve("aegis_otp/uartlog"), "cycles 1500000", "no cycles at all")
    )
    fails("gups on HauberkAegisOtpRocketConfig raised the alarm of the protector")(results =>
      change(results.resolve("aegis_otp/uartlog"), "after protector.alarm 0", "after protector.alarm 1")
    )
    fails("gups has another checksum on HauberkYangSncLruRocketConfig than on RocketConfig")(results =>
      change(results.resolve("yang_snc_lru/uartlog"), "checksum 1111111111111111", "checksum 1111111111111110")
    )
    fails("the simulation of yang_snc_lru did not end")(results =>
      change(results.resolve("yang_snc_lru/uartlog"), "*** PASSED ***", "***")
    )
    fails("stream on HauberkYangSncLruRocketConfig did not run") { results =>
      val log = results.resolve("yang_snc_lru/uartlog")
      val text = Files.readText(log, "sample")
      val shorter = text.take(text.indexOf("hauberk: begin stream"))
      Files.writeText(log, shorter + "hauberk: done\n*** PASSED *** after 1 cycles\n")
    }
  }

  /** Changes one place of one file: the error names the file and the line, in one sentence. */
  private def refused(file: String, old: String, by: String, line: Int, sentence: String): Unit =
    withSample { results =>
      change(results.resolve(file), old, by)
      val (code, _, errors) = collect(Seq(results))
      assert(code == UserError.badInput && errors.linesIterator.size == 1, errors)
      assert(errors.contains(s"$file, line $line: ") && errors.contains(sentence), errors)
    }

  test("a console log that is not well-formed is refused, by file and line") {
    def log(old: String, by: String, line: Int, sentence: String) =
      refused("aegis_otp/uartlog", old, by, line, sentence)
    log("before engine0.hits 9000", "before engine0.hits 9x00", 6, "engine0.hits is '9x00', which is no number")
    log("before engine0.misses", "before engine0.hits", 7, "engine0.hits is there twice")
    log("hauberk: begin quicksort", "hauberk: begins quicksort", 42, "'hauberk: begins quicksort' is not expected here")
    log("hauberk: end gups 0", "hauberk: end quicksort 0", 41, "'hauberk: end quicksort 0' is not expected here")
    log("hauberk: end gups 0\r\n", "", 41, "'hauberk: begin quicksort' is not expected here")
    log("hauberk: end gups 0", "hauberk: end gups 0x", 41, "exit code is '0x', which is no number")
    log("after engine0.hits 9900", "after engine0.hits 8900", 41, "engine0.hits went down during gups")
    log("hauberk: after engine0.hits 9900\r\n", "", 40, "other counters were read after gups than before it")
    log("checksum 1111111111111111", "checksum 111111111111111", 22, "'checksum 111111111111111' is no checksum")
    log("cycles 1500000", "cycles 15000q0", 23, "cycles is '15000q0', which is no number")
    log("hauberk: done", "", 120, "the log ends without 'hauberk: done'")
    log("hauberk: end stream 0\r\nhauberk: done", "", 79, "stream begins here and never ends")
    log("*** PASSED ***", "*** FAILED *** simulation timed out", 120, "raise +max-cycles")
  }

  test("a section without counters is refused") {
    refused("rocket/uartlog", "hauberk: after protection none\r\n", "", 10, "nothing was counted after gups")
    refused("rocket/uartlog", "hauberk: before protection none\r\n", "", 10, "nothing was counted before gups")
  }

  test("tables that are not well-formed are refused, by file and line") {
    refused("rocket/memory_stats0.csv", "0,0,80000,", "0,0,", 3, "there are 5 cells, and 6 in the header")
    refused("rocket/memory_stats0.csv", "0,0,80000,", "0,0,-,", 3, "totalReadBeats is '-', which is no number")
    refused(
      "rocket/memory_stats0.csv",
      "0,0,80000,10000,40000,5000,\n0,0,160000,20000,80000,10000,\n",
      "",
      2,
      "lower profile_interval"
    )
    val counters = "aegis_otp/AUTOCOUNTERFILE0.csv"
    refused(counters, "version,1", "version,2", 1, "another version than 1")
    refused(counters, "label,", "names,", 3, "'label' is expected here, and not 'names'")
    refused(counters, "9000,1000,", "9000,", 8, "there are 8 cells, and 9 labels")
    refused(counters, "14400", "14400.5", 9, "hauberk_engine0_hits is '14400.5', which is no number")
  }

  test("a summary of the hardware that is not well-formed is refused, by file and line") {
    refused("rocket/HW_CFG_SUMMARY", "xilinx_alveo_u250-firesim", "None", 2, "is not PLATFORM-PROJECT-DESIGN")
    refused("rocket/HW_CFG_SUMMARY", "DeployQuintuplet", "Quintuplet", 6, "the summary ends without DeployQuintuplet")
  }

  test("folders that cannot be compared are refused in one sentence") {
    withSample { results =>
      def sentence(folders: Path*)(more: String*) = {
        val (code, _, errors) = collect(folders, more: _*)
        assert(code == UserError.badInput && errors.linesIterator.size == 1, errors)
        errors
      }
      assert(sentence(results.resolve("absent"))().contains("holds no job with a HW_CFG_SUMMARY"))
      assert(sentence(results, results)().contains("gups ran on HauberkAegisOtpRocketConfig more than once"))
      assert(sentence(results)("--baseline", "QuadRocketConfig").contains("name results of QuadRocketConfig"))
      NioFiles.delete(results.resolve("rocket/HW_CFG_SUMMARY"))
      assert(sentence(results)().contains("0 of the configurations HauberkAegisOtpRocketConfig, "))
      assert(collect(Seq(results), "--baseline", "HauberkAegisOtpRocketConfig")._1 == 0)
      NioFiles.delete(results.resolve("aegis_otp/uartlog"))
      assert(sentence(results)().contains("there is no console log at"))
    }
  }
}
