package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.integrity._
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Engines with every verifier elaborate on every Chisel, at the corners of what their parameters allow. */
class VerifierElaborateSpec extends AnyFunSuite {
  private val one = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
  private val bank = Bank(localBytes = 1 << 16)
  private val wide = bank.copy(beatBytes = 16, blockBytes = 128)
  private def engine(integrity: Integrity, bank: Bank, transactions: Int, speculative: Boolean) = Protection(
    ProtectionParams(
      integrity = integrity,
      verification = if (speculative) Verification.Speculative else Verification.Blocking,
      reads = transactions,
      writes = transactions
    ),
    bank
  )
  private val points = Seq(
    "block tags, one of everything" -> engine(BlockMac(one), bank, 1, speculative = false),
    "block tags of large blocks, speculative" -> engine(BlockMac(), wide, 16, speculative = true),
    "a hash tree of many levels, one of everything" -> engine(
      HashTree(one, one, rootEntries = 1),
      bank,
      1,
      speculative = false
    ),
    "a hash tree without levels" -> engine(HashTree(rootEntries = 512), bank, 4, speculative = true),
    "a hash tree over large blocks" -> engine(HashTree(rootEntries = 8), wide, 4, speculative = true),
    "a log, one of everything" -> engine(LogHash(one, one), bank, 2, speculative = true),
    "a log of large blocks" -> engine(LogHash(), wide, 16, speculative = true)
  )
  for ((name, p) <- points) test(s"elaborates: $name") {
    assert(Elaborate(new MemoryProtectionEngine(p)).contains("module MemoryProtectionEngine"))
  }

  test("a version has 4 to 32 bits") {
    for (bits <- Seq(3, 33)) {
      val error = intercept[IllegalArgumentException](LogHash(versionBits = bits))
      assert(error.getMessage.contains(s"versionBits is $bits"), error.getMessage)
    }
  }
}
