package hauberk.tools

import hauberk.memory.{DirectCbc, OneTimePad, StripeAddresses}
import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

class SocDescriptionSpec extends AnyFunSuite {
  private def changed(changes: (String, ujson.Value)*): ujson.Obj = {
    val made = description()
    for ((name, value) <- changes) made(name) = value
    made
  }

  test("modes and stripes are read") {
    assert(soc(description(engines = 0)).protection.isEmpty)
    val two = soc(description("direct CBC", 2))
    assert(two.protection.exists(_.mode == DirectCbc()))
    assert(two.protection.exists(_.stripes == Seq(0, 64).map(StripeAddresses(base, 32768, Seq(6), _))))
    assert(soc(description()).protection.exists(p => p.mode == OneTimePad && p.counterBytes == 4))
  }

  test("numbers may be texts, which keep all bits") {
    assert(soc(changed("dramBase" -> "0x80000000", "dramBytes" -> "65536")) == soc(description()))
  }

  test("descriptions that do not make sense are refused") {
    refused("test.json", "dramBytes should be a number, but is missing") {
      val made = description()
      made.value.remove("dramBytes")
      soc(made)
    }
    refused("dramBytes should be a number, but is true")(soc(changed("dramBytes" -> true)))
    refused("dramBytes should be a number, but is 0.5")(soc(changed("dramBytes" -> 0.5)))
    refused("protected should be true or false")(soc(changed("protected" -> "yes")))
    refused("blocks of 64 bytes")(soc(changed("dramBytes" -> 65535)))
    refused("blocks of 48 bytes")(soc(changed("blockBytes" -> 48)))
    refused("mode 'rot13'", "one-time pad, direct CBC")(soc(changed("mode" -> "rot13")))
    refused("dataBytes is 65536", "elaborate the configuration again")(soc(changed("dataBytes" -> 65536)))
    refused("counterBytes is 3", "elaborate the configuration again")(soc(changed("counterBytes" -> 3)))
  }

  test("stripes must make up the DRAM") {
    val two = description(engines = 2)
    refused("do not make up its DRAM")(soc(changed("stripes" -> ujson.Arr())))
    refused("do not make up its DRAM")(soc(changed("stripes" -> ujson.Arr(two("stripes")(0)))))
    refused("do not make up its DRAM")(soc(changed(
      "engines" -> 2,
      "stripes" -> ujson.Arr(two("stripes")(0), two("stripes")(0))
    )))
    refused("do not make up its DRAM")(soc(changed("dramBase" -> (base + 65536).toDouble)))
  }
}
