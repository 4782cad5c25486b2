package hauberk.memory.engine

import chisel3._
import hauberk.memory.common.Geometry

/** In the place of a [[Reencryptor]] where nothing is ever re-encrypted or touched: wires. */
class NoReencryptor(p: Geometry) extends Module {
  val io = IO(new ReencryptorIO(p))
  io.core.request.valid := io.client.request.valid
  io.core.request.bits := io.client.request.bits
  io.client.request.ready := io.core.request.ready
  io.client.response <> io.core.response
  io.reencrypt.ready := false.B
  io.reencrypted := false.B
  io.lost.valid := false.B
  io.lost.bits := 0.U
  io.touch.ready := false.B
  io.touched := false.B
}
