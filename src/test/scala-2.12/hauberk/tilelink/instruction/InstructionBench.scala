package hauberk.tilelink.instruction

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.{AddressSet, IdRange}
import freechips.rocketchip.tilelink._
import hauberk.crypto.JdkAes
import hauberk.instruction._
import hauberk.tilelink.common.{Access, Register, TLScript, TLSpoil}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._
import scala.util.Random

/** What an instruction cache should see of a page, and of one behind it. */
class FetchingCache(base: BigInt, expected: Seq[BigInt], rounds: Int)(implicit p: Parameters)
    extends LazyModule
    with DecryptableInstructionCache {
  val node = TLClientNode(Seq(TLClientPortParameters(Seq(
    TLMasterParameters.v1(name = "fetches", sourceId = IdRange(0, 1))
  ))))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val go = IO(Input(Bool()))

    /** All fetches are to be denied, and to bring nothing. */
    val denied = IO(Input(Bool()))
    val finished = IO(Output(Bool()))
    private val (out, edge) = node.out.head
    private val words = VecInit(expected.map(_.U(64.W)))
    private val number = RegInit(0.U(16.W))
    private val asked = RegInit(false.B)
    private val lines = expected.size / 8

    // Whole lines and parts of them
    private val lgSize = Mux(number(0), 6.U, Mux(number(1), 3.U, 5.U))
    private val line = (number >> 1)(log2Ceil(lines) - 1, 0)
    private val start = Cat(line, 0.U(3.W))
    finished := number === rounds.U
    out.a.valid := go && !asked && !finished
    out.a.bits := edge.Get(0.U, base.U + (start << 3), lgSize)._2
    when(out.a.valid && out.a.ready) { asked := true.B }
    private val (_, last, _, count) = edge.count(out.d)
    out.d.ready := true.B
    when(out.d.valid) {
      assert(out.d.bits.size === lgSize, "fetch: an answer of another size")
      assert(out.d.bits.denied === denied, "fetch: wrongly denied or wrongly allowed")
      assert(out.d.bits.data === Mux(denied, 0.U, words(start | count)), "fetch: wrong instructions")
      when(last) {
        asked := false.B
        number := number + 1.U
      }
    }
    out.b.ready := true.B
    out.c.valid := false.B
    out.e.valid := false.B
  }
}

/** An instruction cache and random accesses of all kinds at one master port with instruction decryption, and a processor that sets it up. In
  * scenario 0 the instruction cache fetches what the vendor encrypted; in scenario 1 it was not flushed; in scenario 2 there is no token, in
  * scenario 3 another user's, and fetches see ciphertext. In scenario 4 memory returns the code corrupt, in scenario 5 it denies it.
  */
