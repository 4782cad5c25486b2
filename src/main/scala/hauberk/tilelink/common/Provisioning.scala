package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import chisel3.util.random.LFSR
import hauberk.compat.Subsystem
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import scala.util.Random

/** Source of a chip's secrets: its fuses, and unpredictable random words. */
sealed abstract class Provisioning {

  /** The chip has fuses of its own, so that something can be encrypted for it alone. */
  def hasFuses: Boolean
}

/** The sources of secrets: pins, pins punched through to the edge of the SoC, or test keys. */
object Provisioning {

  /** Pins of the chip, behind which are fuses and a true random number generator. The SoC around reaches down to the module that has them. */
  case object Pins extends Provisioning { val hasFuses = true }

  /** The same pins, where the SoC around does not reach that far: [[ChipPins]] bring them to the edge of the chip. */
  case object Punchthrough extends Provisioning { val hasFuses = true }

  /** The SoC itself, for simulators, in which runs must repeat, and for studies on FPGAs. It keeps nothing secret: an owner of the Verilog has
    * the keys.
    *
    * Counters start again after a reset of the SoC, and under the same keys: who keeps what DRAM, or the shared bus, held before sees pads repeat,
    * and can bring old blocks back.
    *
    * @param seed another seed gives other keys
    */
  case class TestKeys(seed: Int) extends Provisioning {
    val hasFuses = false

    /** One of up to 128 keys of 128 bits. */
    def key(number: Int): BigInt = BigInt(128, source(number))

    /** Prefix of the random words of one of up to 128 users. */
    def beginning(user: Int): BigInt = BigInt(64, source(0x80 | user)).setBit(0)

    private def source(number: Int) = new Random(seed.toLong << 8 | number)
  }

  /** The error that nothing drives the pins of what is attached. */
  private[tilelink] def complaints(secrets: Option[Provisioning], what: String): Seq[String] = Refusal.broken(
    (Subsystem.reachesPins || !secrets.contains(Pins)) ->
      s"$what has no keys: put WithTestKeys to the left, or WithChipPins (in Chipyard WithHauberkPins)"
  )

  /** Keys of a [[TestKeys]] that instruction decryption has; the others are of the protector and the bus. */
  private[hauberk] val processorSecret = 0x40
  private[hauberk] val tokenSecret = 0x41

  /** Keys of a [[TestKeys]] that secure contexts have. */
  private[hauberk] val contextSecret = Seq(0x42, 0x43)

  /** Users of random words, which must differ: the shared bus shows its own. */
  val protector = 0
  val bus = 1
  val contexts = 2
}

/** Words that look random, are the same after every reset, and others for every user. */
class TestEntropy(source: Provisioning.TestKeys, user: Int)(implicit p: Parameters) extends LazyModule {
  lazy val module = new Impl

  /** A word of 64 bits each time the shift register has made 64 steps; it waits while a word is not taken. */
  class Impl extends LazyModuleImp(this) {
    val words = IO(Decoupled(UInt(64.W)))
    // Each word is 64 steps from the one before
    private val steps = RegInit(0.U(6.W))
    words.valid := steps === 63.U
    private val goesOn = !words.valid || words.ready
    when(goesOn) { steps := steps + 1.U }
    words.bits := LFSR(64, goesOn, Some(source.beginning(user)))
  }
}
