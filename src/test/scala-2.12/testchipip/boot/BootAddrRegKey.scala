package testchipip.boot

import org.chipsalliance.cde.config.Field

/** Stands for testchipip's field of the boot address register, which is in a package of this name. */
object BootAddrRegKey extends Field[Option[Unit]](None)
