package hauberk.tilelink.contexts

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common._
import hauberk.tilelink.protector.TLGate
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Checks what comes to memory while it watches. */
class TLWritten(forbidden: BigInt)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val watches = IO(Input(Bool()))
    private val ((in, edge), (out, _)) = (node.in.head, node.out.head)
    out <> in
    private val wrong = edge.hasData(in.a.bits) && in.a.bits.data(55, 0) === forbidden.U
    assert(!(watches && in.a.valid && wrong), "memory gets what nobody may write")
  }
}

/** Addresses of a [[GuardBench]]. */
object GuardBench {
  val memory = OwnedMemory(0x80000000L, 64 << 12)
  private val registers = ContextMap.all.base

  /** The last page, which the caches fight for, one before it, and nobody's. */
  val shared: BigInt = memory.base + memory.bytes - 0x1000
  val private1: BigInt = shared - 0x1000
  val public: BigInt = memory.base

  /** Pages whose last lines memory denies, and returns corrupt. */
  val bad: BigInt = memory.base + 0x5000
  val poisoned: BigInt = memory.base + 0x6000
  val device = BigInt(0x1000)

  def register(of: Register): BigInt = registers + of.offset
  private def active(tile: Int): BigInt = registers + ContextMap.tile.in(tile)(ContextMap.active).offset
  def writeOwner(word: BigInt): Seq[Access] = Seq(
    Access.write(register(ContextMap.owner), word),
    Access.await(register(ContextMap.owner), 0, ContextMap.busy.holding(1))
  )
  def give(page: BigInt, spid: Int): Seq[Access] = writeOwner(page | spid)
  def releasePage(page: BigInt, spid: Int): Seq[Access] = writeOwner(page | spid | ContextMap.release.holding(1))
  def askFor(page: BigInt, spid: Int): Seq[Access] = writeOwner(page | spid | ContextMap.ask.holding(1))

  /** Makes a tile's accesses those of a context, and waits until they are. */
  def activate(tile: Int, principal: Int): Seq[Access] =
    Seq(Access.write(active(tile), principal), Access.await(active(tile), principal, 0x5ff))

  /** Lets other masters access memory. */
  val openToOthers: Access = Access.write(register(ContextMap.others), ContextMap.open.holding(1))

  /** The processor's, and its first random word, to which each later one adds one. */
  val secret = BigInt("f0" * 8 + "e1" * 8 + "d2" * 8 + "c3" * 8, 16)
  val firstWord = 0x700

  /** Drives the pins of guards. */
  def provide(pins: ContextPins): Unit = {
    pins.secret := secret.U
    pins.secretValid := true.B
    val word = RegInit(firstWord.U(64.W))
    pins.entropy.valid := true.B
    pins.entropy.bits := word
    when(pins.entropy.ready) { word := word + 1.U }
  }
  val microcode = 1 << ContextMap.activeMicrocode.low

  /** The caches' pages and principals. */
  def setUp(principals: Seq[Int]): Seq[Access] =
    give(shared, 1) ++ give(private1, 2) ++ principals.zipWithIndex.flatMap { case (spid, i) => activate(i + 1, spid) }
}

/** Tiles behind guards, the hasher and the page clearer, before one broadcast hub: tile 0 follows a script, the others are caches that fight for lines of one page, which is context 1's.
  * Another master follows a script past the guards.
  *
  * What a cache of context 1 reads is what one of context 1 wrote last. Another reads ones, and nothing that it makes of these comes to memory or to others.
  *
  * @param principals SPIDs of the caches
  * @param scripts    of tile 0 and of the other master, for each scenario; in scenario 0 the caches work
  */
