package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite

/** Commands of the control units to the encryption management unit of a processor. */
class EmuCommands(val p: EmuParams) extends Bundle {
  val mapping = Valid(new PageMapping(p))
  val error = Input(UInt(EmuError.width.W))
  val key = Valid(new KeyWrite(p.keySlots, 128))
  val zeroize = Valid(UInt(p.slotBits.W))
  val usable = Input(Vec(p.keySlots, Bool()))
}

/** The encryption management unit of one processor's instruction side (Mahar et al., section III): a bridge, which is a chain of modifiers, and the
  * table unit that they search. Between processor and memory; control units only write it.
  *
  * @param modifiers the chain, from the processor's side to memory's; the one of `p.mode` if left out
  */
class EncryptionManagementUnit(val p: EmuParams, modifiers: Option[Seq[EmuParams => Modifier]] = None) extends Module {
  val io = IO(new Bundle {
    val processor = Flipped(new FetchPort(p))
    val memory = new FetchPort(p)
    val commands = Flipped(new EmuCommands(p))

    /** The processor's instruction cache becomes empty with the end of this cycle; later is too late. */
    val flushed = Input(Bool())

    /** It must be, before anything of an encrypted page can be fetched. */
    val stale = Output(Bool())
  })
  private val chain = modifiers.getOrElse(Seq(EncryptionManagementUnit.modifier _)).map(make => Module(make(p)))
  require(chain.nonEmpty, "a bridge with no modifier: leave the encryption management unit out")
  private val tables = Module(new TableUnit(p, chain.size))
  private val usable = VecInit((0 until p.keySlots).map(i => chain.map(_.io.keys.usable(i)).reduce(_ && _)))

  private val ends = io.processor +: chain.map(_.io.memory)
  for ((modifier, above) <- chain.zip(ends)) { modifier.io.processor <> above }
  io.memory <> ends.last

  for ((modifier, search) <- chain.zip(tables.io.search)) {
    modifier.io.search <> search
    modifier.io.changed := tables.io.changed
    modifier.io.keys.write := io.commands.key
    modifier.io.keys.zeroize := io.commands.zeroize
  }
  tables.io.mapping := io.commands.mapping
  tables.io.rekeyed.valid := io.commands.zeroize.valid || io.commands.key.valid
  tables.io.rekeyed.bits := Mux(io.commands.zeroize.valid, io.commands.zeroize.bits, io.commands.key.bits.slot)
  tables.io.usable := usable
  tables.io.flushed := io.flushed
  io.stale := tables.io.stale
  io.commands.error := tables.io.error
  io.commands.usable := usable
}

/** Chooses the modifier's hardware by the mode. */
object EncryptionManagementUnit {

  /** The modifier of `p.mode`. */
  def modifier(p: EmuParams): Modifier = p.mode match {
    case DecryptionMode.Direct(cores) => new DirectModifier(p, cores)
    case DecryptionMode.Counter => new CounterModifier(p)
  }
}
