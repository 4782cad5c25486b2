package hauberk.tilelink.bus

import hauberk.bus._
import hauberk.tilelink.common.VerilatedTest
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

class TLSecureBusSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  private val sharedBus = SharedBusParams(ratio = 4, widthBits = 128) // one pipeline a member
  private val security = BusSecurityParams(masks = 4, interval = 10, window = 8, aesLatency = 20, groups = 2)

  private def simulator(name: String, params: SecureBusParams): Simulator = verilate(name) {
    val bench = LazyModule(new SecureBusBench(params, operations = 300))
    bench.module
  }
  private lazy val secured = simulator("secure-bus", SecureBusParams(sharedBus, Some(security)))

  behavior of "TLSecureBus"

  it should "keep caches coherent, and memory memory, on a shared bus in the clear" in {
    val clear = simulator("clear-bus", SecureBusParams(sharedBus, None))
    Seq(1, 2).foreach(seed => clear.run(limit = 1000000, seed = seed))
  }

  // covers: soc.coherence
  it should "do so on a shared bus with security hardware units, in two groups" in
    Seq(1, 2).foreach(seed => secured.run(limit = 1000000, seed = seed))

  // covers: soc.bus-alarm
  it should "raise the alarm when one member does not receive what the others do" in
    secured.run(limit = 100000, select = 1)

  // covers: soc.bus-alarm
  it should "raise the alarm when a line's command comes without the line" in
    secured.run(limit = 100000, select = 4)

  it should "do so with transfers of one bus cycle, masks of each sender and authenticated commands, at interval 1" in {
    val strict = security.copy(
      masks = 2,
      interval = 1,
      groups = 1,
      aesLatency = 40,
      maskSource = BusMasks.PerSender,
      authenticateCommands = true
    )
    val wide = simulator("wide-bus", SecureBusParams(SharedBusParams(ratio = 16, widthBits = 512), Some(strict)))
    wide.run(limit = 2000000)
    wide.run(limit = 100000, select = 1)
  }

  private lazy val padded =
    simulator("pads", SecureBusParams(sharedBus, Some(security.copy(groups = 1)), Some(TilePadParams(aesLatency = 20))))

  // covers: soc.tile-ciphertext
  it should "keep ciphertext alone in memory where tiles encrypt for it" in
    Seq(1, 2).foreach(seed => padded.run(limit = 2000000, seed = seed))

  it should "raise the alarm when a tile does not receive a counter" in
    padded.run(limit = 100000, select = 2)

  it should "raise the alarm when the package's key is not for one of its tiles" in
    padded.run(limit = 100000, select = 3)
}
