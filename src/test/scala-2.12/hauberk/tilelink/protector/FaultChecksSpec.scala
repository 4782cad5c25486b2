package hauberk.tilelink.protector

import hauberk.crypto._
import hauberk.fault.DetectFaults
import hauberk.memory.ProtectionParams
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter.Timestamps
import hauberk.tilelink.common.{Access, VerilatedTest}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** A protector with fault checks, whose source of keys works, or is stuck. */
class FaultChecksSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  private val scheme = ProtectionParams(
    counters = Timestamps(cache = MetadataCacheParams(2, 1, 1)),
    cipher = AesParams(architecture = AesArchitecture.Iterative),
    reads = 1,
    writes = 1,
    faults = DetectFaults
  )
  private val status = Bench.register(ProtectorMap.status)
  private val failed = BigInt(1) << 13
  private val closed = Seq(Access.deniedRead(Bench.base), Access.deniedWrite(Bench.base))

  private def run(name: String, stuck: Option[BigInt], script: Seq[Access]): Unit =
    verilate(name) {
      val bench = LazyModule(new ScriptBench(scheme, banks = 2, Seq(false -> script), stuck = stuck))
      bench.module
    }.run(limit = 200000, seed = 1)

  behavior of "TLMemoryProtector with fault checks"

  it should "take keys from a source that works" in run(
    "works",
    None,
    closed ++ Bench.loadKeys ++ Bench.arm ++ Seq(
      Access.write(Bench.base, ProtectedMemory.secret),
      Access.read(Bench.base, ProtectedMemory.secret),
      Access.read(status, 0, mask = failed | 0x200)
    )
  )

  it should "make no key from a source that is stuck, and not arm" in run(
    "stuck",
    Some(BigInt("0123456789abcdef", 16)),
    Bench.loadKeys.init ++ Seq(
      Bench.awaitStatus(failed | 0x3),
      Bench.command(1),
      Bench.command(2),
      Access.read(status, failed | 0x3, mask = failed | 0xf)
    ) ++ closed
  )
}
