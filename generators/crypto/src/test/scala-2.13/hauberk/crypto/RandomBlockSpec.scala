package hauberk.crypto

import hauberk.bench.AesVariants
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Every kind of core of one key size: its latency and rate against its parameters; then the published blocks and random ones, each
  * with its own key, tag and direction, under random stalls, against the JDK.
  */
// covers: crypto.aes
abstract class RandomBlockSpec(keyBits: Int) extends AnyFunSuite with Simulation {
  private val randomBlocks = if (Thorough.isOn) 10000 else 1000
  private case class Item(block: BigInt, key: BigInt, decrypt: Boolean, tag: Int)

  private val cores: Seq[AesParams] = {
    val more =
      if (keyBits != 128) Seq()
      else
        Seq(
          AesParams(128, AesDirection.Both, AesArchitecture.Pipelined(3)),
          AesParams(128, AesDirection.Encrypt, AesArchitecture.Pipelined(10)),
          AesParams(128, AesDirection.Encrypt, AesArchitecture.Pipelined(2)).withLatency(40),
          AesParams(128, AesDirection.Decrypt, AesArchitecture.Iterative).withLatency(50),
          AesParams(128, AesDirection.Both, AesArchitecture.Folded(3)),
          AesParams(128, AesDirection.Encrypt, AesArchitecture.Folded(2)).withLatency(11),
          AesParams(128, AesDirection.Encrypt, AesArchitecture.Folded(10))
        )
    (AesVariants.all.filter(_.keyBits == keyBits) ++ more).map(_.copy(tagBits = 8))
  }

  private def items: Iterator[Item] = {
    val random = new Random(keyBits)
    val published = KnownBlock.all.filter(_.keyBits == keyBits)
    assert(published.size == 5)
    published.iterator.flatMap(b => Seq(Item(b.plain, b.key, false, 1), Item(b.cipher, b.key, true, 2))) ++
      Iterator.fill(randomBlocks) {
        Item(JdkAes.random(random, 128), JdkAes.random(random, keyBits), random.nextBoolean(), random.nextInt(256))
      }
  }

  private def checkMeasures(dut: AesBench): Unit = {
    dut.io.measure.poke(true)
    step(AesLane.window + 200)
    for ((params, seen) <- cores.zip(dut.io.measured)) {
      val name = AesVariants.name(params)
      val (latency, taken) = (seen.latency.peek().toInt, seen.taken.peek().toInt)
      assert(latency == params.latency, s"cycles of latency of $name")
      assert(taken == AesLane.window * params.blocksPerCycle, s"blocks in ${AesLane.window} cycles of $name")
      AesMeasures.write(params, latency, taken.toDouble / AesLane.window)
    }
    dut.io.measure.poke(false)
    resetDesign(dut)
  }

  private def checkBlocks(dut: AesBench): Int = {
    val source = items
    val expected = mutable.Queue.empty[(BigInt, BigInt)]
    var offered = Option.empty[(BigInt, BigInt)]
    var answered = 0
    while (source.hasNext || offered.nonEmpty || expected.nonEmpty) {
      if (offered.isEmpty && source.hasNext) {
        val item = source.next()
        val bits = dut.io.request.bits
        bits.block.poke(item.block)
        bits.key.poke(item.key)
        bits.start.poke(KeySchedule.decryptionStart(item.key, keyBits))
        bits.decrypt.poke(item.decrypt)
        bits.tag.poke(item.tag)
        dut.io.request.valid.poke(true)
        offered = Some((JdkAes.encrypt(item.key, keyBits, item.block), JdkAes.decrypt(item.key, keyBits, item.block)))
      }
      stepUntil(dut.io.attention, 1000)
      if (offered.nonEmpty && dut.io.request.ready.peekBoolean()) {
        expected.enqueue(offered.get)
        offered = None
      }
      if (dut.io.answered.peekBoolean()) {
        val (encrypted, decrypted) = expected.dequeue()
        assert(dut.io.encrypted.peek() == encrypted, s"encrypted block $answered")
        assert(dut.io.decrypted.peek() == decrypted, s"decrypted block $answered")
        assert(dut.io.agree.peekBoolean(), s"the cores disagree on block $answered")
        answered += 1
      }
      step()
      if (offered.isEmpty) dut.io.request.valid.poke(false)
    }
    answered
  }

  test(
    s"AES-$keyBits: figures, published blocks and $randomBlocks random blocks of ${cores.size} cores",
    Thorough.unless(keyBits == 128): _*
  ) {
    simulate(new AesBench(cores)) { dut =>
      dut.io.request.valid.poke(false)
      checkMeasures(dut)
      assert(checkBlocks(dut) == randomBlocks + 10)
    }
  }
}

class RandomBlock128Spec extends RandomBlockSpec(128)
class RandomBlock192Spec extends RandomBlockSpec(192)
class RandomBlock256Spec extends RandomBlockSpec(256)
