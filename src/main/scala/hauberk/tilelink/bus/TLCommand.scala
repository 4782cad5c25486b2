package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._

/** A TileLink message's fields but its data as the command of a bus message, and back.
  *
  * Whether any beat is corrupt is bit 0; then come the other fields by their names, side-band fields among them. The mask is that of one
  * beat: with more beats than one it is full, but for partial writes, of which each beat is a bus message of its own ([[apart]]). Both ends
  * of an edge must use the same type of message.
  */
private[tilelink] object TLCommand {
  private val elsewhere = Set("data", "corrupt")

  private def fields(message: Bundle): Seq[Data] = message.elements.toSeq.filterNot { case (name, field) =>
    elsewhere(name) || field.getWidth == 0
  }.sortBy(_._1).map(_._2)

  /** Each beat of this message has a mask of its own, and is sent by itself. */
  def apart(message: TLChannel): Bool = message match {
    case a: TLBundleA => a.opcode === TLMessages.PutPartialData
    case b: TLBundleB => b.opcode === TLMessages.PutPartialData
    case _ => false.B
  }

  def width(message: Bundle): Int = 1 + fields(message).map(_.getWidth).sum

  def pack(message: Bundle, corrupt: Bool): UInt = Cat(fields(message).map(_.asUInt) :+ corrupt)

  /** Drives all fields of `message` but the data. */
  def unpack(command: UInt, message: Bundle): Unit = {
    fields(message).foldRight(1) { (field, low) =>
      val high = low + field.getWidth
      field := command(high - 1, low).asTypeOf(field)
      high
    }
    message.elements.get("corrupt").foreach(_ := command(0))
  }
}
