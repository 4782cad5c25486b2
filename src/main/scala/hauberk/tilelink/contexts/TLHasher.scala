package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.contexts._
import hauberk.crypto.MemoryOrder
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Hashes programs for the microcode (AEGIS section 3.3, H(Prog)): a master that reads memory, whoever owns the pages, and shows nothing but the digest of
  * what it read. Of pages that are nobody's, the digest may be of what is not verified yet, if the scheme speculates. Its registers are those of
  * [[HasherMap]].
  *
  * @param memory    what it may read
  * @param address   of the control registers
  * @param beatBytes width in bytes of the bus of the control registers
  */
class TLHasher(memory: OwnedMemory, address: BigInt, beatBytes: Int)(implicit p: Parameters)
    extends MicrocodeMaster("hasher", RangeHasher.slots, address, beatBytes) {
  lazy val module = new Impl

  /** The hasher between its registers and memory. */
  class Impl extends LazyModuleImp(this) {
    private val (out, edge) = port
    private val lgLine = log2Ceil(RangeHasher.lineBytes)
    private val hasher = Module(new RangeHasher(edge.bundle.addressBits - lgLine))
    out.a.valid := hasher.io.read.valid
    out.a.bits := edge.Get(hasher.io.read.bits.slot, Cat(hasher.io.read.bits.line, 0.U(lgLine.W)), lgLine.U)._2
    hasher.io.read.ready := out.a.ready
    hasher.io.beat.valid := out.d.valid
    hasher.io.beat.bits.data := out.d.bits.data
    hasher.io.beat.bits.slot := out.d.bits.source
    hasher.io.beat.bits.failed := out.d.bits.denied || out.d.bits.corrupt

    private val address, tail = RegInit(0.U(64.W))
    private val refused = RegInit(false.B)
    private val lines, ends, aborts = Wire(Valid(UInt(64.W)))
    private val words = Wire(Decoupled(UInt(64.W)))
    private val first = address >> lgLine
    private def inMemory(line: UInt): Bool = memory.contains(Cat(line, 0.U(lgLine.W)))
    private val fits = lines.bits(63, RangeHasher.countBits) === 0.U && lines.bits =/= 0.U
    private val exists = inMemory(first) && inMemory(first +& lines.bits - 1.U) && fits
    // The last word waits for a range before it, and its register is written but once: it is held
    private val closing = RegInit(false.B)
    private val room = hasher.io.range.ready && !closing
    hasher.io.range.valid := lines.valid && exists && room
    hasher.io.range.bits.line := first
    hasher.io.range.bits.lines := lines.bits
    when(lines.valid && !(exists && room)) { refused := true.B }

    private val bytes = Reg(UInt(4.W))
    when(ends.valid) {
      closing := true.B
      bytes := Mux(ends.bits > 8.U, 8.U, ends.bits)
    }
    private val message = hasher.io.word
    // While a range is read, a word would hold up the bus: it is not added
    private val taken = room && !hasher.io.reading
    message.valid := (words.valid && taken) || closing
    message.bits.data := MemoryOrder.reversed(Mux(closing, tail, words.bits))
    message.bits.last := closing
    message.bits.bytes := bytes
    words.ready := !taken || message.ready
    when(words.valid && !taken) { refused := true.B }
    private val ended = message.valid && message.ready && closing
    // A cycle later, so that no path leads from the registers' bus to memory's
    hasher.io.abort := RegNext(aborts.valid && aborts.bits(0), false.B)
    when(hasher.io.abort) { refused := false.B }
    when(ended || hasher.io.abort || hasher.io.failed) {
      closing := false.B
      tail := 0.U
    }

    private val busy = hasher.io.busy || closing
    private val map = HasherMap
    controlNode.regmap(
      Seq(
        map.id.readConstant,
        map.status.read(Cat(
          !room,
          refused,
          hasher.io.digest.valid,
          hasher.io.failed,
          hasher.io.reading || closing,
          busy
        )),
        map.address.held(address),
        map.lines.write(lines),
        map.word.write(words),
        map.tail.held(tail),
        map.end.write(ends),
        map.abort.write(aborts)
      ) ++ map.digest.zipWithIndex.map { case (register, i) =>
        register.read(MemoryOrder.reversed(hasher.io.digest.bits(255 - 64 * i, 192 - 64 * i)))
      }: _*
    )
  }
}
