package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.{AddressSet, IdRange, ValName}
import freechips.rocketchip.tilelink._
import hauberk.compat._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** One access of eight bytes, or a write of four.
  *
  * @param write  data to write; none reads
  * @param expect what a read must return in the bits of `mask`
  * @param until  repeat the read until it returns what is expected, from so many accesses before it on
  * @param denied the access must be denied, or what is read corrupt; else neither
  * @param poison what is written is marked corrupt
  * @param keep   keeps what is read under this number
  * @param kept   writes what is kept under this number, xor `write`
  * @param half   writes four bytes
  */
case class Access(
    address: BigInt,
    write: Option[BigInt] = None,
    expect: BigInt = 0,
    mask: BigInt = 0,
    until: Option[Int] = None,
    denied: Boolean = false,
    poison: Boolean = false,
    keep: Option[Int] = None,
    kept: Option[Int] = None,
    half: Boolean = false
)

object Access {
  private val all = (BigInt(1) << 64) - 1
  def write(address: BigInt, data: BigInt): Access = Access(address, write = Some(data))
  def word(address: BigInt, data: BigInt): Access =
    Access(address, write = Some(data << 8 * (address % 8).toInt), half = true)
  def read(address: BigInt, expect: BigInt, mask: BigInt = all): Access = Access(address, expect = expect, mask = mask)
  def await(address: BigInt, expect: BigInt, mask: BigInt): Access =
    Access(address, expect = expect, mask = mask, until = Some(0))

  /** Makes an access again and again until a read behind it returns what is expected. */
  def insist(access: Access, address: BigInt, expect: BigInt, mask: BigInt): Seq[Access] =
    Seq(access, Access(address, expect = expect, mask = mask, until = Some(1)))
  def keep(address: BigInt, number: Int): Access = Access(address, keep = Some(number))

  /** Writes what was kept, with some bits inverted. */
  def writeKept(address: BigInt, number: Int, inverted: BigInt = 0): Access =
    Access(address, write = Some(inverted), kept = Some(number))
  def poison(address: BigInt, data: BigInt): Access = Access(address, write = Some(data), poison = true)
  def deniedRead(address: BigInt): Access = Access(address, denied = true)
  def deniedWrite(address: BigInt): Access = Access(address, write = Some(all), denied = true)
}

/** The node of a master that caches nothing. */
object TestClient {
  def apply(name: String, sources: Int)(implicit valName: ValName): TLClientNode =
    TLClientNode(Seq(TLClientPortParameters(Seq(TLMasterParameters.v1(name = name, sourceId = IdRange(0, sources))))))
}

/** Makes the accesses of one of several scripts one after the other and checks every response. */
class TLScript(scripts: Seq[Access]*)(implicit p: Parameters) extends LazyModule {
  private val accesses = scripts.flatten
  private val ends = scripts.scanLeft(0)(_ + _.size)
  val node = TestClient("script", sources = 1)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val (out, edge) = node.out.head
    private val index = RegInit(0.U(log2Ceil(accesses.size + 1).W))
    private val started = RegNext(true.B, false.B)
    private val waiting = RegInit(false.B)
    private def at(table: Seq[Int]): UInt = VecInit(table.map(_.U(index.getWidth.W)))(select)
    private def column[T <: Data](value: Access => T): T = VecInit(accesses.map(value))(index)
    when(!started) { index := at(ends.init) }
    private val address = column(_.address.U(edge.bundle.addressBits.W))
    private val isWrite = column(_.write.isDefined.B)
    private val until = column(_.until.isDefined.B)
    private val notes = Reg(Vec(accesses.flatMap(_.keep).fold(0)(_ max _) + 1, UInt(64.W)))
    private val note = Mux(column(_.kept.isDefined.B), notes(column(_.kept.getOrElse(0).U(8.W))), 0.U)

