package hauberk.instruction

import hauberk.crypto.AesDatapath
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Every generator of this package elaborates on every Chisel. */
// covers: instruction.elaboration
class ElaborateSpec extends AnyFunSuite {
  private val units = Map(
    "counter mode" -> EmuParams(),
    "counter mode, one page, one key, lines of a block" ->
      EmuParams(pages = 1, keySlots = 2, lineBytes = 16, beatBytes = 4, ids = 1, addressBits = 64),
    "direct" -> EmuParams(DecryptionMode.Direct()),
    "direct, one cipher, several fetches" -> EmuParams(DecryptionMode.Direct(cores = 1), ids = 3, extraLatency = 2)
  )
  for ((name, params) <- units) test(s"an encryption management unit elaborates: $name") {
    assert(Elaborate(new EncryptionManagementUnit(params)).contains("module EncryptionManagementUnit"))
  }

  test("a chain of both modifiers elaborates") {
    val chain = Seq((p: EmuParams) => new CounterModifier(p), (p: EmuParams) => new DirectModifier(p, 2))
    val verilog = Elaborate(new EncryptionManagementUnit(EmuParams(), Some(chain)))
    assert(verilog.contains("module CounterModifier") && verilog.contains("module DirectModifier"))
  }

  test("control units and the key unit elaborate") {
    assert(Elaborate(new PageTableControl(EmuParams(), 2)).contains("module PageTableControl"))
    assert(Elaborate(new KeyTableControl(EmuParams())).contains("module KeyTableControl"))
    assert(Elaborate(new KeyUnit(EmuParams())).contains("module KeyUnit"))
  }

  test("ciphers are models where the parameters say so") {
    val model = EmuParams(aesDatapath = AesDatapath.Model)
    for (
      verilog <- Seq(
        Elaborate(new EncryptionManagementUnit(model)),
        Elaborate(new EncryptionManagementUnit(model.copy(mode = DecryptionMode.Direct()))),
        Elaborate(new KeyUnit(model))
      )
    ) assert(verilog.contains("HauberkAesModel ") && !verilog.contains("module AesRound"))
  }

  test("impossible parameters are refused with a sentence") {
    def refused(sentence: String)(make: => EmuParams): Unit =
      assert(intercept[IllegalArgumentException](make).getMessage.contains(sentence))
    refused("choose 1 to 256")(EmuParams(pages = 0))
    refused("choose 2 to 64")(EmuParams(keySlots = 1))
    refused("choose 13 to 64")(EmuParams(addressBits = 12))
    refused("16 to 256")(EmuParams(lineBytes = 8))
    refused("of at most 16")(EmuParams(beatBytes = 32))
    refused("choose 1 to 8")(EmuParams(ids = 0))
    refused("choose 0 or more")(EmuParams(extraLatency = -1))
    refused("3 ciphers for the 4 blocks of a line")(EmuParams(DecryptionMode.Direct(cores = 3)))
  }
}
