package hauberk.crypto

import chisel3._
import chisel3.util._

/** Substitutes each byte by the AES S-box or its inverse (FIPS-197, sections 5.1.1 and 5.3.2). Combinational.
  *
  * @param bytes number of bytes
  * @param style how the S-box is written down
  * @param direction Encrypt: S-box; Decrypt: inverse S-box; Both: the inverse where `io.decrypt`
  */
private[crypto] class SubBytes(bytes: Int, style: SBoxStyle, direction: AesDirection) extends Module {
  val io = IO(new Bundle {
    val in = Input(UInt((8 * bytes).W))
    val decrypt = Input(Bool())
    val out = Output(UInt((8 * bytes).W))
  })

  private def look(table: Seq[Int], byte: UInt): UInt = {
    val unit = Module(new ByteTable(table))
    unit.io.in := byte
    unit.io.out
  }

  private def byTable(byte: UInt): UInt = direction match {
    case AesDirection.Encrypt => look(AesField.sBox, byte)
    case AesDirection.Decrypt => look(AesField.inverseSBox, byte)
    case AesDirection.Both => Mux(io.decrypt, look(AesField.inverseSBox, byte), look(AesField.sBox, byte))
  }

  /** Plane i holds bit 7 - i of every byte. */
  private def byPlanes(in: UInt): UInt = {
    val planes = (7 to 0 by -1).map(bit => Cat((bytes - 1 to 0 by -1).map(byte => in(8 * byte + bit))))
    val substituted = direction match {
      case AesDirection.Encrypt => BoyarPeralta.forward(planes)
      case AesDirection.Decrypt => InverseSBox(planes)
      case AesDirection.Both => InverseSBox.orForward(io.decrypt, planes)
    }
    Cat((bytes - 1 to 0 by -1).flatMap(byte => substituted.map(_(byte))))
  }

  io.out := (style match {
    case SBoxStyle.Table => Bytes.join(Bytes.split(io.in).map(byTable))
    case SBoxStyle.BoyarPeralta => byPlanes(io.in)
  })
}

/** A table of 256 bytes, left as one: a simulator looks it up, and an FPGA's synthesis makes of each output bit four functions of the
  * low six input bits and a choice between them by the high two. Each byte has a simulator's word to itself, so that Verilator need not take
  * it from the middle of two; synthesis drops the zeros.
  */
private[crypto] class ByteTable(table: Seq[Int]) extends Module {
  val io = IO(new Bundle {
    val in = Input(UInt(8.W))
    val out = Output(UInt(8.W))
  })
  io.out := VecInit(table.map(_.U(32.W)))(io.in)(7, 0)
}

/** Words as bytes in the order of FIPS-197: the first one is the most significant. */
object Bytes {
  def split(word: UInt): Seq[UInt] = parts(word, 8)
  def join(bytes: Seq[UInt]): UInt = Cat(bytes)

  /** Cut into parts of `bits`, the most significant one first. */
  def parts(word: UInt, bits: Int): Seq[UInt] =
    (word.getWidth / bits - 1 to 0 by -1).map(i => word(bits * i + bits - 1, bits * i))
}
