package hauberk.bus

import hauberk.crypto.KeySecrets
import hauberk.testing.{Remains, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A session that has ended leaves nothing in any register of any member: no key of it, no mask, and no key of its group. */
class SessionErasureSpec extends AnyFunSuite with Simulation {
  private val one = SmallBus.secure.copy(masks = 2)
  for (
    (name, security) <- Seq(
      "chained masks, CBC-MAC" -> one,
      "masks of every sender, GHASH" -> one.copy(maskSource = BusMasks.PerSender, mac = BusMac.Ghash)
    )
  ) test(s"members forget a session when its group is released: $name") {
    val random = new Random(60)
    var secrets = Seq.empty[(BigInt, Int)]
    val states = looks(new BroadcastBus(SmallBus(2, 128, security))) { dut =>
      val bench = new BusBench(this, dut, random)
      bench.reset()
      bench.setUp()
      for (_ <- 0 until 6) bench.ask(bench.randomMessage())
      bench.drain()
      val book = bench.books(0)
      val session = ReferenceGroup.sessionKey(0, book.key, book.shares.toMap)
      import ReferenceBlock._
      val keys = book.key +: session +: Seq(maskKey, macKey, tagKey, hashKey).map(aes(session, _))
      val masks = bench.everybody.map(source =>
        book.model.get.encrypt(ReferenceBeat(source, 0, 0, 0, last = true, data = Some(0)))
      )
      secrets = keys.flatMap(KeySecrets.of) ++ masks.map(_ -> 128)
      for (secret <- keys) assert(secret != 0)
      look(dut)
      bench.release()
      step(40)
      look(dut)
    }
    Remains.erased(states, secrets)
  }
}
