package hauberk.tilelink.steering

import chisel3._
import hauberk.memory.counter.CounterHint

/** What a program says of its next access, on its way from a core to the memory protector: a [[CounterHint]] with a bus address. */
class SteeringHint extends Bundle {
  val kind = UInt(2.W)
  val address = UInt(64.W)
  val id = UInt(CounterHint.idBits.W)
}
