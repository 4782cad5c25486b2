package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.tree.CounterGuard
import hauberk.memory.counter.{SplitCounterStore, SplitCounters}
import hauberk.memory.integrity.{BonsaiTree, Verification}
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Split counters and their tree elaborate on every Chisel at the corners of their parameter space, and impossible ones are refused. */
class SplitCountersElaborateSpec extends AnyFunSuite {
  private def point(
      localBytes: BigInt,
      cache: MetadataCacheParams,
      nodes: MetadataCacheParams,
      rootEntries: Int,
      verification: Verification = Verification.Blocking
  ): Protection = Protection(
    ProtectionParams(
      counters = SplitCounters(cache),
      integrity = BonsaiTree(nodes = nodes, rootEntries = rootEntries),
      verification = verification,
      reads = 2,
      writes = 2
    ),
    Bank(localBytes, beatBytes = 16, engine = 255)
  )
  private val one = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
  private val some = MetadataCacheParams(lines = 8, ways = 2, mshrs = 3)
  private val points = Seq(
    ("no nodes", 0, point(1 << 16, some, some, 512)),
    ("one counter line, one of everything", 0, point(1 << 12, one, one, 1)),
    ("a node of one child", 1, point(1 << 16, one, one, 2)),
    ("four levels, speculative", 4, point(BigInt(1) << 28, some, one, 16, Verification.Speculative))
  )
  for ((name, levels, p) <- points) test(s"elaborates: $name") {
    assert(p.layout.levels.size == levels)
    assert(Elaborate(new SplitCounterStore(
      p,
      p.params.counters.asInstanceOf[SplitCounters]
    )).contains("SplitCounterStore"))
  }

  private def refused(word: String)(make: => Any): Unit = {
    val error = intercept[IllegalArgumentException](make)
    assert(error.getMessage.contains(word), error.getMessage)
  }
  test("what cannot be guarded is refused with what to change") {
    refused("use blocks of 64")(
      Protection(
        ProtectionParams(counters = SplitCounters(), integrity = BonsaiTree()),
        Bank(1 << 20, blockBytes = 128)
      )
    )
    refused("choose BonsaiTree")(CounterGuard.shape(Protection(ProtectionParams.aegisOtp, Bank(1 << 16))))
    refused("give it at least 1")(point(1 << 16, one, one, 0))
  }
}
