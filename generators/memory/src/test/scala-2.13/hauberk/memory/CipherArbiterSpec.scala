package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams, JdkAes, KeyPorts, KeySecrets, SBoxStyle}
import hauberk.memory.cipher.CipherArbiter
import hauberk.memory.common.{AesInput, Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.counter.SequenceNumberCache
import hauberk.memory.integrity.BlockMac
import hauberk.testing.{Remains, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The arbiter of a cipher alone: keys are derived, used and erased as a model has it, with any of its events in one cycle. */
class CipherArbiterSpec extends AnyFunSuite with Simulation {
  private val cache = MetadataCacheParams(2, 1, 1)
  private val params = ProtectionParams(
    counters = SequenceNumberCache(bytes = 256, ways = 2, mshrs = 2, writtenLines = 1),
    integrity = BlockMac(tags = cache),
    cipher = AesParams(architecture = AesArchitecture.Iterative, sBox = SBoxStyle.Table),
    reads = 2,
    writes = 2
  )
  private val p = Protection(params, Bank(localBytes = 1 << 14))
  private val users = 2
  private val low = (BigInt(1) << 64) - 1

  /** Long enough for the derivation of every key. */
  private val quiet = 200

  private def derived(key: BigInt, domain: Int) = JdkAes.encrypt(key, 128, BigInt(domain) << 120)

  private def write(dut: CipherArbiter, slot: Int, key: BigInt): Unit = KeyPorts.write(this, dut.io.keyWrite, slot, key)
  private def zeroize(dut: CipherArbiter, slot: Int): Unit = KeyPorts.zeroize(this, dut.io.keyZeroize, slot)

  private class Slot {
    val words: Array[Option[BigInt]] = Array(None, None)
    def whole: Boolean = words.forall(_.nonEmpty)
    def key: BigInt = (words(0).get << 64) | words(1).get
    def clear(): Unit = words.indices.foreach(words(_) = None)
  }

  test(
    "answers are under the key of their request, and derived keys are those of the present key, with any events in one cycle"
  ) {
    simulate(new CipherArbiter(p, users)) { dut =>
      val random = new Random(29)
      val slots = Seq.fill(KeySlot.count)(new Slot)
      val expected = Seq.fill(users)(mutable.Queue[(BigInt, BigInt)]())
      val keys = mutable.Map.empty[BigInt, (BigInt, BigInt)] // hash keys and tweak key
      def ofKey(key: BigInt) =
        keys.getOrElseUpdate(key, (derived(key, AesInput.hashKey), derived(key, AesInput.tweakKey)))
      var (waiting, served, yielded) = (0, 0, 0)
      var second = Option.empty[(Int, Int)] // the word of a key that is still to be written
      for (cycle <- 0 until 9000) {
        val busy = cycle / 300 % 2 == 0
        val isQuiet = !busy && cycle % 300 < quiet
        def happens(oneIn: Int) = !isQuiet && random.nextInt(oneIn) == 0
        // Mostly a whole key
        val begins = second.isEmpty && happens(if (busy) 12 else 30)
        val (writes, zeroizes) = (begins || second.nonEmpty, happens(if (busy) 40 else 100))
        val (slot, word) = second.getOrElse((random.nextInt(KeySlot.count), random.nextInt(2)))
        val data = BigInt(64, random)
        second = if (begins && random.nextInt(6) != 0) Some((slot, 1 - word)) else None
        val zeroized = random.nextInt(KeySlot.count)
        dut.io.keyWrite.valid.poke(writes)
        dut.io.keyWrite.bits.slot.poke(slot)
        dut.io.keyWrite.bits.word.poke(word)
        dut.io.keyWrite.bits.data.poke(data)
        dut.io.keyZeroize.valid.poke(zeroizes)
        dut.io.keyZeroize.bits.poke(zeroized)
        val yields = random.nextBoolean()
        dut.io.firstYields.poke(yields)
        val usable = dut.io.usable.map(_.peekBoolean())
        val requests = dut.io.clients.map { client =>
          val asks = random.nextInt(3) == 0
          val request = (random.nextInt(KeySlot.count), BigInt(128, random), random.nextBoolean(), random.nextBoolean())
          client.request.valid.poke(asks)
          client.request.bits.slot.poke(request._1)
          client.request.bits.block.poke(request._2)
          client.request.bits.tweak.poke(request._3)
          client.request.bits.decrypt.poke(request._4)
          client.request.bits.tag.poke(request._2 & 0xff)
          if (asks) Some(request) else None
        }

        for (((held, port), i) <- slots.zip(dut.io.hashKeys).zipWithIndex) {
          if (usable(i)) {
            assert(held.whole, s"slot $i is usable without its key")
            val (hash, _) = ofKey(held.key)
            port.first.expect(hash >> 64)
            port.second.expect(hash & low)
          } else {
            port.first.expect(0)
            port.second.expect(0)
          }
          if (isQuiet && cycle % 300 == quiet - 1) assert(usable(i) == held.whole, s"slot $i, after a while")
        }
        val granted = requests.zip(dut.io.clients).map { case (request, client) =>
          request.filter(_ => client.request.ready.peekBoolean())
        }
        assert(granted.count(_.nonEmpty) <= 1)
        val canStart = requests.map(_.exists(request => usable(request._1)))
        if (granted.exists(_.nonEmpty)) {
          val first = if (canStart(0) && !(yields && canStart(1))) 0 else 1
          assert(granted(first).nonEmpty, "the other goes first")
          if (canStart.forall(identity) && yields) yielded += 1
        }
        for {
          (request, queue) <- granted.zip(expected)
          (slot, block, tweak, decrypts) <- request
        } {
          assert(usable(slot))
          val key = if (tweak) ofKey(slots(slot).key)._2 else slots(slot).key
          queue += ((
            block & 0xff,
            if (decrypts) JdkAes.decrypt(key, 128, block) else JdkAes.encrypt(key, 128, block)
          ))
          waiting += 1
        }
        for ((client, queue) <- dut.io.clients.zip(expected)) {
          if (client.answer.valid.peekBoolean()) {
            val (tag, block) = queue.dequeue()
            client.answer.bits.tag.expect(tag)
            client.answer.bits.block.expect(block)
            waiting -= 1
            served += 1
          } else client.answer.bits.block.expect(0)
        }
        if (isQuiet && cycle % 300 == quiet - 1) assert(waiting <= users, "a request has no answer")
        step()

        for ((held, number) <- slots.zipWithIndex) {
          val (written, gone) = (writes && slot == number, zeroizes && zeroized == number)
          if (gone || written && held.whole) held.clear()
          if (written && !gone) held.words(word) = Some(data)
        }
      }
      assert(served > 300 && yielded > 10 && keys.size > 60, s"$served blocks, $yielded turns, ${keys.size} keys")
    }
  }

  test("nothing is left of a zeroized key nor of what is derived from it, whenever it goes, beside other commands") {
    val random = new Random(6)
    val (key, other) = (JdkAes.random(random, 128), JdkAes.random(random, 128))
    val (hash, tweak) = (derived(key, AesInput.hashKey), derived(key, AesInput.tweakKey))
    var usable = 0
    val states = looks(new CipherArbiter(p, users)) { dut =>
      for (wait <- 0 to 60) {
        write(dut, KeySlot.dynamic, key)
        step(wait)
        if (dut.io.usable(KeySlot.dynamic).peekBoolean()) usable += 1
        look(dut)
        zeroize(dut, KeySlot.dynamic)
        // The table is busy with others when the tweak key is to go
        if (wait % 2 == 0) zeroize(dut, KeySlot.static)
        if (wait % 3 == 0) write(dut, KeySlot.static, other)
        step(60)
        look(dut)
        zeroize(dut, KeySlot.static)
        step(60)
      }
      // ErasureSpec looks into the core
    }.map(_.filterNot { case (name, _) => name.contains("core") })
    assert(usable > 5 && usable < 55)
    Remains.erased(states, KeySecrets.of(key) ++ KeySecrets.of(tweak) :+ (hash -> 128))
    // The register through which it goes into the table holds it no longer than that
    val register = "tweakKey"
    assert(states.exists(_(register) == tweak))
    assert(states.dropRight(1).last.apply(register) == 0, "a usable key's tweak key is left in its register")
  }
}
