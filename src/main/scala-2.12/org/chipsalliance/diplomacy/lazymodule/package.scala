package org.chipsalliance.diplomacy

import freechips.rocketchip.{diplomacy => old}

/** The names current Rocket Chip gives its lazy modules, on Rocket Chip 1.2.6. */
package object lazymodule {
  type LazyModule = old.LazyModule
  val LazyModule = old.LazyModule
  type LazyScope = old.LazyScope
  type LazyModuleImp = old.LazyModuleImp
  type LazyRawModuleImp = old.LazyRawModuleImp
  val InModuleBody = old.InModuleBody
}
