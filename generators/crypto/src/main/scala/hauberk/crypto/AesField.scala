package hauberk.crypto

/** The byte field GF(2^8) of AES and its S-box, computed from their definition (FIPS-197, sections 4.2 and 5.1.1). */
private[crypto] object AesField {

  /** Multiply by x modulo x^8 + x^4 + x^3 + x + 1. */
  def double(a: Int): Int = ((a << 1) ^ (if ((a & 0x80) != 0) 0x11b else 0)) & 0xff

  def multiply(a: Int, b: Int): Int =
    (0 until 8).foldLeft((0, a)) { case ((sum, power), bit) =>
      (if (((b >> bit) & 1) == 1) sum ^ power else sum, double(power))
    }._1

  /** The multiplicative inverse, with 0 for 0. */
  def inverse(a: Int): Int = (1 until 256).find(multiply(a, _) == 1).getOrElse(0)

  private def affine(a: Int): Int = {
    def rotate(n: Int): Int = ((a << n) | (a >> (8 - n))) & 0xff
    a ^ rotate(1) ^ rotate(2) ^ rotate(3) ^ rotate(4) ^ 0x63
  }

  val sBox: Seq[Int] = (0 until 256).map(a => affine(inverse(a)))
  val inverseSBox: Seq[Int] = (0 until 256).map(a => sBox.indexOf(a))

  /** Round constant number `i`, from 1. */
  def roundConstant(i: Int): Int = Iterator.iterate(1)(double).drop(i - 1).next()
}
