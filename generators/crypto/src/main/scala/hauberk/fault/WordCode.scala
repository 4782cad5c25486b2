package hauberk.fault

import chisel3._
import chisel3.util._

/** A word as a [[WordCode]] reads it back. */
case class CheckedWord(data: UInt, faulty: Bool)

/** How a memory keeps a word: its data in the low bits, check bits above. */
trait WordCode {

  /** Check bits of a word of `dataBits` bits. */
  def checkBits(dataBits: Int): Int

  /** Width of a stored word. */
  final def width(dataBits: Int): Int = dataBits + checkBits(dataBits)

  /** The stored word. */
  def encode(data: UInt): UInt

  /** The data of a stored word. `faulty`: they are wrong, and cannot be corrected. */
  def decode(stored: UInt, dataBits: Int): CheckedWord
}

/** No check bits: flips are not noticed. */
case object Unchecked extends WordCode {
  def checkBits(dataBits: Int): Int = 0
  def encode(data: UInt): UInt = data
  def decode(stored: UInt, dataBits: Int): CheckedWord = CheckedWord(stored, false.B)
}

/** A bit of even parity: one flip is detected. The parity of a sum is the sum of the parities. */
case object Parity extends WordCode {
  def checkBits(dataBits: Int): Int = 1
  def encode(data: UInt): UInt = Cat(data.xorR, data)
  def decode(stored: UInt, dataBits: Int): CheckedWord = CheckedWord(stored(dataBits - 1, 0), stored.xorR)
}
