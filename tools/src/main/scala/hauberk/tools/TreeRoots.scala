package hauberk.tools

import hauberk.memory.reference.{ReferenceHash, ReferenceKey}
import java.nio.ByteBuffer

/** The root table of a tree is on the chip, and so in no dump. What a dump can have is a root table with which it verifies: this finds it. */
object TreeRoots {
  private val batch = 4096

  /** The counter of which a line of counters has its MAC, if that is one from 1 to `most`; else 0, for a line that was never written back.
    *
    * @param level  the line's level in the tree
    * @param stored the line as memory has it
    */
  def counter(key: ReferenceKey, engine: Int, level: Int, line: BigInt, stored: Array[Byte], most: Long): Long = {
    val words = ReferenceHash.words(stored)
    val pad = words.last ^ ReferenceHash.polynomial(words.init, key.hashFirst)
    val inputs = ByteBuffer.wrap(Array.fill(batch)(ReferenceKey.input(5, engine, line, 0, level)).flatten)
    val found = Iterator.iterate(1L)(_ + batch).takeWhile(_ <= most).flatMap { first =>
      // The counter is behind domain, engine and index
      for (i <- 0 until batch) inputs.putLong(16 * i + 7, first + i)
      val pads = ByteBuffer.wrap(key.encrypt(inputs.array))
      (0 until batch).find(i => pads.getLong(16 * i) == pad).map(first + _)
    }
    if (stored.forall(_ == 0) || !found.hasNext) 0 else found.next()
  }
}
