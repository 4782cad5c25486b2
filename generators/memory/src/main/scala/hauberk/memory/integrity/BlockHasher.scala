package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.cipher.{HashKeys, PolynomialHash, PolynomialHasher}

/** Ports of a [[BlockHasher]]. */
class BlockHasherIO(val p: Geometry, val count: Int) extends Bundle {
  private val indexBits = math.max(1, log2Ceil(count))

  /** Transactions whose digest is due and whose first beat can be read. */
  val candidates = Input(UInt(count.W))

  /** The beat to read, combinationally: whose, and which. */
  val index = Output(UInt(indexBits.W))
  val beat = Output(UInt(p.core.beatIndexBits.W))
  val available = Input(Bool())
  val data = Input(UInt(p.core.beatBits.W))

  /** Of the transaction at `index`: its block, the hash keys of its slot, and whether memory refused its data. */
  val block = Input(UInt(p.core.blockIndexBits.W))
  val keys = Input(new HashKeys)
  val refused = Input(Bool())

  /** The last beat of `index` is hashed in this cycle. */
  val done = Output(Bool())
  val digest = Decoupled(new BlockDigest(p))
}

/** Hashes the blocks of transactions, one after the other, a beat a cycle, as soon as each beat can be read. With long hashes, the message
  * begins with the number of the block.
  *
  * @param count transactions
  * @param first number of the first of them among all transactions
  */
class BlockHasher(p: Geometry, count: Int, first: Int) extends Module {
  val io = IO(new BlockHasherIO(p, count))
  private val long = p.longHash
  private val words = p.core.beatBytes / 8
  private val active = RegInit(false.B)
  private val held = Reg(UInt(io.index.getWidth.W))
  private val hasher = Module(new PolynomialHasher(if (long) 2 else 1, words))
  private val full = RegInit(false.B)
  private val digest = Reg(new BlockDigest(p))

  io.index := Mux(active, held, PriorityEncoder(io.candidates))
  private val steps = (active || io.candidates.orR) && io.available
  private val lastIdx = (p.core.blockBeats - 1).U(p.core.beatIndexBits.W)
  private val place = RegInit(0.U(p.core.beatIndexBits.W))
  private val waitsForRoom = place === lastIdx && full && !io.digest.ready
  private val fires = steps && !waitsForRoom
  io.beat := place
  io.done := fires && place === lastIdx
  when(fires) {
    place := Mux(place === lastIdx, 0.U, place + 1.U)
    active := place =/= lastIdx
    held := io.index
  }

  private val block = io.block + 0.U(64.W)
  hasher.io.step := fires
  hasher.io.begins := place === 0.U
  hasher.io.keys.zip(Seq(io.keys.first, io.keys.second)).foreach { case (port, key) => port := key }
  hasher.io.start.zip(hasher.io.keys).foreach { case (start, key) =>
    start := (if (long) PolynomialHash.step(0.U(64.W), block, key) else 0.U)
  }
  hasher.io.words.zipWithIndex.foreach { case (word, i) => word := io.data(64 * i + 63, 64 * i) }
  when(io.digest.ready) { full := false.B }
  when(io.done) {
    full := true.B
    digest.entry := first.U +& io.index
    digest.first := hasher.io.hashes.head
    digest.second := hasher.io.hashes.last
    digest.refused := io.refused
  }
  io.digest.valid := full
  io.digest.bits := digest
}
