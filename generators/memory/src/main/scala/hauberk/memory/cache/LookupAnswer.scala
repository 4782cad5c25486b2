package hauberk.memory.cache

import chisel3._

/** Result of a look-up, in its own cycle. */
class LookupAnswer extends Bundle {

  /** The result follows on `result`, at once or when a fetch that was started is back. */
  val accepted = Bool()

  /** Not possible until something in flight completes: ask again after `retry`. Neither flag set: ask again any time. */
  val blocked = Bool()
}
