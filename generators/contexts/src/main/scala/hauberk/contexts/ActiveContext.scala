package hauberk.contexts

import chisel3._
import chisel3.util.Valid

/** Who makes an access: a context by its SPID, or SPID 0, which is no context; or the microcode, which may access every page. */
class Principal(val p: ContextParams) extends Bundle {
  val spid = UInt(p.spidBits.W)
  val microcode = Bool()

  /** Whether it may access a page of this owner, as it is [[ContextParams.kept kept]]: nobody's (0), or its own. */
  def mayAccess(owner: UInt): Bool = microcode || owner === 0.U || owner === p.kept(spid)
}

/** The principal of a hart. A new one becomes active when no request of the hart's tile is under way; until then the tile begins none. So no answer to the
  * old one comes when the new one is active. After reset, it is SPID 0.
  */
class ActiveContext(val p: ContextParams) extends Module {
  val io = IO(new Bundle {
    val change = Flipped(Valid(new Principal(p)))

    /** No request of the tile is under way. */
    val quiet = Input(Bool())
    val active = Output(new Principal(p))

    /** The tile must begin no request. */
    val changing = Output(Bool())
  })
  private val active, next = RegInit(0.U.asTypeOf(new Principal(p)))
  private val changing = RegInit(false.B)
  when(changing && io.quiet) {
    active := next
    changing := false.B
  }
  when(io.change.valid) {
    next := io.change.bits
    changing := true.B
  }
  io.active := active
  io.changing := changing
}
