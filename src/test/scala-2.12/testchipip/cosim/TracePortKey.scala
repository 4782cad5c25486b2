package testchipip.cosim

import org.chipsalliance.cde.config.Field

/** Stands for testchipip's field of the trace port that leaves the chip, which is in a package of this name. */
object TracePortKey extends Field[Option[Unit]](None)
