package hauberk.memory.common

import chisel3.util.isPow2

/** Geometry of a cache of metadata lines, such as the timestamp cache of AEGIS section 6.3. */
case class MetadataCacheParams(
    /** Lines held, each of one block's bytes (AEGIS table 2: 32). */
    lines: Int = 32,
    /** Associativity; `lines` for a fully associative cache. */
    ways: Int = 4,
    /** Line fetches that may be outstanding. */
    mshrs: Int = 4
) {
  require(lines > 0 && isPow2(lines), s"a metadata cache of $lines lines cannot be built: make lines a power of two")
  require(
    ways > 0 && lines % ways == 0 && isPow2(lines / ways),
    s"$ways ways do not divide $lines metadata cache lines into a power-of-two number of sets: change ways"
  )
  require(mshrs > 0 && mshrs <= lines, s"mshrs is $mshrs: it must be between 1 and the $lines lines of the cache")
  val sets: Int = lines / ways

  /** The same with another size in bytes and other ways; 0 ways for a fully associative cache. */
  def resize(bytes: Int, ways: Int): MetadataCacheParams = {
    val lineBytes = MetadataCacheParams.lineBytes
    require(bytes > 0 && bytes % lineBytes == 0, s"a cache of $bytes bytes does not hold whole lines of $lineBytes")
    val lines = bytes / lineBytes
    copy(lines = lines, ways = if (ways == 0) lines else ways, mshrs = math.min(mshrs, lines))
  }

  /** Identifiers on the memory side: fetches, then write-backs. */
  val ids: Int = mshrs + MetadataCacheParams.writebacks
}

/** Common parameters of all metadata caches. */
object MetadataCacheParams {

  /** Bytes of a line where blocks are cache lines. */
  val lineBytes = 64

  /** Lines on their way back at the same time; a power of two. */
  val writebacks = 2
}
