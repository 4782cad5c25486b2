package freechips.rocketchip.diplomacy

/** A lazy module whose constructor threw stays the parent of the next one, because 1.2.6 has no place to clean up. */
object AfterRefusal {
  def reset(): Unit = LazyModule.scope = None
}
