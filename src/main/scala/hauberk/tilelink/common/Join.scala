package hauberk.tilelink.common

import chisel3._
import chisel3.util._

/** Joins a channel's two ends field by field, because the two sides of an edge may name sizes and addresses with different numbers of bits. */
private[tilelink] object Join {
  def apply[T <: Data](sink: DecoupledIO[T], source: DecoupledIO[T]): Unit = {
    sink.valid := source.valid
    sink.bits := source.bits
    source.ready := sink.ready
  }
}
