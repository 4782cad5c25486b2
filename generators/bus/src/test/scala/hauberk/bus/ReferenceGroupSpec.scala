package hauberk.bus

import hauberk.crypto.KnownBlock
import javax.crypto.Cipher
import javax.crypto.spec.{GCMParameterSpec, SecretKeySpec}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The reference model's parts against published vectors and the JDK, and what the model must tell apart. */
class ReferenceGroupSpec extends AnyFunSuite {
  import ReferenceBlock._
  private val random = new Random(41)
  private def block(): BigInt = BigInt(128, random)
  private def hex(text: String): BigInt = BigInt(text, 16)

  test("AES of FIPS-197 and SP 800-38A") {
    for (known <- KnownBlock.all if known.keyBits == 128) assert(aes(known.key, known.plain) == known.cipher)
  }

  test("GHASH of the GCM specification's test case 2, step by step") {
    val h = aes(0, 0)
    assert(h == hex("66e94bd4ef8a2c3b884cfa59ca342b2e"))
    val cipher = hex("0388dace60b6a392f328c2b971b2fe78")
    assert(ReferenceField.multiply(cipher, h) == hex("5e2ec746917062882c85b0685353deb7"))
    assert(ReferenceField.hash(h, Seq(cipher, BigInt(128))) == hex("f38cbb1ad69223dcc3457ae5b6b0f885"))
  }

