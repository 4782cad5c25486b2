package hauberk.compat

import org.chipsalliance.cde.config.{Field, View}
import scala.util.Try

/** The port by which the traces of all tiles leave the chip. Rocket Chip has none: testchipip adds it, whose field this project does not depend on. */
object TracePort {

  /** Names of that field, today's and that of older versions. */
  private val fields = Seq("testchipip.cosim.TracePortKey", "testchipip.TracePortKey")

  /** Whether a subsystem has it. */
  def isThere(p: View): Boolean = fields.exists(name =>
    Try(Class.forName(name + "$")).toOption.map(_.getField("MODULE$").get(null)).exists {
      case field: Field[Option[Any] @unchecked] => p(field).isDefined
    }
  )
}
