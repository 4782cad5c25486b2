package hauberk.crypto

/** All that a key of 128 bits is found by. */
object KeySecrets {

  /** The round keys (FIPS-197, section 5.2), of which the first is the key, with their widths. */
  def of(key: BigInt): Seq[(BigInt, Int)] = {
    val words = (3 to 0 by -1).map(i => (key >> (32 * i)) & 0xffffffffL).toVector
    val all = (1 to 10).foldLeft(words) { (w, round) =>
      val rotated = ((w.last << 8) & 0xffffffffL) | (w.last >> 24)
      val substituted =
        (24 to 0 by -8).foldLeft(BigInt(0))((sum, at) => (sum << 8) | AesField.sBox(((rotated >> at) & 0xff).toInt))
      val added = w.takeRight(4).scanLeft(substituted ^ (BigInt(AesField.roundConstant(round)) << 24))(_ ^ _).tail
      w ++ added
    }
    all.grouped(4).map(_.reduce((a, b) => (a << 32) | b) -> 128).toSeq
  }
}
