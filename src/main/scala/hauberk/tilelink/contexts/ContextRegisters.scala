package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._
import hauberk.contexts._

/** For whom a tile makes its accesses, as the registers show it. */
private[contexts] class ActiveState extends Bundle {
  val spid = UInt(8.W)
  val microcode = Bool()
  val changing = Bool()
}

/** State that the registers show. */
private[contexts] class ContextState(val tiles: Int) extends Bundle {
  val open = Bool()
  val denied = Bool()

  /** Fields of [[ContextMap.denial]]. */
  val denial = UInt(17.W)
  val denialAddress = UInt(64.W)
  val denials = UInt(64.W)
  val active = Vec(tiles, new ActiveState)
}

/** The registers of [[TLContextGuards]], laid out by [[ContextMap]]. */
private[contexts] object ContextRegisters {
  import ContextMap._

  /** @param owners takes writes of the register of owners
    * @param active new principals, by tile
    * @param clears makes room for the next denial
    * @param pins   show the secret, and random words
    * @param opens  is what is written to open memory to other masters
    */
  def apply(
      p: ContextParams,
      state: ContextState,
      owners: OwnerControl,
      active: Seq[Valid[Principal]],
      clears: Bool,
      pins: ContextPins,
      opens: Valid[UInt]
  ): Seq[RegField.Map] = {
    val cleared = Wire(Valid(UInt(64.W)))
    clears := cleared.valid && cleared.bits(0)
    Seq(
      id.readConstant,
      geometry.readFields(contexts -> p.contexts, harts -> active.size, pageBits -> p.pageNumberBits),
      owner.rw(owners.io.shown, owners.io.written),
      status.read(state.denied),
      denial.read(state.denial),
      denialAddress.read(state.denialAddress),
      denials.read(state.denials),
      clear.write(cleared),
      others.rw(state.open, opens),
      identity.read(pins.secretValid),
      random.read(pins.entropy)
    ) ++ secret.zipWithIndex.map { case (word, i) =>
      word.read(Mux(pins.secretValid, pins.secret(64 * i + 63, 64 * i), 0.U))
    } ++ active.zip(state.active).zipWithIndex.map { case ((change, shown), number) =>
      val written = Wire(Valid(UInt(64.W)))
      val exists = activeSpid.of(written.bits) <= p.contexts.U
      val refused = RegInit(false.B)
      when(written.valid) { refused := !exists }
      change.valid := written.valid && exists
      change.bits.spid := activeSpid.of(written.bits)
      change.bits.microcode := activeMicrocode.of(written.bits)
      val word = Cat(shown.changing, refused, shown.microcode, shown.spid)
      tile.in(number)(ContextMap.active).rw(word, written)
    }
  }
}
