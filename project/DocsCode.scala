import sbt._

/** The Scala in the code blocks of the pages, each block as a source that is compiled with the tests. */
object DocsCode {
  private val block = """(?m)(?:^    .*\n|^\s*\n(?=    ))+""".r

  /** What a page assumes: its blocks stand in the package of the configurations, or in Chipyard. */
  private val chipyard = "class RocketConfig extends BaselineRocketConfig"

  def write(top: File, out: File): Seq[File] = {
    val pages = (top / "docs" ** "*.md").get.filterNot(_.getPath.contains("/build/")) :+ top / "README.md"
    val sources = for {
      page <- pages
      text = IO.read(page)
      found <- block.findAllMatchIn(text)
      code = found.matched.linesIterator.map(_.drop(4)).mkString("\n").trim
      if code.startsWith("import ") || code.startsWith("class ")
    } yield {
      val name = s"${page.base.replaceAll("\\W", "_")}_${text.take(found.start).count(_ == '\n') + 1}"
      val source = s"package hauberk.docs\n\nimport hauberk.config._\n\nobject $name {\n$chipyard\n$code\n}\n"
      val file = out / "docs" / s"$name.scala"
      if (!file.exists || IO.read(file) != source) IO.write(file, source)
      file
    }
    val stale = (out / "docs" ** "*.scala").get.toSet -- sources
    IO.delete(stale)
    sources
  }
}
