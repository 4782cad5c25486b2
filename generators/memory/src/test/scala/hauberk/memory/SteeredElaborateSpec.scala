package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.counter.CompilerCounters
import hauberk.memory.integrity.BlockMac
import hauberk.memory.mode.DirectCbc
import hauberk.memory.port.{BlockSplitter, MemoryPortParams}
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Engines whose counters a program steers elaborate on every Chisel, and compositions that cannot be are refused in words. */
class SteeredElaborateSpec extends AnyFunSuite {
  private val steered = ProtectionParams.compilerCounters
  private def counters(change: CompilerCounters => CompilerCounters) =
    steered.copy(counters = change(CompilerCounters()))
  private val words = Bank(localBytes = 1 << 16, blockBytes = 8)
  private val points = Seq(
    "words" -> Protection(steered, words),
    "words, pads ahead, gated" -> Protection(
      counters(_.copy(ahead = true)).copy(cipher = steered.cipher.copy(gated = true), gated = true),
      words
    ),
    "words, the global counter alone" -> Protection(counters(_.copy(registers = 0)), words),
    "lines of 16 bytes, one register, one of everything" -> Protection(
      steered.copy(counters = LeastSteering.counters, reads = 1, writes = 1),
      words.copy(blockBytes = 16)
    ),
    "lines of 32 bytes on a bus of 16" -> Protection(
      counters(_.copy(registers = 16)),
      words.copy(beatBytes = 16, blockBytes = 32)
    ),
    "words, last pairs, the global counter alone" -> Protection(
      counters(_.copy(registers = 0, lastPairs = 64)),
      words
    ),
    "lines of 64 bytes, a hint for each of 512" -> Protection(
      counters(_.copy(storeHints = 512)),
      words.copy(blockBytes = 64)
    )
  )
  for ((name, p) <- points) test(s"elaborates: $name") {
    assert(Elaborate(new MemoryProtectionEngine(p)).contains("module CompilerCounterStore"))
  }

  test("elaborates: transfers of several blocks") {
    for ((wide, block) <- Seq(16 -> 8, 64 -> 8, 64 -> 32)) {
      val client = MemoryPortParams(addressBits = 16, beatBytes = 8, blockBytes = wide, idBits = 3)
      assert(Elaborate(new BlockSplitter(client, block, 2)).contains("module BlockSplitter"))
    }
  }

  private def refusal(params: => Any): String = intercept[IllegalArgumentException](params).getMessage

  test("impossible compositions are refused") {
    assert(refusal(Protection(ProtectionParams.aegisOtp, words.copy(blockBytes = 16))).contains("of at least 32"))
    assert(refusal(Protection(steered, words.copy(blockBytes = 12))).contains("power of two"))
    assert(refusal(steered.copy(integrity = BlockMac())).contains("no integrity"))
    assert(refusal(steered.copy(mode = DirectCbc())).contains("pads made ahead"))
    assert(refusal(CompilerCounters(registers = 32)).contains("32 counter registers"))
    assert(refusal(CompilerCounters(registers = 6)).contains("6 counter registers"))
    assert(refusal(CompilerCounters(ids = 200)).contains("200 counter ids"))
    assert(refusal(CompilerCounters(ids = 4)).contains("4 counter ids"))
    assert(refusal(CompilerCounters(filter = 3)).contains("3 filter entries"))
    assert(refusal(CompilerCounters(loadHints = 1)).contains("1 load hints"))
    assert(refusal(CompilerCounters(lastPairs = 12)).contains("12 last pairs"))
    assert(refusal(CompilerCounters(updates = 0)).contains("written (0)"))
  }
}
