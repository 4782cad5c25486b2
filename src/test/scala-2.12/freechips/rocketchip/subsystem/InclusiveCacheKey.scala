package freechips.rocketchip.subsystem

import org.chipsalliance.cde.config.Field

/** Stands for the parameters of the inclusive cache, which are in a package of this name. */
case class InclusiveCacheParams(ctrlAddr: Option[Int])

/** Stands for their field. */
case object InclusiveCacheKey extends Field[InclusiveCacheParams]
