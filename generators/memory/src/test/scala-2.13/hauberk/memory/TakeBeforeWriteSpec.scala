package hauberk.memory

import hauberk.memory.common.Stripe
import hauberk.memory.integrity.{LogHash, Verification}
import hauberk.memory.engine.TakeBeforeWrite
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Every write is preceded by a read that takes the old value, with nothing in between, whatever the client offers and takes back. */
class TakeBeforeWriteSpec extends AnyFunSuite with Simulation {
  private val p = Protection(
    ProtectionParams(integrity = LogHash(), verification = Verification.Speculative),
    Stripe(localBytes = 1 << 16)
  )
  private val beats = p.core.blockBeats
  private case class Seen(write: Boolean, take: Boolean, id: Int, address: Int, size: Int, data: BigInt)

  test("takes stand right before their writes; all else passes unchanged") {
    simulate(new TakeBeforeWrite(p)) { dut =>
      val random = new Random(3)
      val mark = 1 << p.reencrypted.idBits
      val sent = mutable.Buffer.empty[Seen]
      val seen = mutable.Buffer.empty[Seen]
      val in = dut.io.client.request
      var current: Option[(Seen, Int)] = None // and the beat
      dut.io.core.response.valid.poke(false)
      dut.io.client.response.ready.poke(true)
      for (_ <- 0 until 4000) {
        // A request that has not begun may be withdrawn for another
        if (current.forall(_._2 == 0) && random.nextBoolean()) {
          val write = random.nextBoolean()
          val block = random.nextInt(4)
          val size = if (write) 6 else 3 + random.nextInt(4)
          val request = Seen(write, take = false, random.nextInt(mark), 64 * block, size, BigInt(62, random))
          current = if (random.nextInt(5) == 0) None else Some((request, 0))
        }
        val offers = current.nonEmpty && random.nextInt(4) != 0
        in.valid.poke(offers)
        for ((r, beat) <- current) {
          in.bits.write.poke(r.write)
          in.bits.partial.poke(false)
          in.bits.address.poke(r.address)
          in.bits.size.poke(r.size)
          in.bits.id.poke(r.id)
          in.bits.mask.poke(0xff)
          in.bits.data.poke(r.data + beat)
        }
        val ready = random.nextInt(3) != 0
        dut.io.core.request.ready.poke(ready)
        val out = dut.io.core.request
        if (ready && out.valid.peekBoolean()) {
          val id = out.bits.id.peek().toInt
          val write = out.bits.write.peekBoolean()
          val address = out.bits.address.peek().toInt
          seen += Seen(write, id >= mark, id % mark, address, out.bits.size.peek().toInt, out.bits.data.peek())
        }
        if (offers && in.ready.peekBoolean()) {
          val (r, beat) = current.get
          sent += r.copy(data = r.data + beat)
          current = if (r.write && beat + 1 < beats) Some((r, beat + 1)) else None
        }
        step()
      }
      val expected = {
        var beat = 0
        sent.flatMap { r =>
          val first = r.write && beat == 0
          if (r.write) beat = (beat + 1) % beats
          if (first) Seq(r.copy(write = false, take = true, size = 3), r) else Seq(r)
        }
      }
      assert(sent.count(_.write) > 500 && sent.count(!_.write) > 100)
      assert(seen.map(_.copy(data = 0)) == expected.take(seen.size).map(_.copy(data =
        0
      )) && seen.size >= expected.size - 1)
      assert(seen.filterNot(_.take).map(_.data) == expected.filterNot(_.take).take(seen.count(!_.take)).map(_.data))
    }
  }

  test("answers to takes are dropped, all others pass") {
    simulate(new TakeBeforeWrite(p)) { dut =>
      val response = dut.io.core.response
      dut.io.client.request.valid.poke(false)
      dut.io.core.request.ready.poke(false)
      response.valid.poke(true)
      for ((take, ready) <- Seq((true, false), (true, true), (false, false), (false, true))) {
        response.bits.id.poke((if (take) 1 << p.reencrypted.idBits else 0) + 5)
        dut.io.client.response.ready.poke(ready)
        dut.io.client.response.valid.expect(!take)
        response.ready.expect(take || ready)
        if (!take) dut.io.client.response.bits.id.expect(5)
        step()
      }
    }
  }
}
