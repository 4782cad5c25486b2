package downstream

import chisel3._
import hauberk.memory.common.Bank
import hauberk.memory.{MemoryProtectionEngine, Protection, ProtectionParams}

/** The ports of an engine of a preset, for 64 KiB of memory, in a module of the user's own. */
class ProtectedEngine extends Module {
  private val engine = Module(
    new MemoryProtectionEngine(Protection(ProtectionParams.aegisOtp, Bank(localBytes = 1 << 16)))
  )
  val io = IO(chiselTypeOf(engine.io))
  io <> engine.io
}
