package hauberk.fault

import chisel3._
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Words there and back, with flips between. */
private[fault] class CodedWord(code: WordCode, dataBits: Int) extends Module {
  val io = IO(new Bundle {
    val data = Input(UInt(dataBits.W))
    val flips = Input(UInt(code.width(dataBits).W))
    val stored = Output(UInt(code.width(dataBits).W))
    val decoded = Output(UInt(dataBits.W))
    val faulty = Output(Bool())
  })
  io.stored := code.encode(io.data)
  private val word = code.decode(io.stored ^ io.flips, dataBits)
  io.decoded := word.data
  io.faulty := word.faulty
}

/** Codes elaborate on every Chisel. */
class ElaborateSpec extends AnyFunSuite {
  for {
    code <- Seq(Unchecked, Parity, Secded(), Secded(32))
    bits <- Seq(1, 56, 64, 100)
  } test(s"$code of $bits bits") {
    assert(Elaborate(new CodedWord(code, bits)).contains("module CodedWord"))
  }

  test("tests of an entropy source") {
    for (limits <- Seq(EntropyLimits(), EntropyLimits(1, 20)))
      assert(Elaborate(new EntropyHealth(limits)).contains("module EntropyHealth"))
  }
}
