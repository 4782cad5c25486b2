package hauberk

import freechips.rocketchip.diplomacy.{AddressSet, IdRange, RegionType, TransferSizes}
import freechips.rocketchip.resources.Resource
import freechips.rocketchip.tilelink._

/** Differences between current Rocket Chip and 1.2.6: the side of 1.2.6. */
package object compat {

  /** Resource name of memory that denies every access. */
  val deniedRegion: RegionType.T = RegionType.VOLATILE

  implicit class ClientParametersV1(client: TLClientParameters) {

    /** Whether it keeps lines, and is asked for them. */
    def isCache: Boolean = !client.supportsProbe.none
    def v1copy(name: String = client.name, sourceId: IdRange = client.sourceId): TLClientParameters =
      client.copy(name = name, sourceId = sourceId)
  }

  implicit class ClientPortSideBand(port: TLClientPortParameters) {

    /** Whether requests carry fields that the responder must return: there are none in 1.2.6. */
    def wantsEcho: Boolean = false
  }

  implicit class ClientPortParametersV1(port: TLClientPortParameters) {
    def v1copy(clients: Seq[TLClientParameters]): TLClientPortParameters = port.copy(clients = clients)
  }

  implicit class ManagerParametersV1(manager: TLManagerParameters) {
    def v1copy(
        address: Seq[AddressSet] = manager.address,
        resources: Seq[Resource] = manager.resources,
        regionType: RegionType.T = manager.regionType,
        executable: Boolean = manager.executable,
        supportsGet: TransferSizes = manager.supportsGet,
        supportsPutFull: TransferSizes = manager.supportsPutFull,
        supportsPutPartial: TransferSizes = manager.supportsPutPartial,
        supportsArithmetic: TransferSizes = manager.supportsArithmetic,
        supportsLogical: TransferSizes = manager.supportsLogical,
        supportsHint: TransferSizes = manager.supportsHint,
        mayDenyGet: Boolean = manager.mayDenyGet,
        mayDenyPut: Boolean = manager.mayDenyPut,
        fifoId: Option[Int] = manager.fifoId
    ): TLManagerParameters = manager.copy(
      address = address,
      resources = resources,
      regionType = regionType,
      executable = executable,
      supportsGet = supportsGet,
      supportsPutFull = supportsPutFull,
      supportsPutPartial = supportsPutPartial,
      supportsArithmetic = supportsArithmetic,
      supportsLogical = supportsLogical,
      supportsHint = supportsHint,
      mayDenyGet = mayDenyGet,
      mayDenyPut = mayDenyPut,
      fifoId = fifoId
    )
  }

  implicit class ManagerPortParametersV1(port: TLManagerPortParameters) {
    def v1copy(
        managers: Seq[TLManagerParameters],
        endSinkId: Int = port.endSinkId,
        minLatency: Int = port.minLatency
    ): TLManagerPortParameters =
      port.copy(managers = managers, endSinkId = endSinkId, minLatency = minLatency)
  }
}
