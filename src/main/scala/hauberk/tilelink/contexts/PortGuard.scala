package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.contexts._
import hauberk.tilelink.common.{Join, TLDenier, UncachedPort}

/** The channels of an edge that a guard looks at: all but the probes. */
private[contexts] class GuardedChannels(val shape: TLBundleParameters) extends Bundle {
  val a = Decoupled(new TLBundleA(shape))
  val c = Decoupled(new TLBundleC(shape))
  val d = Flipped(Decoupled(new TLBundleD(shape)))
  val e = Decoupled(new TLBundleE(shape))
}

/** Lets one edge access only pages of memory that its principal may access (AEGIS section 3). Adds no cycle to an access of a page whose owner it knows
  * ([[OwnerCache]]), nor to one outside memory.
  *
  *   - Uncached requests for other pages are denied.
  *   - A cache that acquires a line of another page gets ones, and what it releases of it, or hands out when it is probed, goes no further ([[AbortPage]]).
  *
  * So what is in the cache when the principal changes must be written back before.
  *
  * @param masters identifiers of the masters that are checked: others pass
  * @param caches  some of them cache memory
  * @param memory  the memory whose pages have owners
  * @param sink    identifier of its own grants
  */
private[contexts] class PortGuard(
    p: ContextParams,
    edge: TLEdgeIn,
    out: TLEdgeOut,
    masters: Seq[IdRange],
    caches: Boolean,
    memory: OwnedMemory,
    sink: Int
) extends Module {
  val io = IO(new Bundle {
    val principal = Input(new Principal(p))

    /** No request of the checked masters may begin. */
    val holds = Input(Bool())

    /** They may access none of this memory. */
    val closed = Input(Bool())

    /** No request of theirs is under way. */
    val quiet = Output(Bool())
    val denial = Valid(new Denial)
    val requestOwner, releaseOwner = new OwnerLookup(p)
    val changed = Input(Bool())
    val master = Flipped(new GuardedChannels(edge.bundle))
    val bus = new GuardedChannels(out.bundle)
  })
  private def fires[T <: Data](port: DecoupledIO[T]): Bool = port.valid && port.ready
  private def isMasters(source: UInt): Bool = masters.map(_.contains(source)).foldLeft(false.B)(_ || _)
  private def isChecked(source: UInt, address: UInt): Bool = isMasters(source) && memory.contains(address)

  /** Whether what is at a channel may go on, and is known to: of a burst, its first beat decides. */
  private class Verdict(asks: Bool, first: Bool, goes: => Bool, checked: Bool, address: UInt, table: OwnerLookup) {
    private val owners = Module(new OwnerCache(p))
    owners.io.page.valid := asks && first && checked
    owners.io.page.bits := memory.pageOf(address)
    owners.io.changed := io.changed
    table <> owners.io.table
    private val held = Reg(Bool())
    val known: Bool = !first || !checked || owners.io.known
    val denied: Bool = Mux(first, checked && (io.closed || !io.principal.mayAccess(owners.io.owner)), held)
    def hold(): Unit = when(goes) { held := denied }
  }

  // Requests
  private val a = io.master.a
  private val (aFirst, _, _) = edge.firstlast(a)
  private val request =
    new Verdict(a.valid, aFirst, fires(a), isChecked(a.bits.source, a.bits.address), a.bits.address, io.requestOwner)
  request.hold()
  private val proceeds = request.known && !(aFirst && io.holds && isMasters(a.bits.source))
  private val acquires = caches.B &&
    (a.bits.opcode === TLMessages.AcquireBlock || a.bits.opcode === TLMessages.AcquirePerm)
  private val denier = Module(new TLDenier(edge))
  private val abort = Module(new AbortPage(edge, sink))
  private val refused = a.valid && proceeds && request.denied
  io.bus.a.valid := a.valid && proceeds && !request.denied
  io.bus.a.bits := a.bits
  denier.io.request.valid := refused && !acquires
  denier.io.request.bits := a.bits
  abort.io.acquire.valid := refused && acquires
  abort.io.acquire.bits := a.bits
  a.ready := proceeds &&
    Mux(request.denied, Mux(acquires, abort.io.acquire.ready, denier.io.request.ready), io.bus.a.ready)

  // What leaves the cache
  private val c = io.master.c
  private val (cFirst, _, _) = edge.firstlast(c)
  private val probed = c.bits.opcode === TLMessages.ProbeAck || c.bits.opcode === TLMessages.ProbeAckData
  private val leaves = caches.B && isChecked(c.bits.source, c.bits.address) && c.bits.opcode =/= TLMessages.ProbeAck
  private val release = new Verdict(c.valid, cFirst, fires(c), leaves, c.bits.address, io.releaseOwner)
  release.hold()
  private val vanishes = release.denied && !probed
  // Of data that must not be handed out, the first beat says so without them, and the others are none
  private val silent = release.denied && probed && !cFirst
  io.bus.c.valid := c.valid && release.known && !vanishes && !silent
  io.bus.c.bits := c.bits
  when(release.denied && probed) {
    io.bus.c.bits.opcode := TLMessages.ProbeAck
    io.bus.c.bits.data := 0.U
    io.bus.c.bits.corrupt := false.B
  }
  abort.io.release.valid := c.valid && release.known && vanishes
  abort.io.release.bits := c.bits
  c.ready := release.known && Mux(vanishes, abort.io.release.ready, silent || io.bus.c.ready)

  // Answers
  private val answers = Wire(Decoupled(new TLBundleD(edge.bundle)))
  Join(answers, io.bus.d)
  TLArbiter.robin(edge, io.master.d, answers, denier.io.answer, abort.io.answer)
  private val e = io.master.e
  private val own = e.bits.sink === sink.U
  abort.io.acknowledged := e.valid && own
  io.bus.e.valid := e.valid && !own
  io.bus.e.bits := e.bits
  e.ready := own || io.bus.e.ready

  // A source may ask again when the first beat of its answer is there
  private val underWay = RegInit(0.U(log2Ceil(2 * edge.client.endSourceId + 1).W))
  private val d = io.master.d
  private val (_, dLast, _) = edge.firstlast(d)
  private val begins = fires(a) && aFirst && isMasters(a.bits.source)
  private val ends = fires(d) && dLast && d.bits.opcode =/= TLMessages.ReleaseAck && isMasters(d.bits.source)
  underWay := underWay + begins - ends
  // Nor is a burst between its beats, whose answer may have come before its end
  io.quiet := underWay === 0.U && !begins && aFirst

  private val deniesRequest = fires(a) && aFirst && request.denied
  private val deniesRelease = fires(c) && cFirst && release.denied
  io.denial.valid := deniesRequest || deniesRelease
  io.denial.bits.address := Mux(deniesRequest, a.bits.address, c.bits.address)
  private val writes = a.bits.opcode =/= TLMessages.Get && a.bits.opcode =/= TLMessages.Hint &&
    !(acquires && a.bits.param === TLPermissions.NtoB)
  io.denial.bits.write := !deniesRequest || writes
}

