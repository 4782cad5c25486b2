package hauberk.tools.report

import java.awt.{BasicStroke, Color, Dimension, Font}
import java.io.StringWriter
import javax.xml.parsers.DocumentBuilderFactory
import org.apache.batik.svggen.SVGGraphics2D
import org.knowm.xchart.{CategoryChart, CategoryChartBuilder}
import org.knowm.xchart.style.Styler.{LegendLayout, LegendPosition}
import scala.collection.JavaConverters._

/** Bars in groups, as SVG.
  *
  * @param groups names of the groups
  * @param series name and, for each group, the height of a bar; none for no bar
  */
case class BarChart(
    title: String,
    xAxis: String,
    yAxis: String,
    groups: Seq[String],
    series: Seq[(String, Seq[Option[Double]])]
) {
  require(
    series.forall(_._2.size == groups.size),
    s"every series must have ${groups.size} bars, one for each of ${groups.mkString(", ")}"
  )

  /** The SVG. Its text is outlines, so that it looks the same everywhere. */
  def svg: String = {
    val drawn = chart
    val dom = DocumentBuilderFactory.newInstance.newDocumentBuilder.getDOMImplementation
    val document = dom.createDocument("http://www.w3.org/2000/svg", "svg", null)
    val canvas = new SVGGraphics2D(document)
    canvas.setSVGCanvasSize(new Dimension(drawn.getWidth, drawn.getHeight))
    drawn.paint(canvas, drawn.getWidth, drawn.getHeight)
    val text = new StringWriter
    canvas.stream(text, true)
    text.toString
  }

  private def chart: CategoryChart = {
    val chart =
      new CategoryChartBuilder().width(1100).height(500).title(title).xAxisTitle(xAxis).yAxisTitle(yAxis).build()
    style(chart)
    series.foreach { case (name, bars) =>
      chart.addSeries(name, groups.asJava, bars.map(_.fold[Number](null)(Double.box)).asJava)
    }
    chart
  }

  private def style(chart: CategoryChart): Unit = {
    val styler = chart.getStyler
    styler.setSeriesColors(BarChart.colours.toArray)
    styler.setChartBackgroundColor(Color.WHITE)
    styler.setPlotBorderVisible(false)
    styler.setPlotGridVerticalLinesVisible(false)
    styler.setPlotGridLinesColor(new Color(0xdddddd))
    styler.setPlotGridLinesStroke(new BasicStroke(1))
    styler.setLegendPosition(LegendPosition.OutsideS)
    styler.setLegendLayout(LegendLayout.Horizontal)
    styler.setLegendBorderColor(Color.WHITE)
    styler.setChartTitleFont(new Font(BarChart.font, Font.BOLD, 18))
    styler.setAxisTitleFont(new Font(BarChart.font, Font.PLAIN, 14))
    styler.setAxisTickLabelsFont(new Font(BarChart.font, Font.PLAIN, 13))
    styler.setLegendFont(new Font(BarChart.font, Font.PLAIN, 14))
    styler.setXAxisLabelRotation(35)
    styler.setYAxisDecimalPattern("0.#")
    styler.setAvailableSpaceFill(0.75)
  }
}

/** Colours and font of all charts. */
object BarChart {
  // Distinguishable without colour vision (Okabe and Ito), the lighter ones last.
  private val colours = Seq(0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9).map(new Color(_))
  private val font = Font.SANS_SERIF
}
