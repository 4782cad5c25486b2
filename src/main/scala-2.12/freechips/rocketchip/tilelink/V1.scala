package freechips.rocketchip.tilelink

import freechips.rocketchip.diplomacy.IdRange

/** The name by which current Rocket Chip makes the parameters of one client, on Rocket Chip 1.2.6. */
object TLMasterParameters {
  def v1(name: String, sourceId: IdRange): TLClientParameters = TLClientParameters(name = name, sourceId = sourceId)
}
