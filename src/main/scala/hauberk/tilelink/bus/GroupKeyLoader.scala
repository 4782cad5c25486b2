package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.bus._
import hauberk.crypto.{KeyUnwrap, KeyWrite}

/** Takes a group's key for one member: unwraps it under the device key of that member (RFC 3394), and writes it into its table.
  *
  * A start that comes while it is busy is ignored. Nothing of the key stays behind.
  */
class GroupKeyLoader(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val deviceKey = Input(UInt(128.W))
    val keyValid = Input(Bool())
    val wrapped = Input(Vec(3, UInt(64.W)))

    /** Load a key for this group. */
    val start = Flipped(Valid(UInt(p.gidBits.W)))
    val busy = Output(Bool())

    /** The last words were not a key wrapped under this member's device key. */
    val failed = Output(Bool())
    val write = Valid(new KeyWrite(p.secure.groups, 128))
  })
  private val unwrapper = Module(new KeyUnwrap(datapath = p.secure.aesDatapath))
  private val group = RegInit(0.U(p.gidBits.W))
  private val starts = io.start.valid && !io.busy
  unwrapper.io.kek := io.deviceKey
  unwrapper.io.kekValid := io.keyValid
  unwrapper.io.wrapped := io.wrapped
  unwrapper.io.start := starts
  when(starts) { group := io.start.bits }
  io.busy := unwrapper.io.busy
  io.failed := unwrapper.io.failed
  io.write.valid := unwrapper.io.key.valid
  io.write.bits.slot := group
  io.write.bits.word := unwrapper.io.key.bits.word
  io.write.bits.data := unwrapper.io.key.bits.data
}