/** Connects an edge through a guard. */
private[contexts] object PortGuard {

  /** Joins both sides of an edge.
    *
    * @param checks which masters are checked
    */
  def connect(p: ContextParams, memory: OwnedMemory, inner: (TLBundle, TLEdgeIn), outer: (TLBundle, TLEdgeOut))(
      checks: TLClientParameters => Boolean
  ): PortGuard = {
    val ((in, edgeIn), (out, edgeOut)) = (inner, outer)
    require(
      !edgeIn.client.wantsEcho,
      "requests carry fields that must be handed back, which a guard of secure contexts does not when it denies them: leave out what adds them"
    )
    val masters = edgeIn.client.clients.filter(checks)
    val caches = masters.exists(_.isCache)
    // OwnedMemory.above adds an identifier behind those of the managers
    val guard = Module(new PortGuard(
      p,
      edgeIn,
      edgeOut,
      masters.map(_.sourceId),
      caches,
      memory,
      sink = edgeOut.manager.endSinkId
    ))
    Join(guard.io.master.a, in.a)
    Join(out.a, guard.io.bus.a)
    Join(guard.io.bus.d, out.d)
    Join(in.d, guard.io.master.d)
    if (UncachedPort.is(edgeIn)) {
      UncachedPort.tieOff(in, out)
      Seq(guard.io.master.c, guard.io.master.e).foreach { channel =>
        channel.valid := false.B
        channel.bits := DontCare
      }
      Seq(guard.io.bus.c, guard.io.bus.e).foreach(_.ready := true.B)
    } else {
      Join(in.b, out.b)
      Join(guard.io.master.c, in.c)
      Join(out.c, guard.io.bus.c)
      Join(guard.io.master.e, in.e)
      Join(out.e, guard.io.bus.e)
    }
    guard
  }
}
