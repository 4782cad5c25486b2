package hauberk.tools.report

/** The overheads of a demo as bars, grouped by program, as SVG. */
object OverheadPlot {
  def apply(demo: Demo): String = BarChart(
    title = "What memory encryption costs",
    xAxis = "program",
    yAxis = s"cycles added to ${DemoText.shortName(demo.configs.head)} (%)",
    groups = demo.programs :+ "geometric mean",
    series = demo.configs.tail.map { config =>
      val bars = demo.programs.map(demo.overhead(config, _)) :+ demo.meanOverhead(config)
      DemoText.shortName(config) -> bars.map(_.map(100 * _))
    }
  ).svg
}
