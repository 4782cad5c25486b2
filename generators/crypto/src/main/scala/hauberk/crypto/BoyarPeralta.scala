package hauberk.crypto

import chisel3._

/** The AES S-box as a straight-line program of 32 ANDs and 81 XORs or XNORs (J. Boyar, P. Matthews, R. Peralta, "Logic
  * minimization techniques with applications to cryptology", Journal of Cryptology 2013; program SLP_AES_113).
  *
  * Works on bit planes: element i of a plane list holds bit 7 - i of every byte, one bit per byte, so one pass of the
  * program substitutes any number of bytes.
  */
private[crypto] object BoyarPeralta {
  def xnor(a: UInt, b: UInt): UInt = ~(a ^ b)

  /** Substitute by the S-box. */
  def forward(x: Seq[UInt]): Seq[UInt] = bottom(inversion(top(x)))

  /** The linear forms of the byte the inversion starts from: y1 to y21, and for y0 the byte's bit 0. */
  private def top(x: Seq[UInt]): Seq[UInt] = {
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
    Seq(x(7), y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21)
  }

  /** The inversion in the field, from 22 linear forms of a byte to 18 products of which the inverse's bits are sums. */
  def inversion(y: Seq[UInt]): Seq[UInt] = {
    val t2 = y(12) & y(15)
    val t4 = (y(3) & y(6)) ^ t2
    val t6 = (y(4) & y(0)) ^ t2
    val t7 = y(13) & y(16)
    val t9 = (y(5) & y(1)) ^ t7
    val t11 = (y(2) & y(7)) ^ t7
    val t12 = y(9) & y(11)
    val t14 = (y(14) & y(17)) ^ t12
    val t16 = (y(8) & y(10)) ^ t12
    val t21 = (t4 ^ y(20)) ^ t14
    val t22 = (t6 ^ t16) ^ y(19)
    val t23 = (t9 ^ t14) ^ y(21)
    val t24 = (t11 ^ t16) ^ y(18)

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

    Seq(
      t44 & y(15),
      t37 & y(6),
      t33 & y(0),
      t43 & y(16),
      t40 & y(1),
      t29 & y(7),
      t42 & y(11),
      t45 & y(17),
      t41 & y(10),
      t44 & y(12),
      t37 & y(3),
      t33 & y(4),
      t43 & y(13),
      t40 & y(5),
      t29 & y(2),
      t42 & y(9),
      t45 & y(14),
      t41 & y(8)
    )
  }

  /** Sums of the products: the S-box's affine map of the inverse. */
  private def bottom(z: Seq[UInt]): Seq[UInt] = {
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
}
