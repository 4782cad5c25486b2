package org.chipsalliance.cde

import _root_.chipsalliance.rocketchip.{config => old}

/** The names current Rocket Chip gives its parameter system, on Rocket Chip 1.2.6. */
package object config {
  type View = old.View
  type Parameters = old.Parameters
  val Parameters = old.Parameters
  type Field[T] = old.Field[T]
  type Config = old.Config
}
