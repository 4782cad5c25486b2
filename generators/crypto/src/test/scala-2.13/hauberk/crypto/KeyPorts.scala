package hauberk.crypto

import chisel3.UInt
import chisel3.util.Valid
import hauberk.testing.Simulation

/** The ports of a [[KeyTable]], as a test drives them. */
object KeyPorts {

  /** Writes a key of 128 bits in two cycles, and leaves the port idle. */
  def write(simulation: Simulation, port: Valid[KeyWrite], slot: Int, key: BigInt): Unit = {
    import simulation._
    for ((word, i) <- Seq(key >> 64, key & ((BigInt(1) << 64) - 1)).zipWithIndex) {
      port.valid.poke(true)
      port.bits.slot.poke(slot)
      port.bits.word.poke(i)
      port.bits.data.poke(word)
      step()
    }
    port.valid.poke(false)
  }

  /** Zeroizes a slot, and leaves the port idle. */
  def zeroize(simulation: Simulation, port: Valid[UInt], slot: Int): Unit = {
    import simulation._
    port.valid.poke(true)
    port.bits.poke(slot)
    step()
    port.valid.poke(false)
  }
}
