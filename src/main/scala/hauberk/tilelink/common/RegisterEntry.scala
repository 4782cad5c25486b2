package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.abi.Code

/** Makes the entry of a register map that has a [[Register]]. */
trait RegisterEntry { this: Register =>

  /** Shows a value, field by field. */
  def read(value: UInt): RegField.Map = {
    val word = value + 0.U(64.W)
    val ends = 0 +: fields.map(_.high + 1)
    val shown = fields.zip(ends).flatMap { case (field, end) =>
      val gap = if (field.low > end) Seq(RegField(field.low - end)) else Nil
      gap :+ RegField.r(field.width, field.of(word), describe(field.name, field.meaning, field.values))
    }
    offset -> (if (fields.isEmpty) Seq(RegField.r(64, word, described)) else shown)
  }

  /** Reads as its constant. */
  def readConstant: RegField.Map = read(constant.get.U(64.W))

  /** Shows a constant of this configuration, given for each field. */
  def readFields(values: (BitField, Int)*): RegField.Map = {
    require(values.map(_._1) == fields, s"the register $name has the fields $fields, and is given $values")
    read(values.map { case (field, value) => field.holding(value) }.sum.U(64.W))
  }

  /** Gives each word once. */
  def read(words: DecoupledIO[UInt]): RegField.Map = {
    val next = RegReadFn { ready =>
      words.ready := ready
      (true.B, Mux(words.valid, words.bits, 0.U))
    }
    offset -> Seq(RegField.r(64, next, described))
  }

  /** Holds the word that was written last. */
  def held(word: UInt): RegField.Map = offset -> Seq(RegField.w(64, RegWriteFn(word), described))

  /** The same, in halves of 32 bits that can be written one at a time.
    *
    * @param accepts writes change the word
    */
  def heldInHalves(word: UInt, accepts: Bool = true.B): RegField.Map = {
    val lower, upper = Wire(Valid(UInt(32.W)))
    when(accepts) {
      word := Cat(Mux(upper.valid, upper.bits, word(63, 32)), Mux(lower.valid, lower.bits, word(31, 0)))
    }
    offset -> Seq(lower -> "lower", upper -> "upper").map { case (half, name) =>
      RegField.w(32, taken(half), describe(name, meaning, values))
    }
  }

  /** Passes the lower half on in the cycle in which it is written, with the upper half or alone. */
  def writeLower(written: Valid[UInt]): RegField.Map =
    offset -> Seq(RegField.w(32, taken(written), described), RegField(32))

  /** Passes a word on in the cycle in which it is written. */
  def write(written: Valid[UInt]): RegField.Map = offset -> Seq(RegField.w(64, taken(written), described))

  /** Passes words on as they are accepted. */
  def write(words: DecoupledIO[UInt]): RegField.Map = offset -> Seq(RegField.w(64, accepted(words), described))

  /** A word that software writes and reads back. */
  def rw(word: UInt): RegField.Map = offset -> Seq(RegField(word.getWidth, word, described))

  /** Reads one word, and passes on writes. */
  def rw(shown: UInt, written: Valid[UInt]): RegField.Map =
    offset -> Seq(RegField(64, RegReadFn(shown + 0.U(64.W)), taken(written), described))

  /** Reads one word, and passes words on as they are accepted. */
  def rw(shown: UInt, words: DecoupledIO[UInt]): RegField.Map =
    offset -> Seq(RegField(64, RegReadFn(shown + 0.U(64.W)), accepted(words), described))

  private def accepted(words: DecoupledIO[UInt]): RegWriteFn = RegWriteFn { (valid, data) =>
    words.valid := valid
    words.bits := data
    words.ready
  }

  private def taken(written: Valid[UInt]): RegWriteFn = RegWriteFn { (valid, data) =>
    written.valid := valid
    written.bits := data
    true.B
  }

  private def described: RegFieldDesc = {
    val inside = fields.map(field => s"[${field.high}:${field.low}] ${field.name}: ${field.meaning}")
    describe("", (meaning +: inside).mkString("; "), values)
  }

  private def describe(inner: String, text: String, values: Seq[Code]): RegFieldDesc = RegFieldDesc(
    Seq(name, inner).filter(_.nonEmpty).mkString("_").toLowerCase,
    text,
    volatile = constant.isEmpty,
    reset = constant,
    enumerations = values.map(value => BigInt(value.number) -> ((value.name, value.meaning))).toMap
  )
}
