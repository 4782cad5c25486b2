package hauberk.crypto

import chisel3._
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Every generator of this package elaborates on every Chisel. */
// covers: crypto.elaboration
class ElaborateSpec extends AnyFunSuite {
  private val directions = Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both)
  private val styles = Seq(SBoxStyle.Table, SBoxStyle.BoyarPeralta)

  private def verilogOf(name: String, module: => chisel3.RawModule): Unit =
    assert(Elaborate(module).contains(s"module $name"))

  for (keyBits <- Seq(128, 192, 256)) test(s"AES-$keyBits, iterative, pipelined and folded, every direction") {
    for {
      direction <- directions
      architecture <- Seq(AesArchitecture.Iterative, AesArchitecture.Pipelined(4), AesArchitecture.Folded(4))
    } {
      verilogOf("AesCore", new AesCore(AesParams(keyBits, direction, architecture, extraLatency = 1, tagBits = 3)))
    }
  }

  for (style <- styles) test(s"one round per stage, $style, without a tag") {
    verilogOf("AesCore", new AesCore(AesParams(sBox = style, tagBits = 0)))
  }

  test("key tables and ciphers, one slot and several") {
    for {
      direction <- directions
      slots <- Seq(1, 3)
    } {
      verilogOf("KeyTable", new KeyTable(slots, 192, 2, direction))
      val params = AesParams(256, direction, AesArchitecture.Iterative, tagBits = 4)
      verilogOf("AesCipher", new AesCipher(params, slots))
    }
  }

  test("models in the place of rounds, in every unit") {
    def modelled(module: => chisel3.RawModule): Unit = {
      val verilog = Elaborate(module)
      assert(verilog.contains("HauberkAesModel ") && !verilog.contains("module AesRound"))
    }
    for {
      keyBits <- Seq(128, 192, 256)
      direction <- directions
      architecture <- Seq(AesArchitecture.Iterative, AesArchitecture.Pipelined(4), AesArchitecture.Folded(4))
    } modelled(new AesCore(AesParams(keyBits, direction, architecture, datapath = AesDatapath.Model)))
    modelled(new AesCipher(AesParams(gated = true, datapath = AesDatapath.Model), 2))
    modelled(new KeyUnwrap(datapath = AesDatapath.Model))
    modelled(new Cmac(datapath = AesDatapath.Model))
  }

  test("key unwrapping") {
    verilogOf("KeyUnwrap", new KeyUnwrap)
    verilogOf("GatedKeyUnwrap", new GatedKeyUnwrap)
  }

  test("SHA-256") { verilogOf("Sha256", new Sha256) }

  test("impossible key tables are refused") {
    def refused(module: => chisel3.RawModule): String = {
      val error = intercept[Throwable](Elaborate(module))
      Iterator.iterate(error)(_.getCause).takeWhile(_ != null).map(_.toString).mkString(" ")
    }
    assert(refused(new KeyTable(0, 128, 1)).contains("choose 1 slot or more"))
    assert(refused(new KeyTable(1, 128, 0)).contains("choose 1 or more"))
    assert(refused(new KeyTable(1, 100, 1)).contains("set keyBits to 128, 192 or 256"))
  }

  test("a value that is wider than its field of a cipher's input is refused") {
    class Field(width: Int) extends Module {
      val io = IO(new Bundle { val in = Input(UInt(9.W)); val out = Output(UInt(width.W)) })
      io.out := CipherInput.field(io.in, width)
    }
    for (width <- Seq(9, 10)) verilogOf("Field", new Field(width))
    val refused = intercept[Exception](Elaborate(new Field(8)))
    val causes = Iterator.iterate[Throwable](refused)(_.getCause).takeWhile(_ != null).map(_.getMessage + "")
    assert(causes.exists(_.contains("9 bits does not fit the 8 bits")))
  }
}
