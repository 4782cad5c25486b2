package hauberk.soc

import hauberk.abi.Counter
import hauberk.memory.engine.EngineStatistics
import hauberk.memory.llc.LastLevelStatistics
import hauberk.tilelink.cache.LastLevelCacheMap
import hauberk.tilelink.bus.{SecureBusMap, SharedBusStatistics}
import hauberk.tilelink.common.RegisterMap
import hauberk.tilelink.contexts.{ClearerMap, ContextMap, HasherMap}
import hauberk.tilelink.instruction.InstructionMap
import hauberk.tilelink.protector.ProtectorMap

/** A device that has a register map, for generated files.
  *
  * @param title    its name, where its tables are in the documentation
  * @param counters its statistics, in the order of run records
  */
private[soc] case class Device(title: String, map: RegisterMap, counters: Seq[Counter] = Nil)

/** All devices with a register map. */
private[soc] object Device {
  val all: Seq[Device] = Seq(
    Device("the memory protector", ProtectorMap.all, EngineStatistics.counters),
    Device("the secure bus", SecureBusMap.all, SharedBusStatistics.counters),
    Device("instruction decryption", InstructionMap.all),
    Device("the guard of secure contexts", ContextMap.all),
    Device("the hasher", HasherMap.all),
    Device("the page clearer", ClearerMap.all),
    Device("the last-level cache", LastLevelCacheMap.all, LastLevelStatistics.counters),
    Device("the boot header", BootHeaderMap.all),
    Device("the DMA master for tests", TestDmaMap.all)
  )
}
