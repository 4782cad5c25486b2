package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.contexts._
import hauberk.tilelink.common._
import hauberk.tilelink.exports.Destinations
import hauberk.tilelink.protector.{PageOwnerAnswers, PageOwnerQuestions, TLMemoryProtector}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Guards at the master ports of tiles, one for each edge, and the one table of pages' owners and control registers of them all ([[ContextRegisters]]).
  * A tile accesses memory for its [[hauberk.contexts.Principal]]: what that may not access, it does not get ([[PortGuard]]).
  *
  * Tied to a [[TLMasterGuard]] before the coherence manager, which checks all other masters. A page changes its owner when none of these has a request under
  * way. Of the tiles, software sees to that: whoever changes an owner has stopped all other tiles, and written their data caches back.
  *
  * @param memory      the memory whose pages have owners
  * @param beatBytes   width in bytes of the bus of the control registers
  * @param openAtReset other masters may access memory before microcode lets them
  */
class TLContextGuards(
    val params: ContextGuardParams,
    val memory: OwnedMemory,
    beatBytes: Int,
    openAtReset: Boolean = false
)(implicit p: Parameters)
    extends AtTilePorts("secure-contexts", params.address, beatBytes) {
  val shape: ContextParams = ContextGuardParams.shape(params, memory)
  private var remote = Option.empty[(BundleBridgeSink[GuardReport], BundleBridgeSource[GuardOrders])]

  /** Ties the guard of other masters to this.
    *
    * @param node that of the guard
    */
  private[contexts] def others(
      node: TLAdapterNode,
      report: BundleBridgeSource[GuardReport],
      orders: BundleBridgeSink[GuardOrders]
  ): Unit = this {
    val reported = BundleBridgeSink[GuardReport]()
    val ordered = BundleBridgeSource(() => new GuardOrders(shape, node.edges.in.size))
    reported := report
    orders := ordered
    remote = Some((reported, ordered))
  }

  private var engines = Option.empty[(BundleBridgeSink[PageOwnerQuestions], BundleBridgeSource[PageOwnerAnswers])]

  /** Tells a memory protector which pages have an owner, if it asks. */
  private[contexts] def answer(protector: TLMemoryProtector): Unit = if (protector.asksOwners)
    protector.askOwners { (count, questions, answers) =>
      this {
        val asked = BundleBridgeSink[PageOwnerQuestions]()
        val answered = BundleBridgeSource(() => new PageOwnerAnswers(count()))
        asked := questions
        answers := answered
        engines = Some((asked, answered))
      }
    }

  /** A master passes one of these guards. */
  def guard(client: TLClientParameters): Boolean = client.nodePath.exists(_.lazyModule == this)

  protected def seen(manager: TLManagerParameters): TLManagerParameters = memory.seen(manager)
  override protected def above(port: TLManagerPortParameters): TLManagerPortParameters = memory.above(port)

  /** A random word leaves its source when it is read. And what reads the secret must be verified: what it does with it, its addresses already tell. */
  override def shown: Seq[AddressSet] =
    (ContextMap.random +: ContextMap.secret).map(register => AddressSet(params.address + register.offset, 7))

  lazy val module = new Impl

  /** A guard for each edge of a tile, and one table and register map for all. */
  class Impl extends LazyModuleImp(this) {
    require(tiles > 0, TLContextGuards.noTile)
    require(
      !ports.flatMap(_.out).exists(_._2.manager.managers.exists(Destinations.isDebugger)),
      CoreFeature.Debugger.refusal("WithContextGuard")
    )

    val pins = IO(new ContextPins)

    /** For whom each tile makes its accesses. */
    val principals = IO(Output(Vec(tiles, new Principal(shape))))
    private val actives = ports.map(_ => Module(new ActiveContext(shape)))
    principals := VecInit(actives.map(_.io.active))
    private val guards = ports.zip(actives).zipWithIndex.flatMap { case ((node, active), tile) =>
      val here = node.in.zip(node.out).map { case (in, out) =>
        val guard = PortGuard.connect(shape, memory, in, out)(_ => true)
        guard.io.principal := active.io.active
        guard.io.holds := active.io.changing
        guard.io.closed := false.B
        guard
      }
      active.io.quiet := here.map(_.io.quiet).reduce(_ && _)
      here.map(tile -> _)
    }
    private val lookups = guards.flatMap { case (_, guard) => Seq(guard.io.requestOwner, guard.io.releaseOwner) }
    private val others = remote.map { case (report, orders) => (report.bundle, orders.bundle) }
    private val otherGuards = others.fold(0)(_._1.guards)

    // Of engines, each of which asks for a page that it reads
    private val asked = engines.map { case (questions, answers) => (questions.bundle, answers.bundle) }
    private val caches = Seq.fill(asked.fold(0)(_._1.engines))(Module(new OwnerCache(shape)))

    private val table = Module(new PageOwners(shape, lookups.size + 2 * otherGuards + caches.size + 1))
    private val changed = table.io.change.valid && table.io.change.ready
    table.io.lookup.zip(lookups).foreach { case (at, lookup) => at <> lookup }
    guards.foreach(_._2.io.changed := changed)

    /** Other masters may access memory: until reset. */
    private val open = RegInit(openAtReset.B)
    private val opens = Wire(Valid(UInt(64.W)))
    when(opens.valid && ContextMap.open.of(opens.bits) =/= 0.U) { open := true.B }

    for {
      (questions, answers) <- asked
      (cache, i) <- caches.zipWithIndex
    } {
      val address = questions.addresses(i)
      val inside = memory.contains(address.bits)
      cache.io.page.valid := address.valid && inside
      cache.io.page.bits := memory.pageOf(address.bits)
      cache.io.changed := changed
      table.io.lookup(lookups.size + 2 * otherGuards + i) <> cache.io.table
      answers.known(i) := !inside || cache.io.known
      // What runs before others may access memory is the microcode, and what brings it
      answers.owned(i) := inside && (cache.io.owner =/= 0.U || !open)
    }

    private val usable = memory.usable(ports.head.out.head._2.manager)
    private val owner = Module(new OwnerControl(shape, memory, usable))

    private val log = Module(new DenialLog(guards.size + otherGuards))
    for (((tile, guard), i) <- guards.zipWithIndex) {
      log.io.denials(i) := guard.io.denial
      log.io.spids(i) := actives(tile).io.active.spid
    }
    for {
      (report, orders) <- others
      i <- 0 until otherGuards
    } {
      log.io.denials(guards.size + i) := report.denials(i)
      log.io.spids(guards.size + i) := 0.U
      for (port <- Seq(2 * i, 2 * i + 1)) {
        val at = table.io.lookup(lookups.size + port)
        at.page.valid := report.pages(port).valid
        at.page.bits := report.pages(port).bits
        orders.taken(port) := at.page.ready
        orders.owners(port) := at.owner
      }
      orders.changed := changed
      orders.holds := owner.io.busy
      orders.closed := !open
    }

    private val tileOf = VecInit(guards.map(_._1.U(8.W)) ++ Seq.fill(otherGuards)(ContextMap.otherMaster.U(8.W)))
    private val state = Wire(new ContextState(tiles))
    state.open := open
    state.denied := log.io.first.valid
    state.denial := Cat(
      log.io.first.bits.access.write,
      log.io.first.bits.spid,
      tileOf(log.io.first.bits.port)
    )
    state.denialAddress := log.io.first.bits.access.address
    state.denials := log.io.count
    for ((active, shown) <- actives.map(_.io).zip(state.active)) {
      shown.spid := active.active.spid
      shown.microcode := active.active.microcode
      shown.changing := active.changing
    }
    owner.io.quiet := others.fold(true.B)(_._1.quiet)
    table.io.change <> owner.io.change
    table.io.lookup.last <> owner.io.before
    controlNode.regmap(ContextRegisters(shape, state, owner, actives.map(_.io.change), log.io.clear, pins, opens): _*)
  }
}

private[contexts] object TLContextGuards {

  /** Why there can be no guard. */
  val noTile = "no tile's accesses are checked: leave WithContextGuard out, or put it left of what makes tiles"
}
