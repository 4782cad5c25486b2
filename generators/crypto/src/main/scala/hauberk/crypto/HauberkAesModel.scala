package hauberk.crypto

import chisel3._
import chisel3.util._

/** AES of a block by a C++ function, for simulators alone: Verilog for synthesis does not have it ([[AesDatapath.Model]]). Combinational.
  *
  * The function is called while `enable` is high, and `result` is zero while it is low. `key` holds `keyBits` bits at its low end: the cipher key, or
  * the decryption start of [[KeySchedule]] if `decrypt`.
  */
private[crypto] class HauberkAesModel extends BlackBox with HasBlackBoxResource {
  val io = IO(new Bundle {
    val enable = Input(Bool())
    val keyBits = Input(UInt(9.W))
    val decrypt = Input(Bool())
    val key = Input(UInt(256.W))
    val block = Input(UInt(128.W))
    val result = Output(UInt(128.W))
  })
  addResource("/vsrc/HauberkAesModel.v")
  addResource("/csrc/HauberkAesModel.cc")
}
