package freechips.rocketchip

import freechips.rocketchip.{diplomacy => old}

/** The names current Rocket Chip gives its device-tree resources, on Rocket Chip 1.2.6. */
package object resources {
  type SimpleDevice = old.SimpleDevice
  type Device = old.Device
  type Description = old.Description
  val Description = old.Description
  type ResourceBindings = old.ResourceBindings
  type Resource = old.Resource
  val Resource = old.Resource
  val ResourceInt = old.ResourceInt
  val ResourceString = old.ResourceString
}