class InstructionBench(mode: DecryptionMode)(implicit p: Parameters) extends LazyModule {
  import InstructionBench._
  private val lineBytes = 64
  private val code = AddressSet(0x10000, 0xfff)
  private val single = AddressSet(0x20000, 0xfff)
  private val decryption =
    LazyModule(new TLInstructionDecryption(
      InstructionDecryptionParams(mode, pages = 2, keySlots = 3, address = registers),
      lineBytes,
      8
    ))
  private val (plain, secret) = (content.grouped(8).map(word).toSeq, sealedContent(mode).grouped(8).map(word).toSeq)
  private val cache = LazyModule(new FetchingCache(code.base, plain, 40))
  private val other = LazyModule(new FetchingCache(code.base, secret, 40))
  private val fuzzer = LazyModule(new TLFuzzer(300, inFlight = 4, overrideAddress = Some(single)))
  private val model = LazyModule(new TLRAMModel)
  private val mapped = setUp(code.base, secret, EmuError.none, EmuError.none)
  private val script = LazyModule(new TLScript(
    mapped,
    mapped,
    setUp(code.base, secret, EmuError.noToken, EmuError.noKey),
    setUp(code.base, secret, EmuError.badApplication, EmuError.noKey),
    mapped,
    mapped
  ))
  private val tile = LazyModule(new TLXbar)
  private val home = LazyModule(new TLXbar)
  private val codeRam = LazyModule(new TLRAM(address = code, beatBytes = 8))
  private val fuzzRam = LazyModule(new TLRAM(address = single, beatBytes = 8))
  tile.node := cache.node
  tile.node := other.node
  tile.node := model.node := fuzzer.node
  home.node := TLDelayer(0.1) := decryption.port() := TLDelayer(0.1) := tile.node
  // Below the filter, as the tile's loads are
  tile.node := script.node
  private val spoils = LazyModule(new TLSpoil(code))
  codeRam.node := spoils.node := TLFragmenter(8, lineBytes, holdFirstDeny = true) := TLDelayer(0.1) := home.node
  fuzzRam.node := TLFragmenter(8, lineBytes) := TLDelayer(0.1) := home.node
  decryption.controlNode := TLFragmenter(8, lineBytes) := home.node
  private val flush = BundleBridgeSource(() => Bool())
  decryption.flushes.head := flush

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val pins = decryption.module.pins
    pins.secret := processor.U
    pins.secretValid := true.B
    pins.token.present := select =/= 2.U
    pins.token.answer.valid := pins.token.ask
    private val anotherUser = select === 3.U
    pins.token.answer.bits.secret := Mux(anotherUser, another.U(128.W), token.U(128.W))
    pins.token.answer.bits.check := Mux(
      anotherUser,
      ReferenceSeal.tokenCheck(processor, another).U(128.W),
      ReferenceSeal.tokenCheck(processor, token).U(128.W)
    )
    script.module.select := select
    private val ready = RegNext(script.module.finished, false.B)
    flush.bundle := script.module.finished && !ready && select =/= 1.U
    private val isMapped = select =/= 2.U && select =/= 3.U
    cache.module.go := ready && isMapped
    cache.module.denied := isMapped && select =/= 0.U
    spoils.module.corrupts := ready && select === 4.U
    spoils.module.denies := ready && select === 5.U
    other.module.go := ready && !isMapped
    other.module.denied := false.B
    finished := fuzzer.module.io.finished && Mux(isMapped, cache.module.finished, other.module.finished)
  }
}

object InstructionBench {
  // Not far from memory: the model of what is there goes from the first address to the last
  private val registers = BigInt(0x30000)
  private val random = new Random(14)
  private val processor, application, token, another = JdkAes.random(random, 128)
  private val keyId = JdkAes.random(random, 64)
  private val ancillary = JdkAes.random(random, 128)

  /** The first lines of the page. */
  private val content: Array[Byte] = {
    val bytes = new Array[Byte](512)
    random.nextBytes(bytes)
    bytes
  }
  private def sealedContent(mode: DecryptionMode): Array[Byte] =
    ReferenceSeal.page(mode, ReferenceSeal.pageKey(processor, application, token, keyId), ancillary, content)
  private def word(bytes: Array[Byte]): BigInt = BigInt(1, bytes.reverse)

  /** Puts the ciphertext into memory, asks for the key, and maps the page; loads then see ciphertext. */
  private def setUp(
      base: BigInt,
      secret: Seq[BigInt],
      keyError: Int,
      mappingError: Int
  ): Seq[Access] = {
    import InstructionMap.{mappingError => _, keyError => _, _}
    val low = (BigInt(1) << 64) - 1
    def put(register: Register, data: BigInt) = Access.write(registers + register.offset, data)
    def pair(first: Int, data: BigInt) = Seq(put(scratchpad(first), data >> 64), put(scratchpad(first + 1), data & low))
    secret.zipWithIndex.map { case (data, i) => Access.write(base + 8 * i, data) } ++
      pair(0, application) ++ pair(2, ReferenceSeal.applicationCheck(processor, application, token, keyId)) ++
      Seq(put(scratchpad(4), keyId), put(key, 2), Access.await(registers + keyStatus.offset, keyError << 4, 0xff)) ++
      Seq(
        put(page, base),
        put(slot, 2),
        put(ancillaryLow, ancillary & low),
        put(ancillaryHigh, ancillary >> 64),
        put(index, 1)
      ) ++
      Seq(Access.read(registers + status.offset, mappingError, 0xf)) ++
      // What was written cannot be read
      (pageTable ++ scratchpad :+ key).map(register => Access.read(registers + register.offset, 0)) ++
      secret.take(2).zipWithIndex.map { case (data, i) => Access.read(base + 8 * i, data) }
  }
}
