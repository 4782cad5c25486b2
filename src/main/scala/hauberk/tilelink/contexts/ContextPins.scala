package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import hauberk.tilelink.common.{ChipPins, Provisioning}
import org.chipsalliance.cde.config.Parameters

/** Secrets that microcode needs and nobody else may know: the processor's own, of which its key for signatures is made, and unpredictable random words. */
class ContextPins extends Bundle {

  /** From the fuses. */
  val secret = Input(UInt(256.W))
  val secretValid = Input(Bool())
  val entropy = Flipped(Decoupled(UInt(64.W)))

  /** A secret that is none; the words come from elsewhere. */
  def useTestKeys(source: Provisioning.TestKeys): Unit = {
    secret := Provisioning.contextSecret.map(source.key(_).U(128.W)).reduce(Cat(_, _))
    secretValid := true.B
  }
}

/** The same, from the edge of the chip ([[Provisioning.Punchthrough]]). */
class ContextChipPins(implicit p: Parameters) extends ChipPins(() => new ContextPins)
