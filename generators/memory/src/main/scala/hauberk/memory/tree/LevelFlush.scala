package hauberk.memory.tree

import chisel3._

/** Flushes caches that rest on each other, each when the one before has written everything back. */
private[memory] object LevelFlush {

  /** A cache, to flush. It is `flushing` from the cycle after `flush` until all is written back; when it is told to flush meanwhile, it
    * begins anew.
    */
  case class Level(flush: Bool, flushing: Bool)

  /** Drives `flush` of every level.
    *
    * @param start  begins a flush, also while others are under way: the new one follows them from level to level
    * @param levels from the lowest up: a write-back of a level changes the level above
    * @return some flush is under way, from the cycle after `start` on; false where there are no levels
    */
  def apply(start: Bool, levels: Seq[Level]): Bool = {
    val runs = levels.map(_ => RegInit(false.B))
    levels.zip(runs).foldLeft(start) { case (starts, (level, running)) =>
      level.flush := starts
      running := starts || (running && level.flushing)
      running && !level.flushing && !starts
    }
    runs.foldLeft(false.B)(_ || _)
  }
}
