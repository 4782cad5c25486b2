import sbt._

/** The Scala in the code blocks of the pages. Each block is compiled with the tests as it is printed, so a class has one name in all pages. */
object DocsCode {
  private val block = """(?m)(?:^    .*\n|^\s*\n(?=    ))+""".r

  def write(top: File, out: File): Seq[File] = {
    val pages = (top / "docs" ** "*.md").get.filterNot(_.getPath.contains("/build/")) :+ top / "README.md"
    val sources = for {
      page <- pages
      text = IO.read(page)
      found <- block.findAllMatchIn(text)
      code = found.matched.linesIterator.map(_.drop(4)).mkString("\n").trim
      if Seq("package ", "import ", "class ").exists(word => code.startsWith(word))
    } yield {
      val file = out / "docs" / s"${page.base}_${text.take(found.start).count(_ == '\n') + 1}.scala"
      if (!file.exists || IO.read(file) != code) IO.write(file, code)
      file
    }
    val stale = (out / "docs" ** "*.scala").get.toSet -- sources
    IO.delete(stale)
    sources
  }
}
