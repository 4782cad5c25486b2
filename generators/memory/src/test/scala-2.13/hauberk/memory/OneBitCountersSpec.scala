package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Blocks whose counters have a single bit, as memory may hold them: only the counter 0 means that a block was never written, and every bit of
  * others is in the keystream and in the tag.
  */
class OneBitCountersSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 15, engine = 3)

  for ((name, params) <- Seq("one-time pads" -> ProtectionParams.aegisOtp, "block tags" -> ProtectionParams.blockMac))
    // covers: memory.reference, memory.tag-compare
    test(s"$name: each is read as the reference wrote it") {
      val p = Protection(SmallCaches(params), bank)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        resetDesign(dut)
        val random = new Random(32)
        val bench = new EngineBench(this, dut, SteadyMemory(10))
        val keys = ProtectionKeys(Transfer.randomBytes(random, 16).toArray, Transfer.randomBytes(random, 16).toArray)
        val model = new ReferenceModel(p.params.mode, p.layout, bank.engine)
        val arithmetic = new TagArithmetic(Seq(keys.static, keys.dynamic), bank.engine)
        val blocks = 0 until p.counterBits
        def read(block: Int) = Transfer(write = false, 64 * block, 6)
        bench.start(keys)
        bench.runAll(blocks.map(block => Transfer(write = true, 64 * block, 6, Seq.fill(64)(1))))
        bench.flush()
        // Their counters and tags leave the chip
        for (block <- 64 until 256 by 8) bench.run(read(block))

        def put(address: BigInt, bytes: Seq[Byte]): Unit =
          for ((byte, i) <- bytes.zipWithIndex) bench.block((address / 64).toInt)((address % 64).toInt + i) = byte
        def little(number: BigInt, bytes: Int) = (0 until bytes).map(i => (number >> (8 * i)).toByte)
        val plain = blocks.map(_ => Transfer.randomBytes(random, 64))
        for (block <- blocks) {
          val counter = BigInt(1) << block
          val stored = model.encrypt(keys, block, counter, plain(block).toArray)
          bench.memory.blocks(block) = stored
          put(p.layout.counterAddress(block), little(counter, p.layout.counterBytes))
          val hashed =
            (if (p.overPlaintext) plain(block) else stored.toSeq).grouped(8).map(w => BigInt(1, w.reverse.toArray))
          if (p.verifies) put(p.layout.tagBase + 8 * block, little(arithmetic.tag(block, counter, hashed.toSeq), 8))
        }
        for ((block, answer) <- blocks.zip(bench.runAll(blocks.map(read))))
          assert(!answer.denied && answer.data == plain(block), s"the counter 2^$block")
      }
    }
}
