package org.chipsalliance.diplomacy

import freechips.rocketchip.{diplomacy => old}

/** The names current Rocket Chip gives its bundle bridges, on Rocket Chip 1.2.6. */
package object bundlebridge {
  type BundleBridgeSource[T <: chisel3.Data] = old.BundleBridgeSource[T]
  val BundleBridgeSource = old.BundleBridgeSource
  type BundleBridgeSink[T <: chisel3.Data] = old.BundleBridgeSink[T]
  val BundleBridgeSink = old.BundleBridgeSink
}
