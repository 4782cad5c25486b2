package hauberk.bus

import hauberk.crypto.JdkAes
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The verdict on a context that is swapped in, by the unit alone: contexts are made with the member's secrets, so that their MACs differ from
  * the right ones in one bit.
  */
class GroupSwapJudgeSpec extends AnyFunSuite with Simulation {
  private val p = BusParams(
    2,
    60,
    sharedBus = SharedBusParams(4, 128),
    security = Some(BusSecurityParams(masks = 2, aesLatency = 20, interval = 4, heartbeat = 64, timeout = 128))
  )
  private val random = new Random(2)
  private val secrets = Seq.fill(4)(BigInt(64, random))
  private val Seq(macKey, padKey) = secrets.grouped(2).map { case Seq(high, low) => (high << 64) | low }.toSeq
  private val key = BigInt(128, random)
  private val pid = 1

  private def rest(pid: BigInt): BigInt = (BigInt(1) << 120) | (pid << 112) | (BigInt(7) << 32) | 4
  private def aes(key: BigInt, block: BigInt): BigInt = JdkAes.encrypt(key, 128, block)

  /** The words of a context whose MAC is wrong in these bits. */
  private def context(rest: BigInt, wrong: BigInt = 0): Seq[BigInt] = {
    val mac = aes(macKey, aes(macKey, key) ^ rest) ^ wrong
    for {
      block <- Seq(mac, key ^ aes(padKey, mac), rest ^ aes(padKey, mac ^ 1))
      word <- Seq(block >> 64, block & ((BigInt(1) << 64) - 1))
    } yield word
  }

  /** Whether the unit takes it; its random numbers are the secrets, and the JDK is its cipher. */
  private def accepts(dut: GroupSwap, words: Seq[BigInt]): Boolean = {
    for (word <- words) { dut.io.in.send()(_.poke(word)) }
    var drawn = 0
    for (_ <- 0 until 100) {
      assert(!(dut.io.back.valid.peekBoolean() && dut.io.bad.peekBoolean()))
      if (dut.io.back.valid.peekBoolean()) {
        assert(dut.io.back.bits.key.peek() == key)
        step()
        return true
      }
      assert(dut.io.back.bits.key.peek() == 0, "the key shows before it is judged")
      if (dut.io.bad.peekBoolean()) {
        step()
        return false
      }
      if (dut.io.random.ready.peekBoolean()) {
        dut.io.random.bits.poke(secrets(drawn))
        drawn += 1
        step()
      } else if (dut.io.service.valid.peekBoolean()) {
        val block = aes(dut.io.service.bits.key.peek(), dut.io.service.bits.block.peek())
        step()
        dut.io.answer.valid.poke(true)
        dut.io.answer.bits.block.poke(block)
        step()
        dut.io.answer.valid.poke(false)
      } else step()
    }
    fail("no verdict")
  }

  // covers: bus.swap-compare
  test("a MAC, or a PID, that differs in one bit is refused, whichever it is") {
    simulate(new GroupSwap(p, tagBits = 1)) { dut =>
      dut.io.pid.poke(pid)
      dut.io.leave.valid.poke(false)
      dut.io.in.valid.poke(false)
      dut.io.out.ready.poke(true)
      dut.io.random.valid.poke(true)
      dut.io.service.ready.poke(true)
      dut.io.answer.valid.poke(false)
      assert(accepts(dut, context(rest(pid))))
      for (bit <- 0 until 128) assert(!accepts(dut, context(rest(pid), BigInt(1) << bit)), s"bit $bit of the MAC")
      for (bit <- 0 until 8) assert(!accepts(dut, context(rest(BigInt(pid).flipBit(bit)))), s"bit $bit of the PID")
      assert(accepts(dut, context(rest(pid))))
    }
  }
}
