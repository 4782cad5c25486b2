package hauberk.bus

import hauberk.testing.Simulation

/** A tile's side of its encryption for memory, in simulation. */
trait TilePadsBench extends Simulation {

  /** Nothing to do, and the vendor's key; `takes` is whether the tile takes what comes out. */
  protected def quiet(ports: TilePadsPorts, vendorKey: BigInt, takes: Boolean): Unit = {
    ports.vendorKey.bits.poke(vendorKey)
    ports.vendorKey.valid.poke(true)
    ports.expectDecryption.valid.poke(false)
    ports.expectEncryption.valid.poke(false)
    ports.encrypt.valid.poke(false)
    ports.decrypt.valid.poke(false)
    ports.encrypted.ready.poke(takes)
    ports.decrypted.ready.poke(takes)
  }
}
