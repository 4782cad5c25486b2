package hauberk.tools.report

/** A table in Markdown, padded so that it reads as well in a terminal; the first column is text, the others are figures. */
object MarkdownTable {
  def apply(header: Seq[String], rows: Seq[Seq[String]]): String = {
    require(rows.forall(_.size == header.size), s"every row must have ${header.size} columns")
    val widths = (header +: rows).transpose.map(_.map(_.length).max)
    def line(cells: Seq[String]) = cells.zip(widths).zipWithIndex.map {
      case ((cell, width), 0) => cell.padTo(width, ' ')
      case ((cell, width), _) => " " * (width - cell.length) + cell
    }.mkString("| ", " | ", " |")
    val rule = widths.zipWithIndex.map { case (width, column) =>
      if (column == 0) "-" * width else "-" * (width - 1) + ":"
    }
    (Seq(line(header), rule.mkString("| ", " | ", " |")) ++ rows.map(line)).mkString("\n")
  }
}