    finished := started && index === at(ends.tail)
    out.a.valid := started && !waiting && !finished
    out.a.bits := Mux(
      isWrite,
      edge.Put(0.U, address, Mux(column(_.half.B), 2.U, 3.U), column(_.write.getOrElse(BigInt(0)).U(64.W)) ^ note)._2,
      edge.Get(0.U, address, 3.U)._2
    )
    out.a.bits.corrupt := isWrite && column(_.poison.B)
    out.d.ready := true.B // the response may come in the cycle of the request
    when(out.a.valid && out.a.ready) { waiting := true.B }
    when(out.d.valid && out.d.ready) {
      val wrong = (out.d.bits.data ^ column(_.expect.U(64.W))) & column(_.mask.U(64.W))
      val matches = isWrite || wrong === 0.U
      assert(
        (out.d.bits.denied || out.d.bits.corrupt) === column(_.denied.B),
        "script: access wrongly denied or wrongly allowed"
      )
      assert(matches || until, "script: wrong data")
      waiting := false.B
      index := Mux(matches, index + 1.U, index - column(_.until.getOrElse(0).U(2.W)))
      when(column(_.keep.isDefined.B)) { notes(column(_.keep.getOrElse(0).U(8.W))) := out.d.bits.data }
    }
    out.b.ready := true.B
    out.c.valid := false.B
    out.e.valid := false.B
  }
}

/** Fails if any write carries this beat: what must not reach memory in the clear.
  *
  * @param counted another beat, of which it counts the writes
  */
class TLForbid(pattern: BigInt, counted: BigInt)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val seen = IO(Output(UInt(8.W)))
    private val count = RegInit(0.U(8.W))
    private val counts = node.in.zip(node.out).map { case ((in, _), (out, _)) =>
      out <> in
      val writes = in.a.valid && in.a.bits.opcode =/= TLMessages.Get
      assert(!(writes && in.a.bits.data === pattern.U), "plaintext on its way to memory")
      writes && in.a.ready && in.a.bits.data === counted.U
    }
    count := count + PopCount(counts)
    seen := count
  }
}

/** Memory that keeps poison, word by word: what is written corrupt is read corrupt, and not denied.
  *
  * @param words of memory, which is accessed a beat of eight bytes at a time
  */
class TLPoison(words: Int)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    node.in.zip(node.out).foreach { case ((in, edgeIn), (out, edge)) =>
      out <> in
      val poisoned = RegInit(VecInit(Seq.fill(words)(false.B)))
      val word = (in.a.bits.address >> 3)(log2Ceil(words) - 1, 0)
      // The answer comes in the cycle after the request, or later, and one at a time
      val asked = Reg(Bool())
      when(in.a.valid && in.a.ready) {
        asked := poisoned(word)
        when(edgeIn.hasData(in.a.bits)) { poisoned(word) := in.a.bits.corrupt }
      }
      out.a.bits.corrupt := false.B
      in.d.bits.corrupt := edge.hasData(out.d.bits) && asked
    }
  }
}

/** The node of what may deny. */
private object DenyingNode {
  def apply()(implicit valName: ValName): TLAdapterNode = TLAdapterNode(managerFn =
    port => port.v1copy(managers = port.managers.map(_.v1copy(mayDenyGet = true, mayDenyPut = true)))
  )
}

/** Denies every access on some of its edges. */
class TLDeny(edges: Int => Boolean)(implicit p: Parameters) extends LazyModule {
  val node = DenyingNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    node.in.zip(node.out).zipWithIndex.foreach { case (((in, edge), (out, _)), number) =>
      out <> in
      if (edges(number)) {
        in.d.bits.denied := true.B
        in.d.bits.corrupt := edge.hasData(out.d.bits)
      }
    }
  }
}

/** Spoils accesses of some addresses of a memory that answers each request before it takes the next: it denies them, or returns their data corrupt and does
  * not deny them.
  */
class TLSpoil(addresses: AddressSet)(implicit p: Parameters) extends LazyModule {
  val node = DenyingNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val denies, corrupts = IO(Input(Bool()))
    node.in.zip(node.out).foreach { case ((in, _), (out, edge)) =>
      out <> in
      val asked = Reg(Bool())
      when(in.a.valid && in.a.ready) { asked := addresses.contains(in.a.bits.address) }
      when(asked && denies) { in.d.bits.denied := true.B }
      when(asked && (denies || corrupts)) { in.d.bits.corrupt := edge.hasData(out.d.bits) }
    }
  }
}

/** Memory that leaves reset some cycles later, and must not be asked for anything before. */
class TLSleepy(cycles: Int)(implicit p: Parameters) extends LazyModule {
  val node = TLAdapterNode()

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    private val asleep = RegInit(cycles.U)
    when(asleep =/= 0.U) { asleep := asleep - 1.U }
    node.in.zip(node.out).foreach { case ((in, _), (out, _)) =>
      out <> in
      assert(asleep === 0.U || !in.a.valid, "memory is still in reset")
    }
  }
}
