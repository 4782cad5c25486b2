package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto.{KeyTable, KeyWrite}

/** Keys on their way to the ciphers of modifiers, and which slots have one. */
class ModifierKeys(val p: EmuParams) extends Bundle {
  val write = Input(Valid(new KeyWrite(p.keySlots, 128)))
  val zeroize = Input(Valid(UInt(KeyTable.slotBits(p.keySlots).W)))
  val usable = Output(Vec(p.keySlots, Bool()))
}

/** Ports of a [[Modifier]]. */
class ModifierIO(val p: EmuParams) extends Bundle {
  val processor = Flipped(new FetchPort(p))
  val memory = new FetchPort(p)
  val search = new PageSearch(p)
  val keys = new ModifierKeys(p)

  /** Changes in this cycle: fetches in flight that they concern are denied. */
  val changed = Input(new TableChange(p))
}

/** A link of the bridge's chain (section III-A): passes fetches on from the processor's side to memory's, and changes what comes back. The two
  * sides are alike, so links can be put into any order. Beats of pages that are not encrypted pass in the cycle they come; a page that
  * is refused is fetched, and denied to the processor with no data.
  */
abstract class Modifier(val p: EmuParams) extends Module {
  val io = IO(new ModifierIO(p))
}

/** Default handling of fetches by a modifier, and the state of a fetch in flight. */
private[instruction] object Modifier {

  /** Searches for the page and passes the request on, unless `waits`; whether it goes. */
  def request(io: ModifierIO, waits: Bool): Bool = {
    io.search.page := io.processor.request.bits.page
    io.memory.request.valid := io.processor.request.valid && !waits
    io.memory.request.bits := io.processor.request.bits
    io.processor.request.ready := io.memory.request.ready && !waits
    io.processor.request.valid && io.processor.request.ready
  }
}
