package hauberk.instruction

import chisel3._
import hauberk.crypto.JdkAes
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The key unit with its control unit, as they stand before the key tables. */
class KeyUnitAndTable(p: EmuParams) extends Module {
  val unit = Module(new KeyUnit(p))
  val table = Module(new KeyTableControl(p))
  val io = IO(new Bundle {
    val secret = Input(UInt(128.W))
    val secretValid = Input(Bool())
    val request = chiselTypeOf(unit.io.request)
    val busy = Output(Bool())
    val error = Output(UInt(EmuError.width.W))
    val token = new TokenPort
    val key = chiselTypeOf(table.io.key)
    val zeroize = chiselTypeOf(table.io.zeroize)
  })
  unit.io.secret := io.secret
  unit.io.secretValid := io.secretValid
  unit.io.request := io.request
  unit.io.token <> io.token
  table.io.commit := unit.io.commit
  unit.io.commitError := table.io.error
  table.io.usable := VecInit(Seq.fill(p.keySlots)(true.B))
  io.busy := unit.io.busy || table.io.busy
  io.error := unit.io.error
  io.key := table.io.key
  io.zeroize := table.io.zeroize
}

class KeyUnitSpec extends AnyFunSuite with Simulation {
  private val p = EmuParams(keySlots = 4)

  private case class Request(application: BigInt, check: BigInt, keyId: BigInt, slot: Int)
  private case class Token(secret: BigInt, check: BigInt)

  private def start(dut: KeyUnitAndTable, request: Request): Unit = {
    val bits = dut.io.request.bits
    bits.application.secret.poke(request.application)
    bits.application.check.poke(request.check)
    bits.keyId.poke(request.keyId)
    bits.slot.poke(request.slot)
    dut.io.request.valid.poke(true)
    step()
    dut.io.request.valid.poke(false)
  }
  private def answer(dut: KeyUnitAndTable, token: Token): Unit = {
    dut.io.token.answer.bits.secret.poke(token.secret)
    dut.io.token.answer.bits.check.poke(token.check)
  }

  /** Cycles of the last command that ran to its end. */
  private var took = 0

  /** Runs a command; the slot and key that came out, whole, and the error. `leavesAfter`: cycles after which the token is gone. */
  private def run(
      dut: KeyUnitAndTable,
      request: Request,
      token: Option[Token],
      answersAfter: Int = 3,
      leavesAfter: Int = 1000
  ): (Option[(Int, BigInt)], Int) = {
    dut.io.token.present.poke(token.nonEmpty)
    dut.io.token.answer.valid.poke(false)
    start(dut, request)
    var words = Seq.empty[(Int, Int, BigInt)]
    var (cycle, zeroized) = (0, Option.empty[Int])
    while (dut.io.busy.peekBoolean()) {
      assert(cycle < 400, "a command takes about 200 cycles")
      val here = token.filter(_ => cycle < leavesAfter)
      dut.io.token.present.poke(here.nonEmpty)
      dut.io.token.answer.valid.poke(here.nonEmpty && cycle >= answersAfter)
      here.foreach(answer(dut, _))
      if (dut.io.zeroize.valid.peekBoolean()) {
        assert(words.isEmpty)
        zeroized = Some(dut.io.zeroize.bits.peek().toInt)
      }
      if (dut.io.key.valid.peekBoolean()) {
        words :+= ((dut.io.key.bits.slot.peek().toInt, dut.io.key.bits.word.peek().toInt, dut.io.key.bits.data.peek()))
      }
      step()
      cycle += 1
    }
    took = cycle
    val key = if (words.isEmpty) {
      assert(zeroized.isEmpty, "a key is gone and none came")
      None
    } else {
      assert(words.map(_._2) == Seq(0, 1) && words.map(_._1).toSet == zeroized.toSet)
      Some((zeroized.get, (words.head._3 << 64) | words(1)._3))
    }
    (key, dut.io.error.peek().toInt)
  }

  private def withUnit(body: KeyUnitAndTable => Unit): Unit = simulate(new KeyUnitAndTable(p)) { dut =>
    dut.io.request.valid.poke(false)
    body(dut)
  }

  private class Issued(random: Random, of: Option[BigInt] = None) {
    val processor = of.getOrElse(JdkAes.random(random, 128))
    val application, token = JdkAes.random(random, 128)
    val keyId = JdkAes.random(random, 64)
    def request(slot: Int): Request =
      Request(application, ReferenceSeal.applicationCheck(processor, application, token, keyId), keyId, slot)
    def userToken: Token = Token(token, ReferenceSeal.tokenCheck(processor, token))
    def key: BigInt = ReferenceSeal.pageKey(processor, application, token, keyId)
  }

