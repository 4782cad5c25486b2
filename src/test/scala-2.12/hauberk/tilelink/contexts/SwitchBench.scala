package hauberk.tilelink.contexts

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common._
import hauberk.tilelink.exports.TLRegister
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Shows whether any message is on its way, and denials among the answers. */
private class TLTraffic(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val requests, answers, denied = IO(Output(Bool()))
    private val ((in, _), (out, _)) = (node.in.head, node.out.head)
    out <> in
    requests := in.a.valid
    answers := in.d.valid
    denied := in.d.bits.denied
  }
}

/** A tile makes random accesses of a page of context 1, while another tile makes its accesses those of context 1, and of context 2, in turn. Each answer
  * is what the context of its moment may have.
  *
  * A master without a guard of its own makes random accesses of a page that gets an owner and loses it in turn. As long as it has one, nothing of the
  * master is on its way to memory, or back.
  */
class SwitchBench(turns: Int)(implicit p: Parameters) extends LazyModule {
  import GuardBench._
  private val lineBytes = 64
  private val guards = LazyModule(new TLContextGuards(ContextGuardParams(contexts = 3, owners = 2), memory, 8))
  private val others = LazyModule(new TLMasterGuard(guards.shape, memory))
  others.connect(guards)

  /** While the page has an owner, a register of the device says so. */
  private def inTurn(owned: Int) = activate(1, 1 + owned) ++
    (if (owned == 1) give(private1, 3) else releasePage(private1, 3)) ++
    Seq(1, 0).take(2 * owned).flatMap(value =>
      Access.write(device + 8, value) +: Seq.fill(8)(Access.read(device + 8, value))
    )
  private val script =
    LazyModule(new TLScript((openToOthers +: give(shared, 1)) ++ (0 until turns).flatMap(turn => inTurn(turn % 2))))
  private def page(first: BigInt) = Some(AddressSet(first, 0xfff))
  private val tile = LazyModule(new TLFuzzer(40 * turns, inFlight = 4, overrideAddress = page(shared)))
  private val master = LazyModule(new TLFuzzer(40 * turns, inFlight = 4, overrideAddress = page(private1)))
  private val atTile, atMaster, atMemory = LazyModule(new TLTraffic)
  private val bus = LazyModule(new TLXbar)
  private val home = LazyModule(new TLXbar)
  private val ram = LazyModule(new TLRAM(AddressSet(memory.base, memory.bytes - 1), beatBytes = 8))
  private val flag = LazyModule(new TLRegister(device))
  bus.node := guards.port() := script.node
  bus.node := TLDelayer(0.2) := guards.port() := atTile.node := tile.node
  guards.controlNode := TLFragmenter(8, lineBytes) := bus.node
  flag.node := TLFragmenter(8, lineBytes) := bus.node
  home.node := bus.node
  home.node := atMemory.node := TLDelayer(0.2) := others.node := atMaster.node := master.node
  ram.node := TLFragmenter(8, lineBytes) := TLDelayer(0.2) := home.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    provide(guards.module.pins)
    script.module.select := 0.U
    finished := script.module.finished && tile.module.io.finished && master.module.io.finished
    private val passed, stopped = RegInit(0.U(32.W))
    private val begun = RegInit(false.B)
    when(guards.module.principals(1).spid =/= 0.U) { begun := true.B }
    private val t = atTile.module
    assert(
      !begun || !t.answers || t.denied === (guards.module.principals(1).spid =/= 1.U),
      "an answer for another context"
    )
    passed := passed + (begun && t.answers && !t.denied)
    stopped := stopped + (begun && t.answers && t.denied)
    assert(!finished || (passed > 100.U && stopped > 100.U), "nothing was tried")

    private val owned = RegInit(false.B)
    when(flag.module.writes) { owned := !owned }
    private val m = atMemory.module
    assert(!owned || !(m.requests || m.answers), "a master is on its way to a page of a context")
    private val denials = RegInit(0.U(32.W))
    denials := denials + (owned && atMaster.module.answers && atMaster.module.denied)
    assert(!finished || denials > 20.U, "no master was denied")
  }
}
