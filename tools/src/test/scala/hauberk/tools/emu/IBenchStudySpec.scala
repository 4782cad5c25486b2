package hauberk.tools.emu

import hauberk.tools.{Files, UserError}
import hauberk.tools.Fixtures.inFolder
import org.scalatest.funsuite.AnyFunSuite

/** The model of section IV on numbers that can be worked out by hand. */
class IBenchStudySpec extends AnyFunSuite {
  private def run(profile: String, miss: Int, tasks: Long) = IBenchRun(
    profile,
    Seq(
      IBenchLine("ibench", 8, 1, 200, 100),
      IBenchLine("ibench", 64, 1, 100L * miss, 100),
      IBenchLine("cold", 64, 1, 100L * miss, 100),
      IBenchLine("loads", 8, 1, 100, 100),
      IBenchLine("loads", 64, 1, 10100, 100),
      IBenchLine("tasks", 32, 2, tasks, 10),
      IBenchLine("busy", 2, 2, 100, 10)
    )
  )

  test("equation 8: the stalled part of the time grows by L_EMU / L_Mem") {
    // L_Mem = 102 - 2 = 100, L_EMU = 20; of 2000 cycles 100 are busy
    val study =
      new IBenchStudy(run("none", 102, 2000), Seq(("direct", run("plain", 102, 2000), run("sealed", 122, 2400))))
    val slowdown = study.slowdowns.head
    assert(slowdown.measured == 1.2)
    assert(math.abs(slowdown.predicted - (1 + 0.2 * 1900 / 2000)) < 1e-12)
    assert(study.addedPlain == Seq("direct" -> 0.0) && study.addedEncrypted == Seq("direct" -> 20.0))
    assert(study.worst("direct") == 1.2)
    assert(study.fetchesAgainstLoads == 0.0)
    assert(study.problems.isEmpty)
  }

  test("bounds: a cycle more on a fetch in plaintext, or sealed in counter mode; a model that is wrong") {
    val none = run("none", 102, 2000)
    val study = new IBenchStudy(none, Seq(("counter", run("plain", 103, 2000), run("sealed", 104, 2400))))
    val problems = study.problems.mkString("; ")
    for (
      part <- Seq(
        "fetch in plaintext, counter mode is 1.0",
        "sealed fetch, counter mode is 1.0",
        "worst slowdown, counter mode is 1.2",
        "worst error"
      )
    )
      assert(problems.contains(part))
  }

  test("a run that did not come to its end is named") {
    inFolder { folder =>
      Files.writeText(folder.resolve("none").resolve("uart.log"), "ibench 8 1 200 100\n")
      val error = intercept[UserError](IBenchRun.read(folder, "none"))
      assert(error.getMessage.contains("did not run to its end as none"))
    }
  }
}
