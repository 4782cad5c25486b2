package hauberk.memory.mode

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.cipher.CipherPort

/** Encryption of a block. Every mode is stated as a keystream: memory holds data XOR keystream, whatever the keystream
  * depends on, so the datapath of the engine is one XOR for all of them.
  */
trait Mode {
  def name: String

  /** Code in the geometry register. */
  def code: Int

  /** Reads fetch whole blocks, because keystream may depend on a block's own bytes. */
  def wholeBlocks: Boolean

  /** Whether a transaction's keystream depends on the block's own bytes, and is asked for when the whole block is at hand; else block number and
    * counter suffice, so that it is made ahead.
    */
  def needsData(direct: Bool): Bool

  /** Needs no fresh counter for a write. */
  def counterless: Boolean = false

  /** Uses the cipher backwards, and the tweak keys of XTS. */
  def decrypts: Boolean
  def usesTweakKeys: Boolean = false
}

/** Asks for the keystream of AES blocks `first` to `last` of one transaction. */
class KeystreamJob(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val write = Bool()
  val block = UInt(p.core.blockIndexBits.W)
  val counter = UInt(p.counterBits.W)
  val key = UInt(KeySlot.width.W)

  /** Encrypted directly, for lack of a counter. */
  val direct = Bool()
  val first = UInt(p.aesBlockBits.W)
  val last = UInt(p.aesBlockBits.W)
}

/** A transaction whose keystream blocks will be asked for when its block is at hand: what does not depend on the block can be made meanwhile. */
class KeystreamAhead(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val block = UInt(p.core.blockIndexBits.W)
  val key = UInt(KeySlot.width.W)
}

/** A block that will probably be read, and the counter that it then has. */
class ExpectedKeystream(val p: Geometry) extends Bundle {
  val block = UInt(p.core.blockIndexBits.W)
  val counter = UInt(p.counterBits.W)
  val key = UInt(KeySlot.width.W)
}

/** The keystream of one AES block of one transaction. The first byte in memory is the least significant byte of `bits`. */
class Keystream(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val aesBlock = UInt(p.aesBlockBits.W)
  val bits = UInt(128.W)
}

/** A combinational read of one buffered AES block of one transaction, lowest address in the least significant byte. */
class BufferPort(val p: Geometry) extends Bundle {
  val entry = Output(UInt(p.entryBits.W))
  val aesBlock = Output(UInt(p.aesBlockBits.W))
  val data = Input(UInt(128.W))
}

/** Read ports of the block buffer for modes that need the data. */
object KeystreamGenerator {

  /** One AES block at its start, and two (itself and its predecessor) when it is done. */
  val bufferPorts = 3
}

/** Between the transactions and the generator of their keystream, seen from the generator. */
class KeystreamPort(val p: Geometry) extends Bundle {
  val job = Flipped(Decoupled(new KeystreamJob(p)))

  /** Once for every transaction whose keystream block needs its data, before its job; never refused. */
  val ahead = Flipped(Valid(new KeystreamAhead(p)))

  /** The keystream that a read will probably ask for, all of its block's: made ahead if the cipher has nothing else to do. Never refused. */
  val expected = if (p.expectedPads > 0) Some(Flipped(Valid(new ExpectedKeystream(p)))) else None

  /** Never refused: every transaction has room for its keystream. */
  val keystream = Valid(new Keystream(p))

  /** Read the buffered bytes of transactions; used by modes that need the data. */
  val buffer = Vec(KeystreamGenerator.bufferPorts, new BufferPort(p))
}

/** Ports of a keystream generator. */
class KeystreamGeneratorIO(val p: Geometry) extends Bundle {
  val port = new KeystreamPort(p)
  val cipher = new CipherPort(p)

  /** Not to be held up in favour of others: keystream blocks of which the first has been asked for follow each other. True
    * unless a generator tells them apart.
    */
  val begun = Output(Bool())

  /** Slots with a key, for pads that are made ahead. */
  val usable = if (p.expectedPads > 0) Some(Input(Vec(KeySlot.count, Bool()))) else None

  /** A read asks for keystream that was expected; for other. */
  val right, wrong = Output(Bool())

  /** Registers may change in the next cycle, though no job, announcement or answer comes. */
  val busy = Output(Bool())
}

/** Turns jobs into keystream, in any order. */
abstract class KeystreamGenerator(val p: Geometry) extends Module {
  val io = IO(new KeystreamGeneratorIO(p))
  io.begun := true.B
  io.right := false.B
  io.wrong := false.B
}
