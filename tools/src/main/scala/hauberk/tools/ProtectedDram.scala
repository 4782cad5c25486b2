package hauberk.tools

import hauberk.memory._

/**
 * The reference model seen from the bus: bus addresses in, whatever stripe, engine and block number they mean.
 *
 * @param soc        whose DRAM it is
 * @param protection how it is encrypted
 */
class ProtectedDram(soc: SocDescription, protection: DramProtection, keys: ProtectionKeys) {
  private class Engine(val stripe: StripeAddresses, number: Int) {
    val layout: MetadataLayout = MetadataLayout(stripe.localBytes, soc.blockBytes, protection.counterBytes)
    val model = new ReferenceModel(protection.mode, layout, number)
  }
  private val engines = protection.stripes.zipWithIndex.map { case (stripe, number) => new Engine(stripe, number) }

  /** Bus addresses of all blocks of data, engine by engine. */
  def blocks: Iterator[BigInt] = for {
    engine <- engines.iterator
    block <- Iterator.iterate(BigInt(0))(_ + 1).takeWhile(_ < engine.layout.dataBlocks)
  } yield engine.stripe.toGlobal(block * soc.blockBytes)

  /** The block as a package brings it: under the static key. */
  def asShipped(address: BigInt, plain: Array[Byte]): Array[Byte] = {
    val (engine, block) = locate(address)
    engine.model.encrypt(keys, block, 0, plain)
  }

  /** The counter that a dump of the DRAM has for a block. */
  def counter(dump: Dram, address: BigInt): BigInt = {
    val (engine, block) = locate(address)
    val stored = dump.bytes(engine.stripe.toGlobal(engine.layout.counterAddress(block)), protection.counterBytes)
    BigInt(1, stored.reverse)
  }

  /** What the core would read of a block, given a dump of the DRAM. */
  def decrypt(dump: Dram, address: BigInt): Array[Byte] = {
    val (engine, block) = locate(address)
    engine.model.decrypt(keys, block, counter(dump, address), dump.bytes(address, soc.blockBytes))
  }

  private def locate(address: BigInt): (Engine, BigInt) = {
    require(address % soc.blockBytes == 0, s"${Hex(address)} is not the start of a block of ${soc.blockBytes} bytes")
    val engine = engines.find(_.stripe.contains(address)).getOrElse(
      throw new IllegalArgumentException(s"no engine guards ${Hex(address)}")
    )
    (engine, engine.layout.blockOf(engine.stripe.toLocal(address)))
  }
}
