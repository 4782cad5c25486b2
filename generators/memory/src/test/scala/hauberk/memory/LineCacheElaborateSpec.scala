package hauberk.memory

import chisel3._
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.cache.{LineCache, NoGuard}
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** The line cache elaborates on every Chisel at the corners of its geometry. */
class LineCacheElaborateSpec extends AnyFunSuite {
  private val narrow = Protection(ProtectionParams(), Bank(localBytes = 1 << 16))
  private val wide = Protection(ProtectionParams(), Bank(localBytes = 1 << 16, beatBytes = 16, blockBytes = 32))
  private val points = Seq(
    (narrow, MetadataCacheParams(1, 1, 1), 8),
    (wide, MetadataCacheParams(32, 1, 3), 4),
    (narrow, MetadataCacheParams(1024, 4, 8), 16),
    (narrow, MetadataCacheParams(64, 64, 2), 16)
  )
  for ((p, c, lineBits) <- points) test(s"elaborates: $c, ${p.bank.blockBytes}-byte lines, $lineBits-bit numbers") {
    assert(Elaborate(new LineCache(p, c, 1 << 15, lineBits, UInt(8.W), 0)).contains("module LineCache"))
    assert(Elaborate(new NoGuard(p, c.mshrs, lineBits)).contains("module NoGuard"))
  }
}
