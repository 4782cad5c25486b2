package hauberk.tools.linux

import hauberk.tools.{Files, UserError}
import hauberk.tools.Fixtures.inFolder
import hauberk.tools.cli.ReportTool
import java.io.ByteArrayOutputStream
import java.nio.file.{Files => NioFiles, Path}
import org.scalatest.funsuite.AnyFunSuite

/** The report of Linux on a folder of invented runs; no figure here was measured. */
class LinuxReportSpec extends AnyFunSuite {
  private val configs = Seq("BaselineRocketConfig", "AegisOtpRocketConfig", "BaselineDualRocketConfig")

  private def console(scale: Int): String = Seq(
    "[    0.000000] Linux version 6.1",
    s"hauberk: booted ${1000 * scale}",
    "hauberk: begin files",
    "checksum 00000000000000ff",
    s"cycles ${100 * scale}",
    "instret 70",
    "hauberk: end files 0",
    s"hauberk: done ${1500 * scale}",
    "[    0.400000] reboot: Power down"
  ).mkString("", "\r\n", "\r\n")

  private def invent(folder: Path, config: String): Unit = {
    val guarded = config.contains("Aegis")
    val bus = if (config.contains("Bus") || config.contains("Senss")) Some(config.contains("Senss")) else None
    val here = folder.resolve(config)
    val traffic = Seq("data_reads", "data_writes", "metadata_reads", "metadata_writes")
    val timing = Seq("latency" -> 80, "cycles_per_beat" -> 5, "bus_bytes" -> 8, "outstanding" -> 8, "write_queue" -> 0)
    def zeros(names: Seq[String]) = names.map(_ -> ujson.Num(0))
    val run = ujson.Obj(
      "config" -> config,
      "program" -> "linux",
      "exit_code" -> 0,
      "cycles" -> (if (guarded) 2200 else 2000),
      "wall_seconds" -> 2.5,
      "kHz_cpu" -> 100.0,
      "cores" -> Seq.fill(if (config.contains("Dual")) 2 else 1)(ujson.Obj()),
      "dram" -> ujson.Obj.from(timing.map { case (name, value) => name -> ujson.Num(value) } ++ zeros(traffic)),
      "counter_cache" -> ujson.Obj("hits" -> (if (guarded) 75 else 0), "misses" -> (if (guarded) 25 else 0)),
      "protector" -> ujson.Obj.from(zeros(LinuxRun.counters)),
      "entropy" -> ujson.Obj("words" -> ujson.Arr())
    )
    bus.foreach(secured =>
      run("bus") = ujson.Obj("secured" -> secured, "used" -> 0, "authentications" -> 0, "alarm" -> false)
    )
    val check = ujson.Obj(
      "protected" -> guarded,
      "dram_check" -> "pass",
      "pages_used" -> 700,
      "plaintext_pages_in_dram" -> (if (guarded) 0 else 700)
    )
    Files.writeText(here.resolve("run.json"), run.render())
    Files.writeText(here.resolve("check.json"), check.render())
    Files.writeText(here.resolve("uart.log"), console(if (guarded) 2 else 1))
  }

  /** Exit code, what was said on standard error, and where the report is, of runs one of which is spoiled. */
  private def reported(spoil: Path => Unit = _ => ())(check: (Int, String, Path) => Unit): Unit = inFolder { folder =>
    configs.foreach(invent(folder, _))
    spoil(folder)
    val errors = new ByteArrayOutputStream
    val arguments =
      Seq("linux", "--runs", folder.toString, "--out", folder.toString, "--configs", configs.mkString(","))
    val code = Console.withOut(new ByteArrayOutputStream)(Console.withErr(errors)(ReportTool.run(arguments)))
    check(code, errors.toString, folder)
  }

  test(
    "a baseline has the same number of cores, the same L2 and the same shared bus, and nothing that its run has not"
  ) {
    inFolder { folder =>
      val against = Map(
        "AegisOtpRocketConfig" -> Some("BaselineRocketConfig"),
        "WithLastLevelCache-256_AegisOtpRocketConfig" -> Some("WithLastLevelCache-256_BaselineRocketConfig"),
        "WithCounterCache-2048-4_AegisOtpRocketConfig" -> Some("BaselineRocketConfig"),
        "AegisOtpDualRocketConfig" -> Some("BaselineDualRocketConfig"),
        "SenssAegisOtpDualRocketConfig" -> Some("SharedBusDualRocketConfig"),
        "SenssDualRocketConfig" -> Some("SharedBusDualRocketConfig"),
        "SharedBusDualRocketConfig" -> None,
        "WithLastLevelCache-256_BaselineRocketConfig" -> None,
        "BaselineRocketConfig" -> None,
        "BaselineDualRocketConfig" -> None
      )
      against.keys.foreach(invent(folder, _))
      val results = LinuxResults.read(folder, against.keys.toSeq)
      assert(results.runs.map(run => run.config -> results.baseline(run).map(_.config)).toMap == against)
    }
  }

