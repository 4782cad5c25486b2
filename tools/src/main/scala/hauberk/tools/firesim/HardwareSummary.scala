package hauberk.tools.firesim

import java.nio.file.Path

/** What FireSim ran a job on, from its `HW_CFG_SUMMARY`.
  *
  * @param name   of the entry of config_hwdb.yaml, or of the recipe in a metasimulation
  * @param config the configuration of the target, without fragments and packages: `HauberkAegisOtpRocketConfig`
  */
case class HardwareSummary(name: String, config: String)

/** Reads the summary that FireSim writes for each job. */
object HardwareSummary {
  private val Field = "(RuntimeHWConfig|DeployQuintuplet): (.*)".r

  def read(path: Path): HardwareSummary = {
    val file = new NumberedLines(path, "hardware summary")
    val fields = file.lines.collect { case (line, Field(name, value)) => name -> ((line, value)) }.toMap
    def field(name: String) = fields.getOrElse(name, file.refuse(file.last, s"the summary ends without $name"))
    val (_, hardware) = field("RuntimeHWConfig")
    val (line, quintuplet) = field("DeployQuintuplet")
    val config = quintuplet.split("-") match {
      // Platform, project, design, target's configuration, platform's configuration
      case Array(_, _, _, target, _) => target.split("[_.]").last
      case _ =>
        file.refuse(line, s"'$quintuplet' is not PLATFORM-PROJECT-DESIGN-TARGET_CONFIG-PLATFORM_CONFIG")
    }
    HardwareSummary(hardware, config)
  }
}
