package hauberk.instruction

import chisel3._
import chisel3.util._

/** A fetch: `2^size` bytes from an address that is a multiple of them. */
class FetchRequest(val p: EmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val address = UInt(p.addressBits.W)
  val size = UInt(p.sizeBits.W)

  def page: UInt = address(p.addressBits - 1, EmuParams.pageBits)

  /** Of the first and the last byte: which block of the line they are in. */
  def firstAesBlock: UInt = if (p.aesBlocks == 1) 0.U else address(log2Ceil(p.lineBytes) - 1, 4)
  def lastAesBlock: UInt = firstAesBlock | FetchRequest.within(p, size, 4, p.aesBlocks)

  /** By block of the line: something of it is fetched. */
  def blocks: UInt = VecInit((0 until p.aesBlocks).map(i => firstAesBlock <= i.U && i.U <= lastAesBlock)).asUInt

  /** Of the first and the last byte: which beat of the line they are in. */
  def firstBeat: UInt =
    if (p.beats == 1) 0.U else address(log2Ceil(p.lineBytes) - 1, log2Ceil(p.beatBytes))
  def lastBeat: UInt = firstBeat | FetchRequest.within(p, size, log2Ceil(p.beatBytes), p.beats)
}

/** Counts of a fetch's beats and 16-byte blocks, by its size. */
object FetchRequest {

  /** Units of `2^lgUnit` bytes in a fetch of `2^size`, of which a line has `most`; less one, since the first is a multiple of them. */
  private def within(p: EmuParams, size: UInt, lgUnit: Int, most: Int): UInt = {
    val width = log2Ceil(most).max(1)
    (lgUnit to log2Ceil(p.lineBytes))
      .map(lg => Mux(size === lg.U, ((1 << (lg - lgUnit)) - 1).U(width.W), 0.U(width.W)))
      .reduce(_ | _)
  }
}

/** A beat of a fetch's response, in the order of addresses; a beat that is denied, or without a key, has no data. */
class FetchBeat(val p: EmuParams) extends Bundle {
  val id = UInt(p.idBits.W)
  val data = UInt(p.beatBits.W)
  val denied = Bool()
}

/** Where fetches are asked for; beats of different fetches do not mix. An answer may come in the cycle of its request. */
class FetchPort(val p: EmuParams) extends Bundle {
  val request = Decoupled(new FetchRequest(p))
  val beat = Flipped(Decoupled(new FetchBeat(p)))
}
