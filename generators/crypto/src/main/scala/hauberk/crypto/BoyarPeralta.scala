package hauberk.crypto

import chisel3._

/** The AES S-box as a straight-line program of 32 ANDs and 81 XORs or XNORs (J. Boyar, P. Matthews, R. Peralta, "Logic
  * minimization techniques with applications to cryptology", Journal of Cryptology 2013; program SLP_AES_113).
  *
  * Works on bit planes: element i of a plane list holds bit 7 - i of every byte, one bit per byte, so one pass of the
  * program substitutes any number of bytes.
  */
private[crypto] object BoyarPeralta {
  private def xnor(a: UInt, b: UInt): UInt = ~(a ^ b)

  /** Substitute by the S-box. */
  def forward(x: Seq[UInt]): Seq[UInt] = {
    val y14 = x(3) ^ x(5)
    val y13 = x(0) ^ x(6)
    val y9 = x(0) ^ x(3)
    val y8 = x(0) ^ x(5)
    val t0 = x(1) ^ x(2)
    val y1 = t0 ^ x(7)
    val y4 = y1 ^ x(3)
    val y12 = y13 ^ y14
    val y2 = y1 ^ x(0)
    val y5 = y1 ^ x(6)
    val y3 = y5 ^ y8
    val t1 = x(4) ^ y12
    val y15 = t1 ^ x(5)
    val y20 = t1 ^ x(1)
    val y6 = y15 ^ x(7)
    val y10 = y15 ^ t0
    val y11 = y20 ^ y9
    val y7 = x(7) ^ y11
    val y17 = y10 ^ y11
    val y19 = y10 ^ y8
    val y16 = t0 ^ y11
    val y21 = y13 ^ y16
    val y18 = x(0) ^ y16

    val t2 = y12 & y15
    val t4 = (y3 & y6) ^ t2
    val t6 = (y4 & x(7)) ^ t2
    val t7 = y13 & y16
    val t9 = (y5 & y1) ^ t7
    val t11 = (y2 & y7) ^ t7
    val t12 = y9 & y11
    val t14 = (y14 & y17) ^ t12
    val t16 = (y8 & y10) ^ t12
    val t21 = (t4 ^ y20) ^ t14
    val t22 = (t6 ^ t16) ^ y19
    val t23 = (t9 ^ t14) ^ y21
    val t24 = (t11 ^ t16) ^ y18

    val t25 = t21 ^ t22
    val t26 = t21 & t23
    val t27 = t24 ^ t26
    val t29 = (t25 & t27) ^ t22
    val t30 = t23 ^ t24
    val t31 = t22 ^ t26
    val t33 = (t31 & t30) ^ t24
    val t34 = t23 ^ t33
    val t35 = t27 ^ t33
    val t36 = t24 & t35
    val t37 = t36 ^ t34
    val t38 = t27 ^ t36
    val t40 = t25 ^ (t29 & t38)
    val t41 = t40 ^ t37
    val t42 = t29 ^ t33
    val t43 = t29 ^ t40
    val t44 = t33 ^ t37
    val t45 = t42 ^ t41

    val z = Seq(
      t44 & y15,
      t37 & y6,
      t33 & x(7),
      t43 & y16,
      t40 & y1,
      t29 & y7,
      t42 & y11,
      t45 & y17,
      t41 & y10,
      t44 & y12,
      t37 & y3,
      t33 & y4,
      t43 & y13,
      t40 & y5,
      t29 & y2,
      t42 & y9,
      t45 & y14,
      t41 & y8
    )

    val c1 = z(15) ^ z(16)
    val c2 = z(10) ^ c1
    val c3 = z(9) ^ c2
    val c4 = z(0) ^ z(2)
    val c5 = z(1) ^ z(0)
    val c6 = z(3) ^ z(4)
    val c7 = z(12) ^ c4
    val c8 = z(7) ^ c6
    val c9 = z(8) ^ c7
    val c10 = c8 ^ c9
    val c11 = c6 ^ c5
    val c12 = z(3) ^ z(5)
    val c13 = z(13) ^ c1
    val c14 = c4 ^ c12
    val s3 = c3 ^ c11
    val c16 = z(6) ^ c8
    val c17 = z(14) ^ c10
    val c18 = c13 ^ c14
    val s7 = xnor(z(12), c18)
    val c20 = z(15) ^ c16
    val c21 = c2 ^ z(11)
    val s0 = c3 ^ c16
    val s6 = xnor(c10, c18)
    val s4 = c14 ^ s3
    val s1 = xnor(s3, c16)
    val c26 = c17 ^ c20
    val s2 = xnor(c26, z(17))
    val s5 = c21 ^ c17
    Seq(s0, s1, s2, s3, s4, s5, s6, s7)
  }

  /** Undo the affine map that ends the S-box (FIPS-197, section 5.3.2): bit i is y(i+2) + y(i+5) + y(i+7) + d(i), d = 05. */
  def inverseAffine(y: Seq[UInt]): Seq[UInt] = {
    def bit(i: Int): UInt = y(7 - i % 8)
    (7 to 0 by -1).map { i =>
      val sum = bit(i + 2) ^ bit(i + 5) ^ bit(i + 7)
      if (((0x05 >> i) & 1) == 1) ~sum else sum
    }
  }

  /** Substitute by the inverse S-box: its inversion is the S-box's own, between two inverse affine maps. */
  def inverse(y: Seq[UInt]): Seq[UInt] = inverseAffine(forward(inverseAffine(y)))

  /** Substitute by the inverse S-box where `decrypt`, else by the S-box; both share one inversion. */
  def either(decrypt: Bool, x: Seq[UInt]): Seq[UInt] = {
    def mapped(planes: Seq[UInt]): Seq[UInt] =
      planes.zip(inverseAffine(planes)).map { case (plain, inverted) => Mux(decrypt, inverted, plain) }
    mapped(forward(mapped(x)))
  }
}
