package hauberk.tools

/** Bytes and numbers as hexadecimal digits. */
object Hex {
  def apply(bytes: Array[Byte]): String = bytes.map(byte => f"${byte & 0xff}%02x").mkString

  /** An address or another 64-bit word, as C writes it. */
  def apply(value: BigInt): String = s"0x${value.toString(16)}"

  /** `count` bytes, or none if the text is not exactly twice as many hexadecimal digits. */
  def parse(text: String, count: Int): Option[Array[Byte]] =
    if (text.length != 2 * count || !text.forall(Character.digit(_, 16) >= 0)) None
    else Some(text.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray)
}
