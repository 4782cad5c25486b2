package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.KeySlot

/** The fuses: they hold the device key, which only hardware reads, and are `valid` from some moment on for good. */
class FusePins extends Bundle {
  val deviceKey = UInt(128.W)
  val valid = Bool()
}

/** How the keys of one engine are set, and how it asks for one. */
class EngineKeys(val keyBits: Int) extends Bundle {
  val write = Valid(new KeyWrite(KeySlot.count, keyBits))
  val zeroize = Valid(UInt(KeySlot.width.W))

  /** The slot that needs a fresh random key, until it is usable. */
  val wanted = Flipped(Valid(UInt(KeySlot.width.W)))
}

/** How a package brings the static key. */
class PackageKeyIO extends Bundle {
  val fuse = Input(new FusePins)
  val wrappedKey = Input(Vec(3, UInt(64.W)))
  val unwrap = Input(Bool())

  /** An unwrapping is under way, up to the last word's write. */
  val busy = Output(Bool())

  /** The last unwrapping found the words not to be a key wrapped under the device key. */
  val failed = Output(Bool())
}

/** Fills the key slots of every engine, without any key becoming visible to software.
  *
  * The static key is unwrapped (RFC 3394) from the words software gives, under the device key of the fuses. The dynamic key
  * is two words of entropy, the first being the more significant half; it exists nowhere but in the slots. A command
  * erases its slot first, so that no slot is ever usable with a mixture of two keys. Commands in the same cycle are
  * all carried out; a command whose predecessor of the same kind is still running is ignored. Where no package brings a static key, it can
  * be made of entropy, too ([[ProtectorBoot.AutoArm]]).
  *
  * An engine that re-encrypts its memory asks for a key by itself, and gets two words of entropy of its own, in the same way. Engines are
  * served one after the other, after any command for the dynamic key.
  *
  * @param engines number of engines
  * @param unwraps a package brings the static key; else there is neither a pin for the device key nor what unwraps
  * @param gated   the clock of what unwraps stops while it does not
  * @param datapath what computes the blocks of the cipher that unwraps
  */
class ProtectorKeyLoader(
    engines: Int,
    unwraps: Boolean,
    gated: Boolean = false,
    datapath: AesDatapath = AesDatapath.Rounds
) extends Module {
  private val keyBits = 128
  private val words = keyBits / 64
  private val engineBits = math.max(1, log2Ceil(engines))
  val io = IO(new Bundle {
    val fromPackage = if (unwraps) Some(new PackageKeyIO) else None
    val makeDynamicKey = Input(Bool())
    val makeStaticKey = Input(Bool())

    /** No command is under way, or comes in this cycle. */
    val settled = Output(Bool())
    val entropy = Flipped(Decoupled(UInt(64.W)))
    val engines = Vec(ProtectorKeyLoader.this.engines, new EngineKeys(ProtectorKeyLoader.this.keyBits))
  })

  // The static key of the package, a word a cycle
  private val startUnwrap = WireDefault(false.B)
  private val unwrapped = WireDefault(0.U.asTypeOf(Valid(new KeyWord)))
  for (fromPackage <- io.fromPackage) {
    val unwrapper =
      if (gated) Module(new GatedKeyUnwrap(datapath = datapath)).io else Module(new KeyUnwrap(datapath = datapath)).io
    startUnwrap := fromPackage.unwrap && !fromPackage.busy
    unwrapper.kek := fromPackage.fuse.deviceKey
    unwrapper.kekValid := fromPackage.fuse.valid
    unwrapper.wrapped := fromPackage.wrappedKey
    unwrapper.start := startUnwrap
    fromPackage.busy := unwrapper.busy
    fromPackage.failed := unwrapper.failed
    unwrapped := unwrapper.key
  }

  // One random key at a time: for all engines, or for the one that asked
  private val randomWords = RegInit(0.U(log2Ceil(words + 1).W))
  private val forAll = RegInit(false.B)
  private val slot = RegInit(KeySlot.dynamic.U(KeySlot.width.W))
  private val engine = RegInit(0.U(engineBits.W))
  private val idle = randomWords === 0.U

  private val dynamicAsked = RegInit(false.B)
  private val staticAsked = RegInit(false.B)
  private def underWay(number: Int): Bool = forAll && !idle && slot === number.U
  when(io.makeDynamicKey && !underWay(KeySlot.dynamic)) { dynamicAsked := true.B }
  when(io.makeStaticKey && !underWay(KeySlot.static)) { staticAsked := true.B }
  // A requested key is given once; the engine keeps its request until the key is expanded
  private val given = RegInit(VecInit(Seq.fill(engines)(false.B)))
  for ((asked, done) <- io.engines.zip(given)) { when(!asked.wanted.valid) { done := false.B } }
  private val asking = VecInit(io.engines.zip(given).map { case (asked, done) => asked.wanted.valid && !done })
  private val next = PriorityEncoder(asking)
  private val wanted = VecInit(io.engines.map(_.wanted.bits))

  private val startStatic = idle && staticAsked && !startUnwrap
  private val startDynamic = idle && dynamicAsked && !staticAsked && !startUnwrap
  private val startWanted = idle && !dynamicAsked && !staticAsked && asking.reduce(_ || _) && !startUnwrap
  private val startForAll = startStatic || startDynamic
  private val slotForAll = Mux(startStatic, KeySlot.static.U, KeySlot.dynamic.U)
  when(startStatic) { staticAsked := false.B }
  when(startDynamic) { dynamicAsked := false.B }
  when(startForAll) {
    randomWords := words.U
    forAll := true.B
    slot := slotForAll
  }
  when(startWanted) {
    given(next) := true.B
    randomWords := words.U
    forAll := false.B
    slot := wanted(next)
    engine := next
  }

  private val writeRandom = io.entropy.valid && io.entropy.ready
  io.entropy.ready := !idle && !unwrapped.valid
  for ((keys, index) <- io.engines.zipWithIndex) {
    val startsMine = startForAll || (startWanted && next === index.U)
    keys.zeroize.valid := startUnwrap || startsMine
    keys.zeroize.bits := Mux(startUnwrap, KeySlot.static.U, Mux(startForAll, slotForAll, wanted(next)))
    keys.write.valid := unwrapped.valid || (writeRandom && (forAll || engine === index.U))
    keys.write.bits.slot := Mux(unwrapped.valid, KeySlot.static.U, slot)
    keys.write.bits.word := Mux(unwrapped.valid, unwrapped.bits.word, words.U - randomWords)
    keys.write.bits.data := Mux(unwrapped.valid, unwrapped.bits.data, io.entropy.bits)
  }

  when(writeRandom) { randomWords := randomWords - 1.U }

  private val asked = dynamicAsked || staticAsked || io.makeDynamicKey || io.makeStaticKey
  private val unwrapping = io.fromPackage.fold(false.B)(fromPackage => fromPackage.busy || fromPackage.unwrap)
  io.settled := !asked && !(forAll && !idle) && !unwrapping
}
