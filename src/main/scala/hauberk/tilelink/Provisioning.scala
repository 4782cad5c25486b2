package hauberk.tilelink

import chisel3._
import chisel3.util._
import chisel3.util.random.LFSR
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import scala.util.Random

/** Where a chip's secrets come from: its fuses, and words that nobody can foretell. */
sealed trait Provisioning

object Provisioning {

  /** Pins of the chip, behind which are fuses and a true random number generator. */
  case object Pins extends Provisioning

  /** The SoC itself, for simulators, in which runs must repeat, and for studies on FPGAs. It keeps nothing secret: whoever has the Verilog has
    * the keys.
    *
    * @param seed another seed gives other keys; not 0
    */
  case class Development(seed: Int) extends Provisioning {
    require(seed != 0, "the words that come of seed 0 are all alike: choose another seed")

    /** One of several keys of 128 bits. */
    def key(number: Int): BigInt = BigInt(128, new Random(seed.toLong << 8 | number))
  }
}

/** Words that look random and are the same after every reset. */
class DevelopmentEntropy(source: Provisioning.Development)(implicit p: Parameters) extends LazyModule {
  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val words = IO(Decoupled(UInt(64.W)))
    // Each word is 64 steps from the one before
    private val steps = RegInit(0.U(6.W))
    words.valid := steps === 63.U
    private val goesOn = !words.valid || words.ready
    when(goesOn) { steps := steps + 1.U }
    words.bits := LFSR(64, goesOn, Some(BigInt(source.seed & 0xffffffffL)))
  }
}
