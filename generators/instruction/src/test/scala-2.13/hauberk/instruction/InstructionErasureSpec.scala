package hauberk.instruction

import hauberk.crypto.JdkAes
import hauberk.testing.{Remains, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** No register holds a credential when a command for a key is over, however it ends, nor a line when a fetch is. */
class InstructionErasureSpec extends AnyFunSuite with FetchBench with Simulation {
  private val random = new Random(15)

  // covers: instruction.key-check
  test("the key unit forgets both credentials at the end of a command, and one whose token is gone is no credential") {
    val Seq(processor, application, token) = Seq.fill(3)(JdkAes.random(random, 128))
    val keyId = JdkAes.random(random, 64)
    val check = ReferenceSeal.applicationCheck(processor, application, token, keyId)
    val ofToken = ReferenceSeal.tokenCheck(processor, token)
    val states = looks(new KeyUnit(EmuParams(keySlots = 4))) { dut =>
      val answer = dut.io.token.answer
      dut.io.secret.poke(processor)
      dut.io.secretValid.poke(true)
      answer.bits.secret.poke(token)
      def begin(): Unit = {
        dut.io.request.bits.application.secret.poke(application)
        dut.io.request.bits.application.check.poke(check)
        dut.io.request.bits.keyId.poke(keyId)
        dut.io.request.bits.slot.poke(1)
        dut.io.request.valid.poke(true)
        step()
        dut.io.request.valid.poke(false)
        look(dut)
      }
      def end(error: Int): Unit = {
        var cycles = 0
        while (dut.io.busy.peekBoolean()) {
          step()
          answer.valid.poke(false)
          cycles += 1
          assert(cycles < 400)
        }
        dut.io.error.expect(error)
        step(3)
        look(dut)
      }
      answer.bits.check.poke(ofToken)
      begin()
      dut.io.token.present.poke(false)
      answer.valid.poke(true)
      end(EmuError.noToken)
      for ((wrong, error) <- Seq(BigInt(1) -> EmuError.badToken, BigInt(0) -> EmuError.none)) {
        answer.bits.check.poke(ofToken ^ wrong)
        begin()
        dut.io.token.present.poke(true)
        answer.valid.poke(true)
        end(error)
      }
    }
    Remains.erased(states, Seq(application, token, check, ofToken).map(_ -> 128))
  }

  // covers: instruction.decryption
  test("direct mode forgets a line when its last beat has gone") {
    val p = EmuParams(DecryptionMode.Direct(cores = 1), pages = 1, keySlots = 2)
    val page = randomPage(random)
    val states = looks(new EncryptionManagementUnit(p)) { dut =>
      val bench = new Bench(dut)
      val key = JdkAes.random(random, 128)
      bench.loadKey(1, key)
      bench.pages(5) = ReferenceSeal.page(p.mode, key, 0, page)
      bench.mapped(0, 5, 1)
      var looked = false
      val got = bench.fetch(
        5 << 12,
        meanwhile = _ =>
          if (!looked && dut.io.processor.beat.valid.peekBoolean()) {
            look(dut)
            looked = true
          }
      )
      assert(got.beats == bench.words(page, 5 << 12))
      look(dut)
    }
    // The cipher has a block's first byte on top, a beat at the bottom
    val blocks = page.take(64).grouped(16).toSeq.flatMap(block => Seq(block, block.reverse))
    Remains.erased(states, blocks.map(block => BigInt(1, block) -> 128))
  }
}
