package hauberk.tilelink.common

/** Stands before managers, and lets requests of guarded tiles pass only. */
trait TilesOnly

/** A master that shows what it reads to guarded tiles only. */
trait ReadsForTiles
