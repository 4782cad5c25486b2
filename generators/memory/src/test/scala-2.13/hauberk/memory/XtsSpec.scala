package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{Bank, KeySlot}
import hauberk.memory.mode.{PadOrDirect, Xts}
import hauberk.memory.counter.{NoCounters, SequenceNumberCache}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The generators that encrypt directly against XTS-AES and pads on the JDK, with random transactions. */
class XtsSpec extends AnyFunSuite with Simulation {
  private val random = new Random(20031)
  private def bytes(n: Int): Array[Byte] = Transfer.randomBytes(random, n).toArray
  private val keys = Map(KeySlot.static -> bytes(16), KeySlot.dynamic -> bytes(16), KeySlot.spare -> bytes(16))
  private val xts = ProtectionParams.xts
  private val either =
    ProtectionParams.aegisOtp.copy(mode = PadOrDirect, counters = SequenceNumberCache(replaces = false))
  private val engine = 0xa5
  private val bank = Bank(localBytes = BigInt(1) << 30, engine = engine)

  private def expected(r: KeystreamRequest): Array[Byte] = {
    val key = keys(r.key)
    val all =
      if (r.direct) {
        val unit = (BigInt(engine) << 40) | r.block
        if (r.write) JdkModes.encryptXts(key, JdkModes.tweakKey(key), unit, r.data)
        else JdkModes.decryptXts(key, JdkModes.tweakKey(key), unit, r.data)
      } else JdkModes.oneTimePad(key, engine, r.block, r.counter, r.data)
    all.slice(16 * r.first, 16 * (r.last + 1))
  }

  private def randomRequest(entry: Int, mixed: Boolean): KeystreamRequest = {
    val first = if (random.nextBoolean()) 0 else random.nextInt(4)
    val direct = !mixed || random.nextBoolean()
    KeystreamRequest(
      entry,
      BigInt(24, random),
      bytes(64),
      random.nextBoolean(),
      random.nextInt(3),
      if (direct) BigInt(0) else BigInt(32, random),
      direct,
      first,
      if (random.nextBoolean()) 3 else first + random.nextInt(4 - first)
    )
  }

  private val iterative = AesParams(architecture = AesArchitecture.Iterative)
  for (
    (name, params, mixed) <- Seq(
      ("XTS", xts, false),
      ("XTS, one AES block at a time", xts.copy(cipher = iterative, reads = 2, writes = 1), false),
      ("pads or XTS", either, true),
      ("pads or XTS, one AES block at a time", either.copy(cipher = iterative), true)
    )
  ) test(s"the keystream is bit-exact: $name", Thorough.unless(name.startsWith("pads or XTS")): _*) {
    simulate(new KeystreamHarness(Protection(params, bank))) { dut =>
      val bench = new KeystreamBench(this, dut)
      bench.start(keys)
      bench.hold = () => random.nextInt(5) == 0
      for (_ <- 0 until 12) {
        val requests = (0 until dut.p.entries).map(randomRequest(_, mixed))
        // Announced in one order, asked for in another, some before their tweak can be there
        val (early, late) = requests.partition(_ => random.nextBoolean())
        random.shuffle(early).foreach(bench.announce)
        for (r <- random.shuffle(early)) {
          bench.fill(r)
          bench.ask(r)
        }
        for (r <- random.shuffle(late)) {
          bench.fill(r)
          bench.announce(r)
          bench.ask(r)
        }
        for ((r, found) <- requests.zip(bench.collect(requests)))
          assert(found.toSeq == expected(r).toSeq, s"the keystream of $r")
        for (((entry, aesBlock), _) <- bench.keystream) {
          val r = requests(entry)
          assert(
            aesBlock >= r.first && aesBlock <= r.last,
            s"a keystream block nobody asked for: AES block $aesBlock of $r"
          )
        }
        bench.forget()
      }
    }
  }

  test(
    "with its tweak made ahead, a block gets its keystream after the latency of the cipher, and blocks follow each other without a gap"
  ) {
    val p = Protection(xts, bank)
    simulate(new KeystreamHarness(p)) { dut =>
      val bench = new KeystreamBench(this, dut)
      bench.start(keys)
      val requests = (0 until 8).map(i => KeystreamRequest(i, 1000 + i, bytes(64), write = false, KeySlot.static))
      requests.foreach(bench.announce)
      requests.foreach(bench.fill)
      requests.foreach(bench.ask)
      bench.collect(requests)
      val times = requests.map(r => (0 to 3).map(i => bench.keystream((r.entry, i))._2))
      assert(times.head == (0 to 3).map(bench.taken(0) + p.cipher.latency + _))
      assert(times.flatten == (0 until 32).map(times.head.head + _))
    }
  }
}
