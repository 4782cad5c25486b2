package freechips.rocketchip.diplomacy

import org.scalatest.Assertions

/** Designs that are refused. */
object RefusedDesign {

  /** Why a design is refused. A lazy module whose constructor threw stays the parent of the next one, because 1.2.6 has no place to clean up: this does. */
  def why(design: => Any): String =
    try Assertions.intercept[IllegalArgumentException](design).getMessage
    finally LazyModule.scope = None
}
