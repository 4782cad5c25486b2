package hauberk.memory

import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.memory.integrity.Verification
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Memory goes back to an old version of a block of an owned page, and of the lines on which its verdict rests, one level after the other. What is old fits
  * what is old, until the level above is verified. By owner, the engine gives out no old data before that, however late the owner is known.
  */
// covers: memory.owner
class OwnedReplaySpec extends AnyFunSuite with Simulation {
  private val target = 5
  private val bank = Bank(localBytes = 1 << 15, engine = 2)

  /** Hashes of lines take their time, so that a block's own tag is compared long before the line that it came in. */
  private val slow = AesParams().withLatency(40)
  private def byOwner(params: ProtectionParams) =
    SmallCaches(params).copy(cipher = slow, verification = Verification.ByOwner)

  for {
    (name, params) <- Seq("counter tree" -> ProtectionParams.bonsaiTree, "hash tree" -> ProtectionParams.aegisHashTree)
  } test(s"$name: of an owned page, nothing old is used before the level above tells") {
    simulate(new MemoryProtectionEngine(Protection(byOwner(params), bank))) { dut =>
      val lines = VerdictLines(dut.p, target)
      val blocks = dut.p.layout.dataBlocks.toInt
      for {
        stale <- 1 to lines.size
        (owned, delay) <- Seq((true, 0), (true, 60), (true, 120), (false, 0))
      } withClue(s"$stale lines are old, owned: $owned, which is known after $delay cycles: ") {
        resetDesign(dut)
        val scheme = new SchemeBench(this, dut, new UnorderedMemory, seed = 4, imageBlocks = 0)
        import scheme.bench
        bench.owners.get.owned = _ => owned
        bench.owners.get.delay = _ => delay
        scheme.start()
        def write(): Seq[Byte] = {
          val data = Transfer.randomBytes(scheme.random, 64)
          assert(!bench.run(Transfer(write = true, 64 * target, 6, data)).denied)
          bench.flush()
          data
        }
        val oldData = write()
        val old = bench.memory.contents
        write()
        for (_ <- 0 until 40)
          bench.run(Transfer(write = false, 64 * (blocks / 2 + scheme.random.nextInt(blocks / 2)), 6))
        bench.memory.restore(lines.take(stale).map(line => line -> old(line)).toMap)
        val answer = bench.run(Transfer(write = false, 64 * target, 6))
        if (owned) assert(answer.denied || answer.data != oldData, "old data of an owned page are used")
        for (_ <- 0 until 1000) bench.tick()
        assert(scheme.alarmed, "no alarm")
      }
    }
  }
}
