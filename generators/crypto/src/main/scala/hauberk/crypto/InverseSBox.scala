package hauberk.crypto

import chisel3._

/** The inverse AES S-box in 114 gates (32 ANDs, 82 XORs): the inversion of [[BoyarPeralta]] between linear layers of our
  * own. With A the S-box's linear map, L the forms the inversion starts from and B the sums that end the S-box, the
  * inverse S-box of y starts from L(A^-1(y + 63)) and ends with A^-1(B(products)). The layers were found with Boyar and
  * Peralta's distance heuristic: the first directly, in 23 XORs; the second by transposing a program for its transposed
  * matrix, in 29. Works on bit planes as [[BoyarPeralta]] does.
  */
private[crypto] object InverseSBox {

  /** Substitute by the inverse S-box. */
  def apply(y: Seq[UInt]): Seq[UInt] = bottom(BoyarPeralta.inversion(top(y)))

  private def top(y: Seq[UInt]): Seq[UInt] = {
    val v = y.zipWithIndex.map { case (plane, i) => if (((0x63 >> (7 - i)) & 1) == 1) ~plane else plane }
    val d0 = v(0) ^ v(3)
    val d1 = v(0) ^ v(1)
    val d2 = d1 ^ v(3)
    val d3 = d0 ^ d1
    val d4 = v(4) ^ v(3)
    val d5 = d4 ^ v(7)
    val d6 = d2 ^ d5
    val d7 = d5 ^ v(6)
    val d8 = v(2) ^ d4
    val d9 = d7 ^ d3
    val d10 = d5 ^ v(3)
    val d11 = d2 ^ v(4)
    val d12 = d11 ^ d7
    val d13 = d4 ^ d9
    val d14 = d9 ^ d8
    val d15 = d5 ^ d14
    val d16 = v(6) ^ d14
    val d17 = v(5) ^ v(0)
    val d18 = d17 ^ d13
    val d19 = d6 ^ d18
    val d20 = d17 ^ v(2)
    val d21 = d19 ^ d15
    val d22 = d18 ^ d4
    Seq(d20, d5, d9, d0, d13, d3, d2, d14, d1, d4, d6, d18, d12, d7, d11, d21, d15, d19, d8, d10, d22, d16)
  }

  private def bottom(z: Seq[UInt]): Seq[UInt] = {
    val c0 = z(15) ^ z(12)
    val c1 = z(13) ^ z(16)
    val c2 = z(6) ^ c0
    val c3 = c2 ^ c1
    val c4 = z(3) ^ c3
    val c5 = z(5) ^ c4
    val c6 = z(8) ^ c5
    val c7 = z(11) ^ z(17)
    val c8 = z(0) ^ c3
    val c9 = c8 ^ c5
    val c10 = z(4) ^ c4
    val c11 = z(2) ^ c9
    val c12 = z(1) ^ z(8)
    val c13 = c12 ^ c9
    val c14 = c13 ^ c10
    val c15 = z(7) ^ c10
    val c16 = z(10) ^ z(16)
    val c17 = c16 ^ c7
    val c18 = c17 ^ c11
    val c19 = z(9) ^ z(12)
    val c20 = c19 ^ c7
    val c21 = z(14) ^ z(17)
    val c22 = c21 ^ c14
    val c23 = c22 ^ c18
    val c24 = c20 ^ c23
    val c25 = c1 ^ c23
    val c26 = c6 ^ c11
    val c27 = c15 ^ c18
    val c28 = c0 ^ c20
    Seq(c6, c24, c25, c26, c27, c14, c15, c28)
  }

  /** Undo the affine map that ends the S-box (FIPS-197, section 5.3.2): bit i is y(i+2) + y(i+5) + y(i+7) + d(i), d = 05. */
  private def inverseAffine(y: Seq[UInt]): Seq[UInt] = {
    def bit(i: Int): UInt = y(7 - i % 8)
    (7 to 0 by -1).map { i =>
      val sum = bit(i + 2) ^ bit(i + 5) ^ bit(i + 7)
      if (((0x05 >> i) & 1) == 1) ~sum else sum
    }
  }

  /** Substitute by the inverse S-box where `decrypt`, else by the S-box. Both share one inversion: the inverse S-box is the
    * S-box between two inverse affine maps, which takes two multiplexers of a byte instead of one of 22 and one of 8 bits.
    */
  def orForward(decrypt: Bool, x: Seq[UInt]): Seq[UInt] = {
    def mapped(planes: Seq[UInt]): Seq[UInt] =
      planes.zip(inverseAffine(planes)).map { case (plain, inverted) => Mux(decrypt, inverted, plain) }
    mapped(BoyarPeralta.forward(mapped(x)))
  }
}