  // covers: instruction.keys
  test("keys are those of SP 800-108, in the slot that was asked for") {
    withUnit { dut =>
      val random = new Random(108)
      dut.io.secretValid.poke(true)
      for (i <- 0 until 12) {
        val issued = new Issued(random)
        dut.io.secret.poke(issued.processor)
        val slot = 1 + i % 3
        val got = run(dut, issued.request(slot), Some(issued.userToken), answersAfter = random.nextInt(20))
        assert(got == ((Some((slot, issued.key)), EmuError.none)))
      }
    }
  }

  // covers: instruction.keys
  test(
    "after a reset in any cycle of a command the next is right, and takes 172 cycles with a token that answers at once"
  ) {
    withUnit { dut =>
      val random = new Random(111)
      dut.io.secretValid.poke(true)
      for (cycles <- 0 to 200 by 7) withClue(s"a reset in cycle $cycles: ") {
        val (issued, other) = (new Issued(random), new Issued(random))
        dut.io.secret.poke(other.processor)
        start(dut, other.request(1))
        dut.io.token.present.poke(true)
        answer(dut, other.userToken)
        dut.io.token.answer.valid.poke(true)
        step(cycles)
        resetDesign(dut)
        dut.io.error.expect(EmuError.none)
        dut.io.busy.expect(false)
        dut.io.secret.poke(issued.processor)
        val got = run(dut, issued.request(2), Some(issued.userToken), answersAfter = 0)
        assert(got == ((Some((2, issued.key)), EmuError.none)))
        assert(took == 172)
      }
    }
  }

  // covers: instruction.key-check
  test("a wrong bit anywhere, another's credential, a missing token or secret, a bad slot: an error, and no key") {
    withUnit { dut =>
      val random = new Random(109)
      val (issued, elsewhere) = (new Issued(random), new Issued(random))
      // Of another user of the same processor: good, but not together
      val other = new Issued(random, Some(issued.processor))
      dut.io.secret.poke(issued.processor)
      dut.io.secretValid.poke(true)
      val (request, token) = (issued.request(2), issued.userToken)
      def flip(value: BigInt, bits: Int = 128) = value ^ (BigInt(1) << random.nextInt(bits))
      for (_ <- 0 until 4) {
        for (
          bad <- Seq(
            request.copy(application = flip(request.application)),
            request.copy(check = flip(request.check)),
            request.copy(keyId = flip(request.keyId, 64)),
            elsewhere.request(2),
            other.request(2)
          )
        ) assert(run(dut, bad, Some(token)) == ((None, EmuError.badApplication)))
        assert(run(dut, request, Some(other.userToken)) == ((None, EmuError.badApplication)))
        for (
          bad <-
            Seq(token.copy(secret = flip(token.secret)), token.copy(check = flip(token.check)), elsewhere.userToken)
        ) {
          assert(run(dut, request, Some(bad)) == ((None, EmuError.badToken)))
        }
      }
      assert(run(dut, request, None) == ((None, EmuError.noToken)))
      assert(run(dut, request, Some(token), answersAfter = 20, leavesAfter = 10) == ((None, EmuError.noToken)))
      for (slot <- Seq(0, 4, 65535))
        assert(run(dut, request.copy(slot = slot), Some(token)) == ((None, EmuError.badSlot)))
      dut.io.secretValid.poke(false)
      assert(run(dut, request, Some(token)) == ((None, EmuError.noProcessorSecret)))
      dut.io.secretValid.poke(true)
      assert(run(dut, request, Some(token)) == ((Some((2, issued.key)), EmuError.none)))
    }
  }

  // covers: instruction.check-compare
  test("a check of 128 bits that differs in one bit is refused, whichever it is") {
    withUnit { dut =>
      val issued = new Issued(new Random(110))
      dut.io.secret.poke(issued.processor)
      dut.io.secretValid.poke(true)
      val (request, token) = (issued.request(2), issued.userToken)
      for (bit <- 0 until 128) withClue(s"bit $bit: ") {
        val forged = request.copy(check = request.check.flipBit(bit))
        assert(run(dut, forged, Some(token)) == ((None, EmuError.badApplication)))
        assert(run(dut, request, Some(token.copy(check = token.check.flipBit(bit)))) == ((None, EmuError.badToken)))
      }
      assert(run(dut, request, Some(token)) == ((Some((2, issued.key)), EmuError.none)))
    }
  }
}
