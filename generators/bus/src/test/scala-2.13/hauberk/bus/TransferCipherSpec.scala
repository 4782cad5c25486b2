package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The cipher alone, beside the JDK's AES: jobs and service requests in any cycle. */
class TransferCipherSpec extends AnyFunSuite with Simulation {
  private case class Result(
      group: Int,
      isMask: Boolean,
      isChain: Boolean,
      lane: Int,
      pid: Int,
      slot: Int,
      boundary: Boolean,
      block: BigInt
  )

  /** @param ciphers, steps of how many pipelines, and how long a job takes them */
  private def run(p: BusParams, ciphers: Int, steps: Int): Unit = {
    val (latency, tagBits, lanes) = (10, 3, p.sharedBus.widthBits / 128)
    val chained = p.secure.mac == BusMac.Cbc
    simulate(new TransferCipher(p, tagBits)) { dut =>
      val random = new Random(24)
      def oneIn(n: Int) = random.nextInt(n) == 0
      def key() = BigInt(128, random)
      val io = dut.io
      assert(io.results.size == ciphers)
      // What is due by cycle and pipeline, and the steps of the job that is under way
      val due = mutable.Map[(Int, Int), Result]()
      val answers = mutable.Map[Int, (Int, BigInt)]()
      val underWay = mutable.Queue[Seq[Option[Result]]]()
      var done = 0
      for (now <- 0 until 600) {
        // Now and then nothing comes, and what came goes on
        val busy = now / 50 % 2 == 0
        val offers = if (busy) !oneIn(4) else oneIn(6)
        val hasHeader = chained && !oneIn(4)
        val hasData = if (chained) hasHeader && oneIn(2) else true
        val boundary = chained && (!hasHeader || oneIn(2))
        val (group, maskPid, maskSlot, chainSlot) =
          (random.nextInt(1 << p.gidBits), random.nextInt(3), random.nextInt(16), random.nextInt(16))
        val (maskKey, chainKey) = (key(), key())
        val (masks, chains) = (Seq.fill(lanes)(key()), Seq.fill(lanes + 1)(key()))
        val bits = io.job.bits
        io.job.valid.poke(offers)
        bits.group.poke(group)
        bits.hasData.poke(hasData)
        bits.hasHeader.poke(hasHeader)
        bits.boundary.poke(boundary)
        bits.maskPid.poke(maskPid)
        bits.maskSlot.poke(maskSlot)
        bits.maskKey.poke(maskKey)
        bits.masks.zip(masks).foreach { case (port, block) => port.poke(block) }
        bits.chainSlot.poke(chainSlot)
        bits.chainKey.poke(chainKey)
        bits.chains.zip(chains).foreach { case (port, block) => port.poke(block) }
        val (serves, serviceKey, serviceBlock, tag) = (!oneIn(3), key(), key(), random.nextInt(1 << tagBits))
        io.service.valid.poke(serves)
        io.service.bits.key.poke(serviceKey)
        io.service.bits.block.poke(serviceBlock)
        io.service.bits.tag.poke(tag)

        val starts = underWay.headOption.getOrElse(Nil)
        val takes = underWay.size <= 1
        val serviceTakes = !starts.lift(ciphers - 1).exists(_.nonEmpty)
        io.job.ready.expect(takes)
        io.service.ready.expect(serviceTakes)
        for (pipeline <- 0 until ciphers) {
          val result = due.remove((now, pipeline))
          val port = io.results(pipeline)
          port.valid.expect(result.nonEmpty)
          for (result <- result) {
            port.bits.group.expect(result.group)
            port.bits.isMask.expect(result.isMask)
            port.bits.isChain.expect(result.isChain)
            port.bits.lane.expect(result.lane)
            port.bits.pid.expect(result.pid)
            port.bits.slot.expect(result.slot)
            port.bits.boundary.expect(result.boundary)
            port.bits.block.expect(result.block)
            done += 1
          }
        }
        val answer = answers.remove(now)
        io.answer.valid.expect(answer.nonEmpty)
        for ((tag, block) <- answer) {
          io.answer.bits.tag.expect(tag)
          io.answer.bits.block.expect(block)
        }
        step()

        for {
          (result, pipeline) <- starts.zipWithIndex
          found <- result
        } due((now + latency, pipeline)) = found
        if (underWay.nonEmpty) underWay.dequeue()
        if (serves && serviceTakes) answers(now + latency) = (tag, ReferenceBlock.aes(serviceKey, serviceBlock))
        if (offers && takes) {
          def result(isMask: Boolean, isChain: Boolean, lane: Int, last: Boolean, block: BigInt) = Result(
            group,
            isMask,
            isChain,
            lane,
            maskPid,
            if (isMask) maskSlot else chainSlot,
            last && boundary,
            ReferenceBlock.aes(if (isMask) maskKey else chainKey, block)
          )
          val ofMasks =
            masks.zipWithIndex.map { case (block, i) => result(isMask = true, isChain = false, i, last = false, block) }
          val ofData = chains.init.zipWithIndex
            .map { case (block, i) => result(isMask = false, isChain = true, i, last = false, block) }
          val ofHeader = result(isMask = false, hasHeader, lanes, last = true, chains.last)
          val blocks = (ofMasks ++ (if (chained) ofData else Nil)).map(Some(_).filter(_ => hasData)) ++
            (if (chained) Some(Some(ofHeader).filter(_ => hasHeader || boundary)) else None)
          val inSteps = blocks.grouped(ciphers).toSeq
          assert(inSteps.size == steps)
          underWay ++= (if (hasData) inSteps else inSteps.drop(steps - 1))
        }
      }
      assert(done > 150)
    }
  }

  // covers: bus.ciphertext
  test("each block of a transfer leaves in its step, under its key, and service has the places that are left") {
    val security = SmallBus.secure.copy(groups = 3)
    run(SmallBus(3, 256, security), ciphers = 2, steps = 3)
    run(SmallBus(3, 128, security), ciphers = 1, steps = 3)
    run(SmallBus(3, 256, security.copy(mac = BusMac.Ghash)), ciphers = 1, steps = 2)
  }
}
