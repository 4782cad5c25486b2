package hauberk.tools

import java.nio.{ByteBuffer, ByteOrder}

/** A stretch of memory: what lies at `base` and behind it. */
class Dram(val base: BigInt, val content: Array[Byte]) {
  private val words = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN)

  def end: BigInt = base + content.length
  def contains(address: BigInt, count: BigInt): Boolean = address >= base && address + count <= end

  def bytes(address: BigInt, count: Int): Array[Byte] = {
    val from = offset(address, count)
    content.slice(from, from + count)
  }

  /** The 64-bit word at an address, as a core loads it. */
  def word(address: BigInt): Long = words.getLong(offset(address, 8))

  def put(address: BigInt, data: Array[Byte]): Unit = data.copyToArray(content, offset(address, data.length))

  private def offset(address: BigInt, count: Int): Int = {
    require(
      contains(address, count),
      s"$count bytes at ${Hex(address)} are not within ${Hex(base)} to ${Hex(end - 1)}"
    )
    (address - base).toInt
  }
}
