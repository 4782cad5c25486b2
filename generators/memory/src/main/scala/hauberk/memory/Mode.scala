package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** How a block becomes ciphertext. Every mode is stated as a mask: what memory holds is data XOR mask, whatever the mask
  * depends on, so the datapath of the engine is one XOR for all of them.
  */
trait Mode {
  def name: String

  /** Code in the geometry register. */
  def code: Int

  /** Set when the mask depends on the block's own bytes: the mask is then asked for when the whole block is at hand, and
    * reads always fetch whole blocks. Clear when block number and counter suffice, so that masks are made ahead.
    */
  def needsData: Boolean

  /** The AES core this mode drives. */
  def cipher(p: Protection): AesParams
  def maskGenerator(p: Protection): MaskGenerator
}

/** Asks for the masks of AES blocks `first` to `last` of one transaction. */
class MaskJob(val p: Protection) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val write = Bool()
  val block = UInt(p.core.blockIndexBits.W)
  val counter = UInt(p.counterBits.W)
  val first = UInt(log2Ceil(p.chunks).W)
  val last = UInt(log2Ceil(p.chunks).W)
}

/** The mask of one AES block of one transaction. The first byte in memory is the least significant byte of `bits`. */
class Mask(val p: Protection) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val chunk = UInt(log2Ceil(p.chunks).W)
  val bits = UInt(128.W)
}

/** A combinational read of one buffered AES block of one transaction, lowest address in the least significant byte. */
class BufferPort(val p: Protection) extends Bundle {
  val entry = Output(UInt(p.entryBits.W))
  val chunk = Output(UInt(log2Ceil(p.chunks).W))
  val data = Input(UInt(128.W))
}

object MaskGenerator {

  /** One AES block at its start, and two (itself and its predecessor) when it is done. */
  val bufferPorts = 3
}

/** Between the transactions and the generator of their masks, seen from the generator. */
class MaskPort(val p: Protection) extends Bundle {
  val job = Flipped(Decoupled(new MaskJob(p)))

  /** Never refused: every transaction has room for its masks. */
  val mask = Valid(new Mask(p))

  /** Read the buffered bytes of transactions; used by modes that need the data. */
  val buffer = Vec(MaskGenerator.bufferPorts, new BufferPort(p))
}

/** Ports of a mask generator. */
class MaskGeneratorIO(val p: Protection) extends Bundle {
  val port = new MaskPort(p)
  val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, p.cipher.keyBits)))
  val keyRetire = Flipped(Valid(UInt(log2Ceil(KeySlot.count).W)))
  val usable = Output(Vec(KeySlot.count, Bool()))

  /** An AES block starts in this cycle. */
  val started = Output(Bool())
}

/** Turns jobs into masks, in any order; owns the cipher and its key slots. */
abstract class MaskGenerator(val p: Protection) extends Module {
  val io = IO(new MaskGeneratorIO(p))

  /** The static key decrypts what nobody has written since the package was made (AEGIS section 3.3.1). */
  protected def slotOf(counter: UInt): UInt = Mux(counter === 0.U, KeySlot.static.U, KeySlot.dynamic.U)

  protected def reverseBytes(bits: UInt): UInt = Cat((0 until bits.getWidth / 8).map(i => bits(8 * i + 7, 8 * i)))
}

/** The layout of every AES input that is not data: domain (8 bits), engine (8), block number (40), counter (64),
  * AES block (8), most significant first. Inputs of different domains, engines, blocks, counters or chunks differ.
  */
object AesInput {
  val dataPad = 1
  val initialVector = 2

  def apply(domain: Int, p: Protection, block: UInt, counter: UInt, chunk: UInt): UInt =
    Cat(domain.U(8.W), p.stripe.engine.U(8.W), pad(block, 40), pad(counter, 64), pad(chunk, 8))

  private def pad(value: UInt, width: Int): UInt = {
    require(
      value.getWidth <= width,
      s"a field of ${value.getWidth} bits does not fit the $width bits it has in an AES input: make the stripe smaller"
    )
    if (value.getWidth == width) value else Cat(0.U((width - value.getWidth).W), value)
  }
}