  private def replace(file: Path, from: String, to: String): Unit = {
    val text = Files.readText(file, "test's file")
    assert(text.contains(from))
    Files.writeText(file, text.replace(from, to))
  }

  test("overheads are against the unprotected SoC with as many cores") {
    reported() { (code, errors, folder) =>
      assert(code == 0, errors)
      val Seq(base, otp, dual) = ujson.read(NioFiles.readAllBytes(folder.resolve("summary.json"))).arr.toSeq
      assert(base("boot_overhead").isNull && dual("total_overhead").isNull && dual("cores").num == 2)
      assert(otp("boot_cycles").num == 2000 && otp("boot_overhead").num == 1.0)
      assert(otp("total_cycles").num == 2200 && math.abs(otp("total_overhead").num - 0.1) < 1e-9)
      assert(otp("counter_hit_rate").num == 0.75 && otp("plaintext_pages_in_dram").num == 0)
      val Seq(files) = otp("programs").arr.toSeq
      assert(files("program").str == "files" && files("cycles").num == 200 && files("overhead").num == 1.0)
      assert(files("checksum").str == "00000000000000ff")
      val summary = Files.readText(folder.resolve("summary.md"), "summary")
      assert(summary.contains("| AegisOtp") && summary.contains("75.0 %") && summary.contains("+100.0 %"))
      assert(Files.readText(folder.resolve("overhead.svg"), "plot").contains("<svg"))
    }
  }

  private def fails(name: String, sentence: String)(spoil: Path => Unit): Unit = test(name) {
    reported(spoil) { (code, errors, _) =>
      assert(code == 1 && errors.contains(sentence), errors)
    }
  }
  private def of(folder: Path, file: String) = folder.resolve(configs(1)).resolve(file)

  fails("a kernel that panicked fails", "AegisOtpRocketConfig ended with exit code 113")(folder =>
    replace(of(folder, "run.json"), "\"exit_code\":0", "\"exit_code\":113")
  )
  fails("a boot that never came to init fails", "AegisOtpRocketConfig never came to init")(folder =>
    Files.writeText(of(folder, "uart.log"), "[    0.000000] Linux version 6.1\n")
  )
  fails("a program that failed fails", "AegisOtpRocketConfig ran files, which ended with 1")(folder =>
    replace(of(folder, "uart.log"), "end files 0", "end files 1")
  )
  fails("programs that stopped half-way fail", "did not come to the end of its programs")(folder =>
    replace(of(folder, "uart.log"), "hauberk: done 3000", "")
  )
  fails("a program that another configuration has not run fails", "AegisOtpRocketConfig did not run files")(folder =>
    replace(of(folder, "uart.log"), "files", "other")
  )
  fails("another checksum fails", "files has another checksum on AegisOtpRocketConfig than on BaselineRocketConfig")(
    folder => replace(of(folder, "uart.log"), "ff\r", "fe\r")
  )
  fails("plaintext in protected DRAM fails", "AegisOtpRocketConfig left 3 pages in DRAM that show plaintext")(folder =>
    replace(of(folder, "check.json"), "\"plaintext_pages_in_dram\":0", "\"plaintext_pages_in_dram\":3")
  )
  fails("a check that sees no plaintext where nothing encrypts it fails", "BaselineRocketConfig left no plaintext")(
    folder =>
      replace(
        folder.resolve(configs.head).resolve("check.json"),
        "\"plaintext_pages_in_dram\":700",
        "\"plaintext_pages_in_dram\":0"
      )
  )
  fails("a DRAM that does not decrypt fails", "has the DRAM check 'fail: wrong'")(folder =>
    replace(of(folder, "check.json"), "pass", "fail: wrong")
  )
  fails("a DRAM that was not checked fails", "has a DRAM that was not checked")(folder =>
    NioFiles.delete(of(folder, "check.json"))
  )
  fails("a configuration that did not run fails", "AegisOtpRocketConfig did not run")(folder =>
    NioFiles.delete(of(folder, "run.json"))
  )

  test("a console that is garbled is refused, with its line") {
    inFolder { folder =>
      for (
        (text, sentence) <- Seq("hauberk: booted many" -> "line 1", "hauberk: end files 0" -> "is not expected here")
      ) {
        Files.writeText(folder.resolve("uart.log"), text)
        val refusal = intercept[UserError](LinuxConsole.read(folder.resolve("uart.log"))).getMessage
        assert(refusal.contains(sentence) && refusal.contains("uart.log"))
      }
    }
  }
}
