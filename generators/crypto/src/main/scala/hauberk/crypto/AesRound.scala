package hauberk.crypto

import chisel3._
import chisel3.util._

/** One round of AES with its step of the key schedule (FIPS-197, sections 5.1, 5.2 and 5.3). Combinational.
  *
  * Encryption substitutes, shifts rows, mixes columns and adds the round key; decryption is the straight inverse cipher, so
  * that both walk the same key schedule. The last round does not mix columns.
  */
private[crypto] class AesRound(params: AesParams) extends Module {
  val io = IO(new Bundle {

    /** Number of the round, 1 to `params.rounds`. */
    val round = Input(UInt(4.W))
    val decrypt = Input(Bool())
    val block = Input(UInt(128.W))
    val key = Input(UInt(params.keyBits.W))
    val nextBlock = Output(UInt(128.W))
    val nextKey = Output(UInt(params.keyBits.W))
  })
  private val direction = params.direction
  private val last = io.round === params.rounds.U

  private val keyStep = Module(new KeyStep(params.keyBits, params.sBox, direction))
  private val undone = (params.rounds + 1).U(4.W) - io.round
  keyStep.io.step := choose(undone, io.round)
  keyStep.io.decrypt := io.decrypt
  keyStep.io.in := io.key
  io.nextKey := keyStep.io.out
  private val roundKey = AesRound.roundKey(keyStep.io.out)

  private val sBoxes = Module(new SubBytes(16, params.sBox, direction))
  sBoxes.io.in := io.block
  sBoxes.io.decrypt := io.decrypt
  private val substituted = Bytes.split(sBoxes.io.out)

  private def encrypted: UInt = {
    val shifted = AesRound.shiftRows(substituted)
    Bytes.join(shifted.zip(mixed(shifted)).map { case (plain, mix) => Mux(last, plain, mix) }) ^ roundKey
  }

  private def decrypted: UInt = {
    val keyed = Bytes.split(Bytes.join(AesRound.inverseShiftRows(substituted)) ^ roundKey)
    Bytes.join(keyed.zip(mixed(keyed.grouped(4).flatMap(MixColumn.prepareInverse).toSeq)).map { case (plain, mix) =>
      Mux(last, plain, mix)
    })
  }

  /** Both ways share the S-boxes and the column mixer. */
  private def either: UInt = {
    val shifted = AesRound.shiftRows(substituted)
    val keyed = Bytes.split(Bytes.join(AesRound.inverseShiftRows(substituted)) ^ roundKey)
    val prepared = keyed.grouped(4).flatMap(MixColumn.prepareInverse).toSeq
    val mix = mixed(prepared.zip(shifted).map { case (backwards, forwards) => Mux(io.decrypt, backwards, forwards) })
    val unmixed = keyed.zip(shifted).map { case (backwards, forwards) => Mux(io.decrypt, backwards, forwards) }
    val result = Bytes.join(mix.zip(unmixed).map { case (mixed, plain) => Mux(last, plain, mixed) })
    result ^ Mux(io.decrypt, 0.U(128.W), roundKey)
  }

  private def mixed(bytes: Seq[UInt]): Seq[UInt] = bytes.grouped(4).flatMap(MixColumn.mix).toSeq

  private def choose(decrypting: => UInt, encrypting: => UInt): UInt = direction match {
    case AesDirection.Encrypt => encrypting
    case AesDirection.Decrypt => decrypting
    case AesDirection.Both => Mux(io.decrypt, decrypting, encrypting)
  }

  io.nextBlock := (direction match {
    case AesDirection.Encrypt => encrypted
    case AesDirection.Decrypt => decrypted
    case AesDirection.Both => either
  })
}

/** The steps of a round of FIPS-197, and of its inverse, on 16 bytes. */
private[crypto] object AesRound {

  /** The round key at the head of a window of the key schedule. */
  def roundKey(window: UInt): UInt = window(window.getWidth - 1, window.getWidth - 128)

  /** Bytes in FIPS-197's order: byte 4c + r is row r of column c. Row r moves left by r. */
  def shiftRows(bytes: Seq[UInt]): Seq[UInt] = permute(bytes, (row, column) => column + row)
  def inverseShiftRows(bytes: Seq[UInt]): Seq[UInt] = permute(bytes, (row, column) => column + 4 - row)

  private def permute(bytes: Seq[UInt], from: (Int, Int) => Int): Seq[UInt] =
    for {
      column <- 0 until 4
      row <- 0 until 4
    } yield bytes(4 * (from(row, column) % 4) + row)
}

/** The column mixing of AES (FIPS-197, sections 5.1.3 and 5.3.3) on four bytes. */
private[crypto] object MixColumn {
  private def double(a: UInt): UInt = {
    val top = a(7)
    Cat(a(6, 4), a(3) ^ top, a(2) ^ top, a(1), a(0) ^ top, top)
  }

  def mix(a: Seq[UInt]): Seq[UInt] = {
    val pair = (0 until 4).map(i => a(i) ^ a((i + 1) % 4))
    (0 until 4).map(i => double(pair(i)) ^ a((i + 1) % 4) ^ pair((i + 2) % 4))
  }

  /** Mixing the result undoes mixing: it adds 4 (a(i) + a(i+2)) to each byte. */
  def prepareInverse(a: Seq[UInt]): Seq[UInt] = {
    val u = double(double(a(0) ^ a(2)))
    val v = double(double(a(1) ^ a(3)))
    Seq(a(0) ^ u, a(1) ^ v, a(2) ^ u, a(3) ^ v)
  }
}
