package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common.UncachedPort
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Whether data that the cores have read may leave the chip. */
class ExportState extends Bundle {

  /** Something in use is not verified yet. */
  val unverified = Bool()

  /** A check of the log of accesses is under way. */
  val checking = Bool()

  /** Verification failed, or the protector halted: no more exports until reset. */
  val forbidden = Bool()
}

/** The settling time of exports, in cycles. */
object ExportState {

  /** Cycles for which exports still wait when nothing is pending any more, so that a failure shows before they go on. */
  val settling = 4

  /** The signal now or in one of the last `settling` cycles. */
  def lately(signal: Bool): Bool = Seq.iterate(signal, settling + 1)(RegNext(_, false.B)).reduce(_ || _)
}

/** Stands before a device that exports out of the chip, so that nothing computed from unverified memory gets out: speculative use of
  * AEGIS section 5, where operations that must wait wait.
  *
  * Writes wait while something is unverified, and are denied without reaching the device once exports are forbidden, so that no core
  * hangs. Reads pass. Adds no cycle. For devices whose accesses are of one beat.
  *
  * @param logged accesses are logged, and verified by checks of the log alone: a write that has to wait asks for a check, and goes on when a
  *               check that began after it came has ended well, whatever was read meanwhile
  */
class TLExportGate(logged: Boolean)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode(managerFn =
    port =>
      port.v1copy(
        managers = port.managers.map(_.v1copy(mayDenyPut = true)),
        endSinkId = port.endSinkId,
        minLatency = math.min(port.minLatency, 1)
      )
  )

  lazy val module = new Impl

  /** Holds writes in front of the device while exports are unverified, and denies them once exports are forbidden. Reads pass. */
  class Impl extends LazyModuleImp(this) {
    val exports = IO(Input(new ExportState))

    /** Please check the log, for one cycle. */
    val check = IO(Output(Bool()))
    private val pending = ExportState.lately(exports.unverified)
    private val checking = ExportState.lately(exports.checking)

    private val checks = node.in.zip(node.out).map { case ((in, edgeIn), (out, _)) =>
      require(
        edgeIn.maxTransfer <= edgeIn.manager.beatBytes,
        s"an export gate passes single beats, not transfers of ${edgeIn.maxTransfer} bytes: put it behind a TLFragmenter"
      )
      val writes = in.a.bits.opcode =/= TLMessages.Get
      val refused = writes && exports.forbidden

      // A check for the write at the gate: asked for, begun, and ended well
      val asked, begun, cleared = RegInit(false.B)
      val waits = writes && pending && !exports.forbidden && !cleared
      val asks = logged.B && in.a.valid && waits && !asked
      when(asks) { asked := true.B }
      when(asked && exports.checking) { begun := true.B }
      when(begun && !checking) { cleared := true.B }
      when(in.a.valid && in.a.ready && writes) {
        asked := false.B
        begun := false.B
        cleared := false.B
      }

      val refusals = Module(new Queue(new TLBundleD(edgeIn.bundle), 1, pipe = false, flow = false))
      refusals.io.enq.valid := in.a.valid && refused
      refusals.io.enq.bits := edgeIn.AccessAck(in.a.bits.source, in.a.bits.size, true.B)
      out.a.valid := in.a.valid && !refused && !waits
      out.a.bits := in.a.bits
      in.a.ready := Mux(refused, refusals.io.enq.ready, out.a.ready && !waits)

      val answers = Wire(Decoupled(new TLBundleD(edgeIn.bundle)))
      answers.valid := out.d.valid
      answers.bits := out.d.bits
      out.d.ready := answers.ready
      TLArbiter.robin(edgeIn, in.d, answers, refusals.io.deq)

      UncachedPort.tieOff(in, out)
      asks
    }
    check := checks.reduce(_ || _)
  }
}
