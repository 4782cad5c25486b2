package hauberk.soc

import org.scalatest.funsuite.AnyFunSuite

class GenerateSpec extends AnyFunSuite {
  private val page =
    "above\n<!-- generated: one -->\nold\n<!-- end -->\nbetween\n<!-- generated: two -->\n<!-- end -->\n"

  test("tables are put between their markers, and nothing else of a page changes") {
    val written = Generate.splice(page, Seq("two" -> "2\n", "one" -> "1\n"))
    assert(written == Right(
      "above\n<!-- generated: one -->\n1\n<!-- end -->\nbetween\n<!-- generated: two -->\n2\n<!-- end -->\n"
    ))
  }

  test("a page without a table's marker is refused") {
    assert(Generate.splice(page, Seq("three" -> "3\n")).left.toOption.exists(_.contains("generated: three")))
  }
}
