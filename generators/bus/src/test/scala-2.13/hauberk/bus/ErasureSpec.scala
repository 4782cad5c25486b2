package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** What keeps the secrets of a group, so that one can look for what is left of them. */
class SecretHolders(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val masks = new MaskArrayIO(p)
    val chains = new MacIO(p)
    val setUp = new GroupSetupIO(p, 1)
    val in = Flipped(Decoupled(UInt(128.W)))
    val out = Decoupled(UInt(128.W))
  })
  private def join[T <: Data](outer: T, inner: T): Unit = outer <> inner
  join(io.masks, Module(new MaskArray(p)).io)
  join(io.chains, Module(new CbcChains(p)).io)
  join(io.setUp, Module(new GroupSetup(p, 0, 1)).io)
  private val queue = Module(new ErasingQueue(UInt(128.W), 3))
  queue.io.enq <> io.in
  io.out <> queue.io.deq
}

/** A session that ends leaves nothing behind: neither keys nor masks nor MACs, nor what was on its way to the cipher. */
class ErasureSpec extends AnyFunSuite with Simulation {
  private val p = SmallBus(2, 128, SmallBus.secure)
  private def secret(number: Int): BigInt = (BigInt(0x5ec) << 100) + number

  // covers: bus.erase
  test("masks, chains, keys and what waits for the cipher are zero once they are done with") {
    simulate(new SecretHolders(p)) { dut =>
      val (masks, chains, setUp) = (dut.io.masks, dut.io.chains, dut.io.setUp)
      val everything =
        Seq(masks.use.valid, chains.use, masks.clear, chains.clear, masks.first.valid, chains.first.valid)
      (everything ++ (masks.results ++ chains.results).map(_.valid)).foreach(_.poke(false))

      // Every slot holds something; then the session ends
      def write(first: Valid[TransferResult], isMask: Boolean, lanes: Int): Unit =
        for {
          slot <- 0 until p.secure.masks
          lane <- 0 until lanes
        } {
          first.valid.poke(true)
          first.bits.isMask.poke(isMask)
          first.bits.isChain.poke(!isMask)
          first.bits.slot.poke(slot)
          first.bits.lane.poke(lane)
          first.bits.block.poke(secret(lanes * slot + lane))
          step()
          first.valid.poke(false)
        }
      masks.use.bits.hasData.poke(true)
      for (data <- Seq(chains.data, chains.header)) data.poke(0)
      def look(): Seq[BigInt] = (0 until p.secure.masks).flatMap { _ =>
        val seen = masks.own.mask.peek() +: chains.inputs.map(_.peek())
        for (use <- Seq(masks.use.valid, chains.use)) use.poke(true)
        step()
        for (use <- Seq(masks.use.valid, chains.use)) use.poke(false)
        seen
      }
      write(masks.first, isMask = true, p.lanes)
      write(chains.first, isMask = false, p.lanes + 1)
      assert(look().forall(_ > 0), "there was nothing to erase")
      for (clear <- Seq(masks.clear, chains.clear)) clear.poke(true)
      step()
      for (clear <- Seq(masks.clear, chains.clear)) clear.poke(false)
      assert(look().forall(_ == 0), "masks or chains of a session that has ended")

      for (number <- 1 to 3) dut.io.in.send()(_.poke(secret(number)))
      for (number <- 1 to 3) assert(dut.io.out.receive()(_.peek()) == secret(number))
      for (number <- 4 to 6) dut.io.in.send()(_.poke(secret(number)))
      for (number <- 4 to 6) assert(dut.io.out.receive()(_.peek()) == secret(number))
      dut.io.out.bits.expect(0)

      // A set-up of two members, this one the first
      setUp.pid.poke(0)
      setUp.members.poke(3)
      setUp.source.poke(1)
      for (input <- Seq(setUp.tick, setUp.wanted, setUp.random.valid, setUp.service.ready, setUp.answer.valid))
        input.poke(true)
      for (input <- Seq(setUp.random.bits, setUp.received)) input.poke(7)
      setUp.answer.bits.block.poke(secret(0))
      var cycles = 0
      while (!setUp.open.peekBoolean()) {
        setUp.granted.poke(setUp.asks.peekBoolean())
        setUp.commit.poke(setUp.accepts.peekBoolean())
        step()
        cycles += 1
        assert(cycles < 1000)
      }
      def keys = Seq(setUp.keys.mask, setUp.keys.mac, setUp.keys.tag, setUp.keys.hash).map(_.peek())
      assert(keys.forall(_ == secret(0)))
      setUp.wanted.poke(false)
      step()
      assert(keys.forall(_ == 0), "keys of a session that has ended")
      setUp.clear.expect(true)
    }
  }
}
