package hauberk.tools

import hauberk.memory._

/** The reference model seen from the bus: bus addresses in, whatever stripe, engine and block number they mean.
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

  /** The counters that a dump of the DRAM has for all blocks of data, engine by engine. */
  def counters(dump: Dram): Iterator[BigInt] = engines.iterator.flatMap { engine =>
    val lines = Iterator.iterate(BigInt(0))(_ + 1).takeWhile(_ < engine.layout.counterLines)
    lines.flatMap { line =>
      val used =
        (engine.layout.dataBlocks - line * engine.layout.countersPerLine).min(engine.layout.countersPerLine).toInt
      val stored = dump.bytes(engine.stripe.toGlobal(engine.layout.counterLineAddress(line)), soc.blockBytes)
      stored.grouped(protection.counterBytes).take(used).map(littleEndian)
    }
  }

  /** The block as a package brings it: under the static key. */
  def asShipped(address: BigInt, plain: Array[Byte]): Array[Byte] = {
    val (engine, block) = locate(address)
    engine.model.encrypt(keys, block, 0, plain)
  }

  /** The counter that a dump of the DRAM has for a block. */
  def counter(dump: Dram, address: BigInt): BigInt = {
    val (engine, block) = locate(address)
    littleEndian(dump.bytes(engine.stripe.toGlobal(engine.layout.counterAddress(block)), protection.counterBytes))
  }

  /** What the core would read of a block, given a dump of the DRAM. */
  def decrypt(dump: Dram, address: BigInt): Array[Byte] = {
    val (engine, block) = locate(address)
    engine.model.decrypt(keys, block, counter(dump, address), dump.bytes(address, soc.blockBytes))
  }

  private def littleEndian(bytes: Array[Byte]): BigInt = BigInt(1, bytes.reverse)

  private def locate(address: BigInt): (Engine, BigInt) = {
    require(address % soc.blockBytes == 0, s"${Hex(address)} is not the start of a block of ${soc.blockBytes} bytes")
    val engine = engines.find(_.stripe.contains(address)).getOrElse(
      throw new IllegalArgumentException(s"no engine guards ${Hex(address)}")
    )
    (engine, engine.layout.blockOf(engine.stripe.toLocal(address)))
  }
}
