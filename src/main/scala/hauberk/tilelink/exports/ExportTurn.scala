package hauberk.tilelink.exports

import chisel3._

/** Says when what stands at a gate may leave: when nothing was unverified for [[ExportState.settling]] cycles, or when a check that began after it came has
  * ended well, whatever was read meanwhile.
  */
private[exports] class ExportTurn extends Module {
  val io = IO(new Bundle {
    val exports = Input(new ExportState)

    /** Something stands at the gate that must not leave unverified. */
    val stands = Input(Bool())

    /** It leaves: what stands there in the next cycle is something else. */
    val leaves = Input(Bool())
    val open = Output(Bool())

    /** Please verify what was read until now, for one cycle. */
    val check = Output(Bool())
  })
  private val pending = ExportState.lately(io.exports.unverified)
  private val checking = ExportState.lately(io.exports.checking)
  private val asked, begun, cleared = RegInit(false.B)
  io.open := !pending || cleared
  io.check := io.stands && !io.open && !io.exports.forbidden && !asked
  when(io.check) { asked := true.B }
  when(asked && io.exports.checking) { begun := true.B }
  when(begun && !checking) { cleared := true.B }
  when(io.leaves) { Seq(asked, begun, cleared).foreach(_ := false.B) }
}
