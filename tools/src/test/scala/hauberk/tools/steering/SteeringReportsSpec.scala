package hauberk.tools.steering

import hauberk.tools.cli.ReportTool
import java.nio.file.{Files => Paths, Path}
import org.scalatest.funsuite.AnyFunSuite

/** Tables of the compiler's reports beside the paper's. */
class SteeringReportsSpec extends AnyFunSuite {
  private def write(path: Path, text: String): Unit = {
    Paths.createDirectories(path.getParent)
    Paths.write(path, text.getBytes)
  }
  private def report(right: Int, growth: Double) = {
    def needs(n: Int) =
      s"""{"registers_across": $n, "registers_within": ${n + 1}, "registers_none": ${n + 2}, "ids_across": ${n + 3}, "ids_none": 44}"""
    s"""{"loads": {"total": 200, "right": $right, "wrong": 10, "notApplied": ${190 - right}, "rightWithoutHint": 30}, "code": {"growth": $growth},
       | "needs": {"100": ${needs(7)}, "99": ${needs(5)}, "98": ${needs(
        3
      )}}, "counters": {"writes": 12345, "global": 678, "largestRegister": 9}}""".stripMargin
  }
  private val plan =
    """{"size": "large", "series": [{"name": "eight", "config": "A"}, {"name": "sixteen", "config": "B"}],
      | "programs": [{"name": "crc", "registers": ["23:52:137", "15:35:88", "12:28:54"], "ids": ["89:137", "52:88", "31:54"],
      |   "millions": ["54", "0.12", "0.006"]}]}""".stripMargin

  private def run(fill: Path => Unit): (Int, Path) = {
    val folder = Paths.createTempDirectory("steering")
    write(folder.resolve("plan.json"), plan)
    fill(folder.resolve("steered"))
    val code = Console.withOut(new java.io.ByteArrayOutputStream)(Console.withErr(new java.io.ByteArrayOutputStream) {
      ReportTool.run(
        Seq("steering", "--plan", s"$folder/plan.json", "--runs", s"$folder/steered", "--out", folder.toString)
      )
    })
    (code, folder)
  }
  private def cells(line: String) = line.split('|').map(_.trim).filter(_.nonEmpty).toSeq
  private def lines(folder: Path, name: String) =
    new String(Paths.readAllBytes(folder.resolve(name))).split('\n').filter(_.startsWith("| crc")).map(cells).toSeq

  test("shares of loads, growth, registers, ids and counters stand beside the paper's") {
    val (code, folder) = run { steered =>
      write(steered.resolve("A/crc-large.json"), report(100, 2.5))
      write(steered.resolve("B/crc-large.json"), report(120, 3.75))
    }
    assert(code == 0)
    assert(
      lines(folder, "nagarajan-figure-9.md") ==
        Seq(Seq("crc", "50.0 %", "5.0 %", "45.0 %", "15.0 %"), Seq("crc", "60.0 %", "5.0 %", "35.0 %", "15.0 %"))
    )
    assert(lines(folder, "nagarajan-figure-10.md") == Seq(Seq("crc", "+2.5 %", "+3.8 %")))
    assert(
      lines(folder, "nagarajan-tables.md") == Seq(
        Seq("crc", "7:8:9", "5:6:7", "3:4:5", "23:52:137", "15:35:88", "12:28:54"),
        Seq("crc", "10:44", "8:44", "6:44", "89:137", "52:88", "31:54"),
        Seq("crc", "12,345", "678", "9", "54", "0.12", "0.006")
      )
    )
    for (figure <- Seq(9, 10))
      assert(new String(Paths.readAllBytes(folder.resolve(s"nagarajan-figure-$figure.svg"))).contains("<svg"))
  }

  test("a report that is missing or damaged is named") {
    assert(run(steered => write(steered.resolve("A/crc-large.json"), report(100, 2.5)))._1 == 1)
    assert(run(steered => write(steered.resolve("A/crc-large.json"), "{}"))._1 == 2)
  }
}
