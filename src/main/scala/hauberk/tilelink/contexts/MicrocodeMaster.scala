package hauberk.tilelink.contexts

import hauberk.tilelink.common.ReadsForTiles

/** A master that serves the microcode: it accesses pages whoever owns them, as registers ask it to that only microcode reaches, and shows no data. */
private[contexts] trait MicrocodeMaster extends ReadsForTiles
