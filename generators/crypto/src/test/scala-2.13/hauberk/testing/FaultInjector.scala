package hauberk.testing

import chisel3._
import chisel3.util._

/** State of a design in its Verilog: a memory, or a register of one row.
  *
  * @param path from the module that holds the [[FaultInjector]]
  */
case class FaultSite(path: String, rows: Int, bits: Int) {
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

  /** An injector in the module that is being made; its port. */
  def apply(sites: Seq[FaultSite]): Valid[Flip] = {
    val flip = Wire(Valid(new Flip))
    val injector = Module(new FaultInjector(sites))
    injector.io.flip := flip
    flip
  }
}
