package hauberk.testing

import chisel3._
import chisel3.util._

/** State of a design in its Verilog: a memory, or a register of one row.
  *
  * @param path from the module that holds the [[FaultInjector]]
  */
case class FaultSite(path: String, rows: Int, bits: Int) {

  /** The same, from the module that has this instance. */
  def within(instance: String): FaultSite = copy(path = s"$instance.$path")
  private[testing] def verilog: String = path + (if (rows > 1) "[row]" else "") + (if (bits > 1) "[place]" else "")
}

object FaultSite {

  /** A memory, whose words have the array's name within its own module. */
  def memory(path: String, rows: Int, bits: Int): FaultSite = FaultSite(s"${path}_ext.Memory", rows, bits)
}

/** A bit to flip. */
class Flip extends Bundle {
  val site = UInt(8.W)
  val row = UInt(16.W)
  val bit = UInt(16.W)
}

/** Flips a bit of stored state when `flip.valid` rises, in the design as it is: by hierarchical names, so that the design has no port for it. */
class FaultInjector(sites: Seq[FaultSite]) extends BlackBox with HasBlackBoxInline {
  val io = IO(new Bundle {
    val flip = Flipped(Valid(new Flip))
  })
  override def desiredName = "FaultInjector"
  private val cases =
    sites.zipWithIndex.map { case (site, i) => s"      $i: ${site.verilog} <= ~${site.verilog};" }.mkString("\n")
  setInline(
    "FaultInjector.sv",
    s"""module FaultInjector(input flip_valid, input [7:0] flip_bits_site, input [15:0] flip_bits_row, flip_bits_bit);
       |  wire [15:0] row = flip_bits_row, place = flip_bits_bit;
       |  always @(posedge flip_valid)
       |    case (flip_bits_site)
       |$cases
       |    endcase
       |endmodule
       |""".stripMargin
  )
}

object FaultInjector {

  /** Every bit of the sites: site, row and bit. */
  def bits(sites: Seq[FaultSite]): Seq[(Int, Int, Int)] = for {
    (site, number) <- sites.zipWithIndex
    row <- 0 until site.rows
    bit <- 0 until site.bits
  } yield (number, row, bit)

  /** Flips a bit, and lets the port fall, so that it can rise again.
    *
    * @param cycle what a cycle of the test is
    */
  def flip(simulation: Simulation, port: Valid[Flip], site: Int, row: Int, bit: Int)(cycle: => Unit): Unit = {
    import simulation._
    port.bits.site.poke(site)
    port.bits.row.poke(row)
    port.bits.bit.poke(bit)
    for (rises <- Seq(true, false)) {
      port.valid.poke(rises)
      cycle
    }
  }

  /** An injector in the module that is being made; its port. */
  def apply(sites: Seq[FaultSite]): Valid[Flip] = {
    val flip = Wire(Valid(new Flip))
    val injector = Module(new FaultInjector(sites))
    injector.io.flip := flip
    flip
  }
}
