package hauberk.tools.report

import java.awt.{BasicStroke, Color, Dimension, Font}
import java.io.StringWriter
import javax.xml.parsers.DocumentBuilderFactory
import org.apache.batik.svggen.SVGGraphics2D
import org.knowm.xchart.{CategoryChart, CategoryChartBuilder}
import org.knowm.xchart.style.Styler.{LegendLayout, LegendPosition}
import scala.collection.JavaConverters._

/** The overheads of a demo as bars, grouped by program, as SVG. */
object OverheadPlot {
  // Distinguishable without colour vision (Okabe and Ito), the lighter ones last.
  private val colours = Seq(0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9).map(new Color(_))
  private val font = Font.SANS_SERIF

  /** The SVG. Its text is outlines, so that it looks the same everywhere. */
  def apply(demo: Demo): String = {
    val drawn = chart(demo)
    val dom = DocumentBuilderFactory.newInstance.newDocumentBuilder.getDOMImplementation
    val document = dom.createDocument("http://www.w3.org/2000/svg", "svg", null)
    val canvas = new SVGGraphics2D(document)
    canvas.setSVGCanvasSize(new Dimension(drawn.getWidth, drawn.getHeight))
    drawn.paint(canvas, drawn.getWidth, drawn.getHeight)
    val text = new StringWriter
    canvas.stream(text, true)
    text.toString
  }

  private def chart(demo: Demo): CategoryChart = {
    val chart = new CategoryChartBuilder().width(1100).height(500)
      .title("What memory encryption costs")
      .xAxisTitle("program")
      .yAxisTitle(s"cycles added to ${DemoText.shortName(demo.configs.head)} (%)")
      .build()
    style(chart)
    val groups = (demo.programs :+ "geometric mean").asJava
    demo.configs.tail.foreach { config =>
      val bars = (demo.programs.map(demo.overhead(config, _)) :+ demo.meanOverhead(config)).map(_.map(100 * _))
      chart.addSeries(DemoText.shortName(config), groups, bars.map(_.fold[Number](null)(Double.box)).asJava)
    }
    chart
  }

  private def style(chart: CategoryChart): Unit = {
    val styler = chart.getStyler
    styler.setSeriesColors(colours.toArray)
    styler.setChartBackgroundColor(Color.WHITE)
    styler.setPlotBorderVisible(false)
    styler.setPlotGridVerticalLinesVisible(false)
    styler.setPlotGridLinesColor(new Color(0xdddddd))
    styler.setPlotGridLinesStroke(new BasicStroke(1))
    styler.setLegendPosition(LegendPosition.OutsideS)
    styler.setLegendLayout(LegendLayout.Horizontal)
    styler.setLegendBorderColor(Color.WHITE)
    styler.setChartTitleFont(new Font(font, Font.BOLD, 18))
    styler.setAxisTitleFont(new Font(font, Font.PLAIN, 14))
    styler.setAxisTickLabelsFont(new Font(font, Font.PLAIN, 13))
    styler.setLegendFont(new Font(font, Font.PLAIN, 14))
    styler.setXAxisLabelRotation(35)
    styler.setYAxisDecimalPattern("0.#")
    styler.setAvailableSpaceFill(0.75)
  }
}
