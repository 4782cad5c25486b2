package hauberk.bus

/** Buses of tests: few masks and slots, short intervals. */
object SmallBus {
  val secure: BusSecurityParams =
    BusSecurityParams(masks = 3, interval = 5, window = 8, heartbeat = 64, timeout = 256, aesLatency = 20)
  def apply(members: Int, width: Int, security: BusSecurityParams): BusParams =
    BusParams(members, 40, lineBytes = width / 4, sharedBus = SharedBusParams(4, width), security = Some(security))
}
