package hauberk.crypto

import chisel3._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** The published blocks through one core of each key size that goes both ways. */
class KnownBlockSpec extends AnyFunSuite with Simulation {
  for (keyBits <- Seq(128, 192, 256)) test(s"FIPS-197 and SP 800-38A blocks, AES-$keyBits") {
    val params = AesParams(keyBits, AesDirection.Both, AesArchitecture.Iterative, tagBits = 8)
    simulate(new AesCore(params)) { dut =>
      dut.io.request.valid.poke(false)
      dut.io.response.ready.poke(false)
      val blocks = KnownBlock.all.filter(_.keyBits == keyBits)
      assert(blocks.size == 5)
      for ((b, number) <- blocks.zipWithIndex; decrypt <- Seq(false, true)) {
        dut.io.request.send() { request =>
          request.block.poke(if (decrypt) b.cipher else b.plain)
          request.key.poke(if (decrypt) KeySchedule.decryptionStart(b.key, keyBits) else b.key)
          request.decrypt.poke(decrypt)
          request.tag.poke(17 * number)
        }
        val (block, tag) = dut.io.response.receive()(response => (response.block.peek(), response.tag.peek()))
        assert(block == (if (decrypt) b.plain else b.cipher), s"AES-$keyBits decrypt=$decrypt block $number")
        assert(tag == 17 * number)
      }
    }
  }
}
