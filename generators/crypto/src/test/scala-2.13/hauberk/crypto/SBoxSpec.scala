package hauberk.crypto

import chisel3._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Every S-box, two bytes wide, side by side. */
class AllSBoxes extends Module {
  val kinds = for {
    style <- Seq(SBoxStyle.Table, SBoxStyle.BoyarPeralta)
    direction <- Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both)
  } yield (style, direction)
  val io = IO(new Bundle {
    val in = Input(UInt(16.W))
    val decrypt = Input(Bool())
    val out = Output(Vec(kinds.size, UInt(16.W)))
  })
  kinds.zip(io.out).foreach { case ((style, direction), out) =>
    val unit = Module(new SubBytes(2, style, direction))
    unit.io.in := io.in
    unit.io.decrypt := io.decrypt
    out := unit.io.out
  }
}

class SBoxSpec extends AnyFunSuite with Simulation {
  // covers: crypto.aes
  test("every S-box and its inverse is FIPS-197's, for all 256 bytes, in every byte") {
    simulate(new AllSBoxes) { dut =>
      for {
        decrypt <- Seq(false, true)
        byte <- 0 until 256
      } {
        val other = 255 - byte
        dut.io.in.poke(256 * other + byte)
        dut.io.decrypt.poke(decrypt)
        for (((style, direction), out) <- dut.kinds.zip(dut.io.out)) {
          val inverse = direction == AesDirection.Decrypt || (direction == AesDirection.Both && decrypt)
          val table = if (inverse) AesField.inverseSBox else AesField.sBox
          assert(out.peek() == 256 * table(other) + table(byte), s"$style $direction of $byte")
        }
      }
    }
  }
}
