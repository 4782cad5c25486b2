package hauberk.bus

import hauberk.crypto.JdkAes
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A set-up alone, with a cipher that takes some cycles. */
class GroupSetupSpec extends AnyFunSuite with Simulation {
  private val p = SmallBus(2, 128, SmallBus.secure.copy(masks = 2))

  // covers: bus.session
  test("a session that is not wanted for one cycle, whichever, leaves nothing in the one that follows") {
    simulate(new GroupSetup(p, 0, 1)) { dut =>
      val random = new Random(4)
      val io = dut.io
      io.pid.poke(0)
      io.members.poke(3)
      io.source.poke(1)
      io.random.valid.poke(true)
      io.service.ready.poke(true)
      for (cycle <- 0 until 90) withClue(s"cycle $cycle: ") {
        resetDesign(dut)
        val keys = Seq.fill(2)(BigInt(128, random))
        val shares = Seq.fill(2)(Map(0 -> BigInt(64, random), 1 -> BigInt(64, random)))
        var inCipher = Option.empty[(Int, BigInt)]
        var (now, blocks) = (0, 0)
        def isOver = now > cycle && {
          io.wanted.poke(true)
          io.open.peekBoolean()
        }
        while (!isOver) {
          val ends = now == cycle
          val session = if (now < cycle) 0 else 1
          val answer = inCipher.collect { case (0, block) => block }
          io.wanted.poke(!ends)
          io.key.poke(keys(session))
          io.random.bits.poke(shares(session)(0))
          io.received.poke(shares(session)(1))
          io.answer.valid.poke(answer.nonEmpty)
          io.answer.bits.block.poke(answer.getOrElse(BigInt(0)))
          io.granted.poke(io.asks.peekBoolean())
          io.commit.poke(io.accepts.peekBoolean())
          if (ends) io.open.expect(false)
          if (io.clear.peekBoolean()) blocks = 0
          else if (io.first.valid.peekBoolean()) blocks += 1
          val request = io.service
          val asked =
            if (request.valid.peekBoolean())
              Some(JdkAes.encrypt(request.bits.key.peek(), 128, request.bits.block.peek()))
            else None
          step()
          inCipher = asked.map(2 -> _).orElse(inCipher.filter(_ => answer.isEmpty).map {
            case (left, block) => (left - 1, block)
          })
          now += 1
          assert(now < 400, "no session comes")
        }
        import ReferenceBlock._
        val key = ReferenceGroup.sessionKey(0, keys(1), shares(1))
        io.keys.mask.expect(aes(key, maskKey))
        io.keys.mac.expect(aes(key, macKey))
        io.keys.tag.expect(aes(key, tagKey))
        io.keys.hash.expect(aes(key, hashKey))
        assert(blocks == p.secure.masks * (2 * p.lanes + 1), "first masks and chains")
      }
    }
  }
}
