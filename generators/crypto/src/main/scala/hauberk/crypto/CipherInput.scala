package hauberk.crypto

import chisel3._
import chisel3.util.Cat

/** Fields of cipher inputs. */
object CipherInput {

  /** A value in a field of a block, by the field's bits, zero-extended. A wider value is refused: two inputs that differ only in the bits that
    * are cut off would be the same.
    */
  def field(value: UInt, width: Int): UInt = {
    require(
      value.getWidth <= width,
      s"a field of ${value.getWidth} bits does not fit the $width bits it has in the input of a cipher: make what it numbers smaller"
    )
    if (value.getWidth == width) value else Cat(0.U((width - value.getWidth).W), value)
  }
}
