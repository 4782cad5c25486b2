package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.fault.WordCode
import hauberk.memory.cipher.LineHasher

/** The root of a hash tree, on chip: the hashes of the lines of its last level. After reset it clears itself, `entries` cycles long, in which
  * it takes no request; every line is then one that was never written back. A read is answered in the next cycle.
  *
  * @param entries lines of the last level
  * @param tagBits width of a request's tag
  * @param code    how a hash is stored
  */
class HashRoot(entries: Int, lineBits: Int, tagBits: Int, code: WordCode) extends Module {
  val io = IO(new Bundle {
    val port = Flipped(new HashEntryPort(lineBits, tagBits))

    /** A read is being answered, or the table clears itself. */
    val busy = Output(Bool())

    /** The hash that is answered is wrong. */
    val faulty = Output(Bool())
  })
  private val hashes = SyncReadMem(math.max(2, entries), UInt(code.width(LineHasher.hashBits).W))
  private val clearing = RegInit(0.U(log2Ceil(entries + 1).W))
  private val cleared = clearing === entries.U
  private val request = io.port.request
  private val place = if (entries <= 2) request.bits.line(0) else request.bits.line(log2Ceil(entries) - 1, 0)

  request.ready := cleared
  private val reads = request.valid && cleared && !request.bits.write
  private val writes = request.valid && cleared && request.bits.write
  when(!cleared) { clearing := clearing + 1.U }
  when(!cleared || writes) {
    hashes.write(Mux(cleared, place, clearing), code.encode(Mux(cleared, request.bits.hash, 0.U)))
  }
  io.port.entry.valid := RegNext(reads, false.B)
  io.busy := !cleared || io.port.entry.valid
  io.port.entry.bits.tag := RegNext(request.bits.tag)
  private val stored = code.decode(hashes.read(place, reads), LineHasher.hashBits)
  io.port.entry.bits.hash := stored.data
  io.faulty := io.port.entry.valid && stored.faulty
}
