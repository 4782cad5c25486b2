package hauberk.crypto

/** The AES key schedule (FIPS-197, section 5.2) as steps of four words over a sliding window of one key length.
  *
  * With w(i) the schedule's words, the window before step r (from 1) is w(4r-4) to w(4r-4+n-1), n being the number of words
  * in a key; the step moves it on by four words, and undoing the step moves it back. The first four words of the window
  * after step r are the round key of round r. The window after the last step is the **decryption start**: from there the
  * steps undone in turn give the round keys backwards. For 192 and 256-bit keys it reaches past the last round key, by the
  * same recursion.
  *
  * @param keyBits 128, 192 or 256
  */
private[crypto] case class KeySchedule(keyBits: Int) {
  val words: Int = keyBits / 32
  val rounds: Int = words + 6

  /** Operation of step `r` on the four new words w(4r-4+n) to w(4r-1+n).
    *
    * @param offset which of the four goes through the S-box (0 or 2), if any
    * @param rotated whether it is rotated first and the round constant added
    * @param constant the round constant
    */
  case class Step(offset: Option[Int], rotated: Boolean, constant: Int)

  def step(r: Int): Step = {
    val added = (0 until 4).map(4 * r - 4 + words + _)
    added.indexWhere(_ % words == 0) match {
      case -1 if words == 8 => Step(Some(0), rotated = false, 0)
      case -1 => Step(None, rotated = false, 0)
      case offset => Step(Some(offset), rotated = true, AesField.roundConstant(added(offset) / words))
    }
  }
}

/** The key schedule in software, for key stores and tests that hold keys as numbers. */
object KeySchedule {

  /** Key of a decrypting core: the schedule's window after the last round (see [[KeySchedule]]). */
  def decryptionStart(key: BigInt, keyBits: Int): BigInt = {
    val schedule = KeySchedule(keyBits)
    val n = schedule.words
    val first = (n - 1 to 0 by -1).map(i => ((key >> (32 * i)) & BigInt("ffffffff", 16)).toLong)
    val all = (n until 4 * schedule.rounds + n).foldLeft(first.toVector) { (w, i) =>
      val before = w(i - 1)
      val changed =
        if (i % n == 0) substitute(rotate(before)) ^ (AesField.roundConstant(i / n).toLong << 24)
        else if (n == 8 && i % n == 4) substitute(before)
        else before
      w :+ (w(i - n) ^ changed)
    }
    all.takeRight(n).foldLeft(BigInt(0))((sum, word) => (sum << 32) + word)
  }

  private def rotate(word: Long): Long = ((word << 8) | (word >> 24)) & 0xffffffffL

  private def substitute(word: Long): Long =
    (24 to 0 by -8).foldLeft(0L)((sum, shift) => (sum << 8) | AesField.sBox(((word >> shift) & 0xff).toInt))
}
