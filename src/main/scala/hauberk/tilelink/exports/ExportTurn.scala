package hauberk.tilelink.exports

import chisel3._

/** Says when what stands at a gate may leave: when nothing was unverified for [[ExportState.settling]] cycles. Where accesses are logged, they are
  * verified by checks of the log alone: what stands asks for a check, and may leave when a check that began after it came has ended well, whatever
  * was read meanwhile.
  *
  * @param logged accesses are logged
  */
private[exports] class ExportTurn(logged: Boolean) extends Module {
  val io = IO(new Bundle {
    val exports = Input(new ExportState)

    /** Something stands at the gate that must not leave unverified. */
    val stands = Input(Bool())

    /** It leaves: what stands there in the next cycle is something else. */
    val leaves = Input(Bool())
    val open = Output(Bool())

    /** Please check the log, for one cycle. */
    val check = Output(Bool())
  })
  private val pending = ExportState.lately(io.exports.unverified)
  private val checking = ExportState.lately(io.exports.checking)
  private val asked, begun, cleared = RegInit(false.B)
  io.open := !pending || cleared
  io.check := logged.B && io.stands && !io.open && !io.exports.forbidden && !asked
  when(io.check) { asked := true.B }
  when(asked && io.exports.checking) { begun := true.B }
  when(begun && !checking) { cleared := true.B }
  when(io.leaves) { Seq(asked, begun, cleared).foreach(_ := false.B) }
}
