package hauberk.tilelink.instruction

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.TransferSizes
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.fault.FaultChecks
import hauberk.instruction._
import hauberk.tilelink.common._
import hauberk.tilelink.protector.AttachMemoryProtector
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Inputs of the key unit from the edge of the chip. */
class InstructionDecryptionPins extends Bundle {

  /** The processor's, from its fuses. */
  val secret = Input(UInt(128.W))
  val secretValid = Input(Bool())

  /** The user's token. */
  val token = new TokenPort

  /** A secret that is none, and a token with it that is always there. */
  def useTestKeys(source: Provisioning.TestKeys): Unit = {
    val (processor, user) = (source.key(Provisioning.processorSecret), source.key(Provisioning.tokenSecret))
    secret := processor.U
    secretValid := true.B
    token.present := true.B
    token.answer.valid := token.ask
    token.answer.bits.secret := user.U
    token.answer.bits.check := ReferenceSeal.tokenCheck(processor, user).U
  }
}

/** The same, from the edge of the chip ([[Provisioning.Punchthrough]]). */
class InstructionChipPins(implicit p: Parameters) extends ChipPins(() => new InstructionDecryptionPins)

/** Encryption management units (Mahar et al., SecSoft EMU) at the master ports of tiles, one for every instruction cache, and the one key unit and
  * control registers of them all ([[InstructionRegisters]]).
  *
  * A fetch of a mapped page comes to the instruction cache in plaintext; a load of it sees ciphertext. May deny reads: of pages that are mapped, and
  * must not be fetched now ([[TableUnit]]).
  *
  * @param lineBytes most data of a fetch
  * @param beatBytes width in bytes of the bus of the control registers
  */
class TLInstructionDecryption(val params: InstructionDecryptionParams, lineBytes: Int, beatBytes: Int)(implicit
    p: Parameters
) extends AtTilePorts("instruction-decryption", params.address, beatBytes) {

  private var emptied: Seq[BundleBridgeSink[Bool]] = Nil

  /** By tile: its instruction cache becomes empty with the end of this cycle. */
  def flushes: Seq[BundleBridgeSink[Bool]] = emptied

  override def port(): TLNode = {
    this {
      val flushed = BundleBridgeSink[Bool]()
      emptied = emptied :+ flushed
    }
    super.port()
  }

  protected def seen(manager: TLManagerParameters): TLManagerParameters = manager.v1copy(
    mayDenyGet = manager.mayDenyGet || manager.supportsGet,
    supportsGet = manager.supportsGet.intersect(TransferSizes(1, lineBytes))
  )

  lazy val module = new Impl

  /** A filter for each instruction cache, and one key unit and register map for all. */
  class Impl extends LazyModuleImp(this) {
    require(
      tiles > 0,
      "no tile has its instructions decrypted: leave WithInstructionDecryption out, or put it left of what makes tiles"
    )
    val pins = IO(new InstructionDecryptionPins)

    private val filters = ports.zipWithIndex.flatMap { case (node, tile) =>
      val here = node.in.zip(node.out).flatMap { case ((in, inEdge), (out, outEdge)) =>
        TLInstructionDecryption.connect(params, AttachMemoryProtector.faults(p), lineBytes, in, inEdge, out, outEdge)
      }
      require(
        here.nonEmpty,
        s"tile $tile has no instruction cache that can be told from what else is at its port: this is for Rocket tiles with an instruction cache"
      )
      here.foreach(_.io.flushed := emptied(tile).bundle)
      here
    }
    private val shape = filters.head.p
    require(
      filters.forall(_.p.addressBits == shape.addressBits),
      "tiles that see addresses of different widths would have different tables of pages: attach them all to one bus"
    )
    private val pageTable = Module(new PageTableControl(shape, filters.size))
    private val keyTable = Module(new KeyTableControl(shape))
    private val keyUnit = Module(new KeyUnit(shape))
    pageTable.io.errors := VecInit(filters.map(_.io.commands.error))
    for (filter <- filters) {
      filter.io.commands.mapping := pageTable.io.mapping
      filter.io.commands.key := keyTable.io.key
      filter.io.commands.zeroize := keyTable.io.zeroize
    }
    keyTable.io.usable := VecInit((0 until shape.keySlots).map(i =>
      filters.map(_.io.commands.usable(i)).reduce(_ && _)
    ))
    keyTable.io.commit := keyUnit.io.commit
    keyUnit.io.commitError := keyTable.io.error
    keyUnit.io.secret := pins.secret
    keyUnit.io.secretValid := pins.secretValid
    pins.token <> keyUnit.io.token

    private val state = Wire(new InstructionState(filters.size))
    state.mappingError := pageTable.io.error
    state.keyError := keyUnit.io.error
    state.keyBusy := keyUnit.io.busy || keyTable.io.busy
    state.stale := VecInit(filters.map(_.io.stale)).asUInt
    private val asked = Wire(Valid(new KeyRequest))
    keyUnit.io.request.valid := asked.valid && !state.keyBusy
    keyUnit.io.request.bits := asked.bits
    controlNode.regmap(InstructionRegisters(shape, state, pageTable.io.write, asked): _*)
  }
}

/** Connects an edge, through a filter or unchanged. */
private[tilelink] object TLInstructionDecryption {

  /** Joins both sides of an edge, through a filter if an instruction cache fetches over it. */
  private def connect(
      params: InstructionDecryptionParams,
      faults: FaultChecks,
      lineBytes: Int,
      in: TLBundle,
      inEdge: TLEdgeIn,
      out: TLBundle,
      outEdge: TLEdgeOut
  ): Option[FetchFilter] = {
    val caches = inEdge.client.clients.filter(InstructionCaches.is)
    if (UncachedPort.is(inEdge)) UncachedPort.tieOff(in, out)
    else {
      Join(in.b, out.b)
      Join(out.c, in.c)
      Join(out.e, in.e)
    }
    if (caches.isEmpty) {
      Join(out.a, in.a)
      Join(in.d, out.d)
      None
    } else {
      require(
        !inEdge.client.wantsEcho,
        "an instruction cache's requests carry fields that must be handed back, which a fetch that is buffered cannot: leave out what adds them"
      )
      val shape = EmuParams(
        params.mode,
        params.pages,
        params.keySlots,
        inEdge.bundle.addressBits,
        lineBytes,
        inEdge.manager.beatBytes,
        caches.map(_.sourceId.size).sum,
        params.extraLatency,
        params.aesDatapath,
        faults
      )
      val filter = Module(new FetchFilter(shape, inEdge, outEdge, caches.map(_.sourceId)))
      Join(filter.io.tileA, in.a)
      Join(in.d, filter.io.tileD)
      Join(out.a, filter.io.busA)
      Join(filter.io.busD, out.d)
      Some(filter)
    }
  }
}
