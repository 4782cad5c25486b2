package hauberk.testing

import org.scalatest.Tag

/** Tests that repeat on a further variant of the hardware what another test shows on a first: `make test-thorough` runs them, `make test` does not. */
object Thorough extends Tag("hauberk.testing.Thorough") {

  /** build.sbt leaves these tests out without it. */
  val isOn: Boolean = sys.env.contains("HAUBERK_THOROUGH")

  /** The tags of a test that always runs if so, and in `make test-thorough` otherwise. */
  def unless(always: Boolean): Seq[Tag] = if (always) Nil else Seq(this)
}
