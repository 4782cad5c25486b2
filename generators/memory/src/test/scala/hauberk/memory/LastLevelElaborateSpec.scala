package hauberk.memory

import hauberk.memory.llc.{LastLevelCache, LastLevelCacheParams}
import hauberk.memory.port.MemoryPortParams
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** The last-level cache elaborates on every Chisel at the corners of its geometry, and refuses what cannot be. */
class LastLevelElaborateSpec extends AnyFunSuite {
  private def port(addressBits: Int, beatBytes: Int) = MemoryPortParams(addressBits, beatBytes, 64, idBits = 3)
  private val points = Seq(
    (port(28, 8), LastLevelCacheParams(256 << 10)),
    (port(32, 32), LastLevelCacheParams(1 << 20, ways = 16, mshrs = 16)),
    (port(16, 8), LastLevelCacheParams(128, ways = 1, mshrs = 1)),
    (port(12, 16), LastLevelCacheParams(4096, ways = 2, mshrs = 3)) // as large as memory
  )
  for ((port, shape) <- points) test(s"elaborates: $shape, ${port.beatBytes} bytes a beat") {
    assert(Elaborate(new LastLevelCache(port, shape)).contains("module LastLevelCache"))
  }

  test("a cache that is larger than its memory is refused") {
    val refused = intercept[Exception](Elaborate(new LastLevelCache(port(10, 8), LastLevelCacheParams(4096, ways = 2))))
    val causes = Iterator.iterate[Throwable](refused)(_.getCause).takeWhile(_ != null).map(_.getMessage + "")
    assert(causes.exists(_.contains("larger than its memory")))
  }

  test("sizes, ways and misses that cannot be are refused, with all that is wrong") {
    assert(LastLevelCacheParams(64 << 10).violations(64).isEmpty)
    for (
      (shape, text) <- Seq(
        LastLevelCacheParams(96 << 10) -> "power of two",
        LastLevelCacheParams(512) -> "at least two sets",
        LastLevelCacheParams(64 << 10, ways = 3) -> "3 ways",
        LastLevelCacheParams(64 << 10, ways = 0) -> "0 ways",
        LastLevelCacheParams(64 << 10, mshrs = 0) -> "0 misses",
        LastLevelCacheParams(64 << 10, mshrs = 17) -> "17 misses"
      )
    ) assert(shape.violations(64).exists(_.contains(text)), s"$shape")
    assert(LastLevelCacheParams(96 << 10, mshrs = 0).violations(64).size == 2)
  }
}