class GuardBench(principals: Seq[Int], operations: Int, scripts: Seq[(Seq[Access], Seq[Access])])(implicit
    p: Parameters
) extends LazyModule {
  import GuardBench._
  private val lines = 4
  private val lineBytes = 64
  private val guards = LazyModule(new TLContextGuards(ContextGuardParams(contexts = 3, owners = 2), memory, 8))
  private val others = LazyModule(new TLMasterGuard(guards.shape, memory))
  private val hasher = LazyModule(new TLHasher(memory, HasherMap.all.base, 8))
  private val clearer = LazyModule(new TLPageClearer(memory, ClearerMap.all.base, 8))
  others.connect(guards)
  private val tile = LazyModule(new TLScript(scripts.map(_._1): _*))
  private val master = LazyModule(new TLScript(scripts.map(_._2): _*))
  private val bus = LazyModule(new TLXbar)
  private val home = LazyModule(new TLXbar)
  private val device = LazyModule(new TLRAM(AddressSet(GuardBench.device, 0xfff), beatBytes = 8))
  // What a cache that reads ones makes of them: one more, and so on
  private val written = LazyModule(new TLWritten(0))
  private val ram = LazyModule(new TLRAM(AddressSet(memory.base, memory.bytes - 1), beatBytes = 8))
  bus.node := guards.port() := tile.node
  private val users = principals.indices.map { i =>
    val user = LazyModule(new TLLineUser(shared + 0x1000 - lines * lineBytes, lines, operations, 0x1234 * (i + 1)))
    val gate = LazyModule(new TLGate)
    // The hub answers a release in the cycle in which it takes it, which a user of lines does not
    bus.node := TLDelayer(0.1) := guards.port() := gate.node := TLDelayer(0.1) := TLBuffer() := user.node
    (user, gate)
  }
  bus.node := master.node
  bus.node := TLWidthWidget(8) := hasher.node
  bus.node := TLWidthWidget(8) := clearer.node
  private val microcode = LazyModule(MicrocodeMemory(8))
  for (closed <- Seq[TLInwardNode](guards.controlNode, hasher.controlNode, clearer.controlNode, microcode.node)) {
    val only = LazyModule(new TLTilesOnly(guards))
    closed := TLFragmenter(8, lineBytes) := only.node := bus.node
  }
  device.node := TLFragmenter(8, lineBytes) := bus.node
  home.node := others.node := bus.node
  private val Seq(denies, corrupts) =
    Seq(bad, poisoned).map(page => LazyModule(new TLSpoil(AddressSet(page + 0xfc0, 0x3f))))
  ram.node := denies.node := corrupts.node := written.node := TLFragmenter(
    8,
    lineBytes,
    holdFirstDeny = true
  ) := TLDelayer(0.1) := TLBroadcast(
    lineBytes,
    2
  ) := home.node

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    provide(guards.module.pins)
    for (spoils <- Seq(denies, corrupts)) {
      spoils.module.denies := (spoils == denies).B
      spoils.module.corrupts := (spoils == corrupts).B
    }
    tile.module.select := select
    master.module.select := select
    private val works = select === 0.U
    // Scripts write zeros, too
    written.module.watches := works
    private val ready = tile.module.finished && master.module.finished
    finished := ready && (!works || users.map(_._1.module.finished).reduce(_ && _))

    private val values = Reg(Vec(lines, UInt(56.W)))
    private val known = RegInit(VecInit(Seq.fill(lines)(false.B)))
    private val ones = (BigInt(1) << 56) - 1
    for (((user, gate), spid) <- users.zip(principals)) {
      val mine = spid == 1
      gate.module.open := ready && works
      user.module.written := (if (mine) known else VecInit(Seq.fill(lines)(false.B)))
      val (read, wrote) = (user.module.read, user.module.wrote)
      if (mine) {
        assert(
          !read.valid || !known(read.bits.line) || read.bits.value === values(read.bits.line),
          "not what was written last"
        )
        when(wrote.valid) {
          values(wrote.bits.line) := wrote.bits.value
          known(wrote.bits.line) := true.B
        }
      } else assert(!read.valid || read.bits.value === ones.U, "a line of another context was read")
    }
  }
}
