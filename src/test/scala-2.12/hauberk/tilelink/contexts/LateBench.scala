package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.{AddressSet, IdRange, TransferSizes}
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.TLScript
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A cache of two misses, one after the other, that acknowledges the second grant when the first line is on its way back, as BOOM's does.
  *
  * @param pages of which it wants the first two lines, for each scenario
  */
private class TLLateCache(pages: Seq[BigInt])(implicit p: Parameters) extends LazyModule {
  private val lineBytes = 64
  val node = TLClientNode(Seq(TLClientPortParameters(Seq(
    TLClientParameters(name = "late", sourceId = IdRange(0, 2), supportsProbe = TransferSizes(lineBytes, lineBytes))
  ))))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val open = IO(Input(Bool()))
    val finished = IO(Output(Bool()))
    private val (out, edge) = node.out.head
    private val page = VecInit(pages.map(_.U(edge.bundle.addressBits.W)))(select)
    private val lgSize = log2Ceil(lineBytes).U
    private val steps = Enum(9)
    private val List(asks, waits, acknowledges, asksAgain, waitsAgain, releases, acknowledgesLate, waitsForAck, done) =
      steps
    private val step = RegInit(asks)
    private def next(): Unit = step := step + 1.U
    finished := step === done

    out.a.valid := open && (step === asks || step === asksAgain)
    out.a.bits := edge.AcquireBlock(0.U, Mux(step === asks, page, page + lineBytes.U), lgSize, TLPermissions.NtoT)._2
    when(out.a.valid && out.a.ready) { next() }
    private val (_, lastAnswered, _) = edge.firstlast(out.d)
    private val sink = Reg(UInt(edge.bundle.sinkBits.W))
    private val released = RegInit(false.B)
    out.d.ready := true.B
    when(out.d.valid && lastAnswered) {
      when(out.d.bits.opcode === TLMessages.ReleaseAck) { released := true.B }.otherwise {
        assert(step === waits || step === waitsAgain, "late cache: a grant too many")
        sink := out.d.bits.sink
        next()
      }
    }
    out.e.valid := step === acknowledges || step === acknowledgesLate
    out.e.bits := edge.GrantAck(sink)
    when(out.e.valid && out.e.ready) { next() }
    private val (_, lastReleased, _) = edge.firstlast(out.c)
    out.c.valid := step === releases
    out.c.bits := edge.Release(1.U, page, lgSize, TLPermissions.TtoN, 0.U)._2
    when(out.c.valid && out.c.ready && lastReleased) { next() }
    when(step === waitsForAck && released) { next() }
    out.b.ready := true.B
  }
}

/** Such a cache, in SPID 0, in a page that is nobody's (scenario 0) and in one of context 1. */
class LateBench(implicit p: Parameters) extends LazyModule {
  import GuardBench._
  private val lineBytes = 64
  private val guards = LazyModule(new TLContextGuards(ContextGuardParams(contexts = 3, owners = 2), memory, 8))
  private val others = LazyModule(new TLMasterGuard(guards.shape, memory))
  others.connect(guards)
  private val script = LazyModule(new TLScript(give(shared, 1)))
  private val cache = LazyModule(new TLLateCache(Seq(public, shared)))
  private val bus = LazyModule(new TLXbar)
  private val ram = LazyModule(new TLRAM(AddressSet(memory.base, memory.bytes - 1), beatBytes = 8))
  bus.node := guards.port() := script.node
  bus.node := TLBuffer() := guards.port() := TLBuffer() := cache.node
  guards.controlNode := TLFragmenter(8, lineBytes) := bus.node
  ram.node := TLFragmenter(8, lineBytes) := TLBuffer() := TLBroadcast(lineBytes, 2) := others.node := bus.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    provide(guards.module.pins)
    script.module.select := 0.U
    cache.module.select := select
    cache.module.open := script.module.finished
    finished := cache.module.finished
  }
}