  test("GHASH against the JDK's AES/GCM, of messages that are all associated data") {
    for (count <- 0 to 20) {
      val (key, vector) = (block(), BigInt(96, random))
      val blocks = Seq.fill(count)(block())
      val cipher = Cipher.getInstance("AES/GCM/NoPadding")
      val bytesOfVector = bytes(vector << 32).take(12)
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(key), "AES"), new GCMParameterSpec(128, bytesOfVector))
      cipher.updateAAD(blocks.flatMap(bytes(_)).toArray)
      val tag = BigInt(1, cipher.doFinal())
      val hash = ReferenceField.hash(aes(key, 0), blocks :+ (BigInt(128 * count) << 64))
      assert((hash ^ aes(key, (vector << 32) | 1)) == tag, s"$count blocks")
    }
  }

  test("products: one is the first bit, factors commute, and what is left over is folded back") {
    val one = BigInt(1) << 127
    for (_ <- 0 until 50) {
      val (a, b, c) = (block(), block(), block())
      assert(ReferenceField.multiply(a, one) == a)
      assert(ReferenceField.multiply(a, b) == ReferenceField.multiply(b, a))
      assert(ReferenceField.multiply(a, b ^ c) == (ReferenceField.multiply(a, b) ^ ReferenceField.multiply(a, c)))
    }
    // x^127 times x
    assert(ReferenceField.multiply(1, one >> 1) == hex("e1" + "0" * 30))
  }

  private val secure = BusSecurityParams(masks = 2, aesLatency = 20)
  private def bus(security: BusSecurityParams): BusParams =
    BusParams(4, 32, lineBytes = 32, sharedBus = SharedBusParams(4, 128), security = Some(security))
  private val kinds = for {
    source <- Seq(BusMasks.Chained, BusMasks.PerSender)
    mac <- Seq(BusMac.Cbc, BusMac.Ghash)
    commands <- Seq(false, true)
  } yield secure.copy(maskSource = source, mac = mac, authenticateCommands = commands)
  private def shares(seed: Int): Map[Int, BigInt] = {
    val random = new Random(seed)
    Seq(0, 1, 3).map(_ -> BigInt(64, random)).toMap
  }
  private def beat(source: Int = 1, command: BigInt = 7, data: Option[BigInt] = None) =
    ReferenceBeat(source, 0, BusChannel.c, command, last = true, data)

  for (security <- kinds) {
    val name = s"${security.maskSource}, ${security.mac}${if (security.authenticateCommands) ", commands" else ""}"
    val p = bus(security)
    def fresh = new ReferenceGroup(p, 0, 5, shares(1))

    test(s"$name: members agree, nothing repeats, and a set-up of other shares gives another session") {
      val (one, other, later) = (fresh, fresh, new ReferenceGroup(p, 0, 5, shares(2)))
      var seen = Set.empty[BigInt]
      for (i <- 0 until 40) {
        val data = if (i % 3 == 2) None else Some(BigInt(9))
        val passing = beat(source = Seq(0, 1, 3)(i % 3), data = data)
        val cipher = one.encrypt(passing)
        data.foreach { plain =>
          assert(other.decrypt(passing.source, cipher) == plain)
          assert(later.decrypt(passing.source, cipher) != plain)
          assert(!seen(cipher), s"transfer $i has the ciphertext of an earlier one")
          seen += cipher
        }
        val before = one.tag
        Seq(one, other, later).foreach(_.pass(passing))
        assert(one.tag == other.tag && one.tag != later.tag)
        assert((one.tag != before) == one.counts(passing), "a MAC tells exactly what is authenticated")
      }
    }

    test(s"$name: a MAC is not good twice, though nothing passes between") {
      val group = fresh
      assert(Seq.fill(10)(group.takeTag()).distinct.size == 10)
    }

    /** Tags of two members who see different things first, then the same. */
    def tags(first: Seq[ReferenceBeat], second: Seq[ReferenceBeat]): (BigInt, BigInt) = {
      val (one, other) = (fresh, fresh)
      first.foreach(one.pass)
      second.foreach(other.pass)
      val after = Seq.fill(5)(beat(data = Some(block())))
      after.foreach(one.pass)
      after.foreach(other.pass)
      (one.tag, other.tag)
    }
    def differ(first: Seq[ReferenceBeat], second: Seq[ReferenceBeat]): Boolean = {
      val (one, other) = tags(first, second)
      one != other
    }
    val (x, y) = (beat(data = Some(block())), beat(data = Some(block())))

    test(
      s"$name: what differs once differs for ever: data, sender, receiver, order, number, end; commands where they count"
    ) {
      assert(differ(Seq(x), Seq(x.copy(data = x.data.map(_ ^ 1)))))
      assert(differ(Seq(x), Seq(x.copy(source = 3))))
      for (gap <- 0 to 3) {
        val between = Seq.fill(gap)(beat(data = Some(block())))
        assert(differ((x +: between) :+ y, (y +: between) :+ x), s"swapped over $gap others")
      }
      assert(differ(Seq(x), Seq(x, x)))
      assert(differ(Seq(x, y), Seq(x)))
      for (changed <- Seq(x.copy(destination = 3), x.copy(channel = BusChannel.a), x.copy(last = false)))
        assert(differ(Seq(x), Seq(changed)), changed)
      assert(differ(Seq(x), Seq(x.copy(command = 6))) == security.authenticateCommands)
      val bare = Seq(beat(), beat(command = 1))
      assert(differ(Seq(bare.head), Seq(bare.last)) == security.authenticateCommands)
      assert(differ(Seq(bare.head), Nil) == security.authenticateCommands)
      assert(differ(Seq(beat()), Seq(beat(data = Some(0)))))
      val pad = beat().copy(isPad = true)
      assert(differ(Seq(pad), Seq(pad.copy(command = 8))) && differ(Seq(pad), Nil) && differ(Seq(pad), Seq(beat())))
    }
  }

  test("a MAC without headers would not tell senders apart: that is what they are in it for") {
    for (mac <- Seq(() => new ReferenceCbc(3, 4, 2, 1), () => new ReferenceGhash(3, 1))) {
      val data = Some(Seq(block()))
      def after(source: Int, withHeader: Boolean): BigInt = {
        val chain = mac()
        chain.pass(data, if (withHeader) header(0, beat(source), command = false) else 0)
        chain.summary
      }
      assert(after(1, withHeader = true) != after(3, withHeader = true))
      assert(after(1, withHeader = false) == after(3, withHeader = false))
    }
  }

  // covers: bus.domains
  test("no two blocks under one key are alike, on the widest shared bus with all PIDs") {
    val (lanes, slots, pids) = (8, 16, 32)
    val masks = for {
      lane <- 0 until lanes
      slot <- 0 until slots
      pid <- 0 until pids
      block <- Seq(firstMask(lane, slot), nextMask(lane, pid, slot, 0), senderMask(lane, pid, slot))
    } yield block
    assert(masks.distinct.size == lanes * slots * (1 + 2 * pids))
    val chains = for {
      lane <- 0 to lanes
      slot <- 0 until slots
    } yield firstChain(lane, slot)
    assert(chains.distinct.size == (lanes + 1) * slots)
    assert((Seq(
      maskKey,
      macKey,
      tagKey,
      hashKey
    ) ++ masks ++ chains).distinct.size == 4 + masks.distinct.size + chains.size)
  }

  test("a block whose fields are too small for what goes in says so") {
    assert(intercept[IllegalArgumentException](share(32, 0)).getMessage.contains("32"))
    assert(intercept[IllegalArgumentException](firstMask(16, 0)).getMessage.contains("16"))
  }
}
