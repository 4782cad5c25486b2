package hauberk.tools

import org.scalatest.funsuite.AnyFunSuite

class KeysSpec extends AnyFunSuite {
  private def bytes(text: String): Array[Byte] = Hex.parse(text, text.length / 2).get

  test("wrapping is that of RFC 3394, section 4.1") {
    val wrapped = Keys.wrap(bytes("000102030405060708090A0B0C0D0E0F"), bytes("00112233445566778899AABBCCDDEEFF"))
    assert(Hex(wrapped) == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")
  }

  test("the first word of entropy is the more significant half of the dynamic key") {
    assert(Hex(Keys.dynamic(Fixtures.entropy)) == "00112233445566778899aabbccddeeff")
    assert(Hex(Keys.dynamic(Seq((BigInt(1) << 64) - 1, 0))) == "ffffffffffffffff0000000000000000")
  }

  test("fresh keys differ") {
    val made = Seq.fill(100)(Hex(Keys.fresh()))
    assert(made.distinct.size == 100 && made.forall(_.length == 32))
  }

  test("hexadecimal digits are read strictly") {
    assert(Hex.parse("00fF", 2).exists(_.toSeq == Seq[Byte](0, -1)))
    for (bad <- Seq("", "0", "00f", "00fff", "00fg", "-1ff", "0xff", "+1+1")) assert(Hex.parse(bad, 2).isEmpty, bad)
  }
}
