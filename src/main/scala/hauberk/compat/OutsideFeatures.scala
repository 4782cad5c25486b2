package hauberk.compat

import org.chipsalliance.cde.config.{Field, View}
import scala.util.Try

/** Features of a chip that other generators of Chipyard add. This project does not depend on their fields, and finds them by name. */
object OutsideFeatures {

  /** The port by which the traces of all tiles leave the chip, of testchipip. */
  def hasTracePort(p: View): Boolean =
    value(p, "testchipip.cosim.TracePortKey", "testchipip.TracePortKey").exists(isDefined)

  /** The register that says where the boot ROM goes on, of testchipip. */
  def hasBootAddress(p: View): Boolean =
    value(p, "testchipip.boot.BootAddrRegKey", "testchipip.BootAddrRegKey").exists(isDefined)

  /** The registers that make the inclusive cache write back or drop a line. */
  def hasCacheControl(p: View): Boolean =
    value(p, "freechips.rocketchip.subsystem.InclusiveCacheKey").exists { params =>
      isDefined(params.getClass.getMethod("ctrlAddr").invoke(params))
    }

  private def isDefined(value: Any): Boolean = value match {
    case option: Option[_] => option.isDefined
    case _ => true
  }

  /** The value of the field with one of these names, today's and that of older versions. */
  private def value(p: View, names: String*): Option[AnyRef] = names.flatMap { name =>
    Try(Class.forName(name + "$")).toOption.map(_.getField("MODULE$").get(null)).flatMap {
      case field: Field[AnyRef @unchecked] => p.lift(field)
      case _ => None
    }
  }.headOption
}
