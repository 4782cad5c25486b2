package hauberk.tilelink.bus

import hauberk.bus._
import hauberk.crypto.AesDatapath
import hauberk.tilelink.common.VerilatedTest
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** Messages are of the group of their page. */
class GroupsSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  private val sharedBus = SharedBusParams(ratio = 4, widthBits = 128) // one pipeline a member
  private val security = BusSecurityParams(
    masks = 4,
    interval = 10,
    window = 8,
    aesLatency = 20,
    groups = 3,
    aesDatapath = AesDatapath.Model
  )

  private def simulator(name: String, params: SecureBusParams): Simulator = verilate(name) {
    val bench = LazyModule(new GroupsBench(params, operations = 150))
    bench.module
  }
  private lazy val groups = simulator("groups", SecureBusParams(sharedBus, Some(security)))

  behavior of "TLSecureBus with programs in several groups"

  // covers: soc.bus-groups
  it should "keep each program's lines in its group on a tile that has both in turn" in
    Seq(1, 2).foreach(seed => groups.run(limit = 1000000, seed = seed))

  // covers: soc.bus-alarm
  it should "raise the alarm when a line is told to be of another group's page" in
    groups.run(limit = 1000000, select = 1)

  // covers: soc.bus-groups
  it should "answer a request in the group of the page, not in that of the request" in
    groups.run(limit = 1000000, select = 2)

  it should "raise the alarm when a line comes to a tile that waits for one of another group" in
    groups.run(limit = 1000000, select = 3)

  it should "raise the alarm when a store is told to be to another group's page" in
    groups.run(limit = 1000000, select = 4)

  it should "raise the alarm when a source asks for a second page while it waits for the first" in
    groups.run(limit = 1000000, select = 5)

  it should "encrypt memory under the key of its page's group" in {
    val pads = SecureBusParams(sharedBus, Some(security), Some(TilePadParams(aesLatency = 20)))
    val padded = simulator("group-pads", pads)
    Seq(1, 2).foreach(seed => padded.run(limit = 2000000, seed = seed))
  }
}
