package hauberk.memory.common

import chisel3._
import chisel3.util.Cat
import hauberk.crypto.CipherInput.field

/** The layout of every AES input that is not data: domain (8 bits), engine (8), block or line number (40), counter (64),
  * AES block or level (8), most significant first. Inputs of different domains, engines, blocks, counters or AES blocks differ.
  */
object AesInput {
  val dataPad = 1
  val initialVector = 2

  /** The pad of a block's tag, and of an image block's, whose counter field is the image's `imageBlocks`. */
  val blockMac = 3
  val imageMac = 4

  /** The pad of the MAC in a line of counters: line number, the parent's counter, level. */
  val lineMac = 5

  /** Inputs of the keys that [[CipherArbiter]] derives. */
  val hashKey = 6
  val tweakKey = 7

  /** Inputs made of a domain and a hash of 120 bits. */
  val lineHash = 8
  val logHash = 9

  def apply(domain: Int, p: Geometry, index: UInt, counter: UInt, aesBlock: UInt): UInt =
    apply(domain.U(8.W), p, index, counter, aesBlock)

  /** With the domain chosen in hardware among those of this object. */
  def apply(domain: UInt, p: Geometry, index: UInt, counter: UInt, aesBlock: UInt): UInt =
    Cat(field(domain, 8), p.bank.engine.U(8.W), field(index, 40), field(counter, 64), field(aesBlock, 8))
}
