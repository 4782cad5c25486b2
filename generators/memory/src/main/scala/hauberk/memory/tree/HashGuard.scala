package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.cipher.{LineHash, LineHashJob, LineHasher}
import hauberk.memory.cache.{LeavingLine, LineGuard, LineGuardIO}

/** A request for the hash of a line in its parent's entry. */
class HashEntryRequest(val lineBits: Int, val tagBits: Int) extends Bundle {

  /** Record `hash`; else read the recorded one. */
  val write = Bool()

  /** The child's number. */
  val line = UInt(lineBits.W)
  val hash = UInt(LineHasher.hashBits.W)

  /** Returned with the hash that was read. */
  val tag = UInt(tagBits.W)
}

/** Between a [[HashGuard]] and the entries that vouch for its lines, seen from the guard. Requests take effect in their order, for each
  * line; only reads are answered, in any order, and answers are not refused.
  */
class HashEntryPort(val lineBits: Int, val tagBits: Int) extends Bundle {
  val request = Decoupled(new HashEntryRequest(lineBits, tagBits))
  val entry = Flipped(Valid(new LineHash(tagBits)))
}

/** Ports of a [[HashGuard]]. */
class HashGuardIO(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuardIO(p, mshrs, lineBits) {
  private val missBits = math.max(1, log2Ceil(mshrs))
  val parent = new HashEntryPort(lineBits, missBits)
  val job = Decoupled(new LineHashJob(p, missBits + 1))
  val hash = Flipped(Valid(new LineHash(missBits + 1)))
  val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
  val keys = Input(new TreeKeys)

  /** A line is being tried under the previous key. */
  val usesPreviousKey = Output(Bool())
}

/** Guards the lines of one level of a cached hash tree (CHash of Gassend et al., HPCA'03; AEGIS section 5): a line that comes in must have
  * the hash that its parent holds; a line that goes out leaves its new hash there. Cached lines are trusted, so verification ends at the
  * first parent that is in its cache.
  *
  * The entry 0 means that the line was never written back, whatever its contents in memory: a line of nodes is then all zero, and a line of tags holds
  * the package's tags as memory has them, which authenticate themselves, and zero for every block that the package did not bring. So a tree
  * needs no initialisation.
  *
  * The parent's entry is sought while memory fetches the line. A guard releases a line with its verdict; one of a scheme that only speculates, as soon
  * as the line and its parent's entry are there. While the keys of the tree change, a hash may be under either. Depends on the levels above it only.
  *
  * @param level 0 for tag lines, 1 and up for the levels of nodes
  */
class HashGuard(p: Geometry, level: Int, mshrs: Int, lineBits: Int) extends LineGuard(p) {
  val io = IO(new HashGuardIO(p, mshrs, lineBits))
  private val missBits = math.max(1, log2Ceil(mshrs))
  private val dataBits = p.bank.blockBytes * 8
  private def flags = RegInit(VecInit(Seq.fill(mshrs)(false.B)))
  private val needParent, parentThere, dataThere, needHash, hashAsked, hashThere, tried, released = flags
  private val line = Reg(Vec(mshrs, UInt(lineBits.W)))
  private val parent, hash = Reg(Vec(mshrs, UInt(LineHasher.hashBits.W)))
  private val data = Mem(math.max(2, mshrs), UInt(dataBits.W))
  private val cache = io.cache

  // A line that leaves
  private val idle :: toHash :: hashing :: toParent :: Nil = Enum(4)
  private val sealing = RegInit(idle)
  private val leaving = Reg(new LeavingLine(lineBits, dataBits))
  private val newHash = Reg(UInt(LineHasher.hashBits.W))
  cache.seal.ready := sealing === idle
  when(cache.seal.valid && cache.seal.ready) {
    leaving := cache.seal.bits
    sealing := toHash
  }

  // A line that comes
  when(cache.opened.valid) {
    val m = cache.opened.bits.miss
    line(m) := cache.opened.bits.line
    needParent(m) := true.B
    Seq(parentThere, dataThere, needHash, hashAsked, hashThere, tried, released).foreach(_(m) := false.B)
  }
  cache.fetched.ready := true.B
  when(cache.fetched.valid) {
    data.write(cache.fetched.bits.miss, cache.fetched.bits.data)
    dataThere(cache.fetched.bits.miss) := true.B
    needHash(cache.fetched.bits.miss) := true.B
  }

  // The parent's entry
  private val asking = PriorityEncoder(needParent)
  io.parent.request.valid := sealing === toParent || needParent.reduce(_ || _)
  io.parent.request.bits.write := sealing === toParent
  io.parent.request.bits.line := Mux(sealing === toParent, leaving.line, line(asking))
  io.parent.request.bits.hash := newHash
  io.parent.request.bits.tag := asking
  cache.sealedLine.valid := sealing === toParent && io.parent.request.ready
  cache.sealedLine.bits := leaving.data
  when(io.parent.request.ready) {
    when(sealing === toParent) { sealing := idle }.elsewhen(needParent.reduce(_ || _)) { needParent(asking) := false.B }
  }
  when(io.parent.entry.valid) {
    parent(io.parent.entry.bits.tag) := io.parent.entry.bits.hash
    parentThere(io.parent.entry.bits.tag) := true.B
  }
  private val neverWritten = VecInit((0 until mshrs).map(m => parentThere(m) && parent(m) === 0.U))

  // Hashes
  private val wantsHash = VecInit((0 until mshrs).map(m => needHash(m) && !neverWritten(m)))
  private val hashed = PriorityEncoder(wantsHash)
  private val sealFirst = sealing === toHash
  io.job.valid := sealFirst || wantsHash.reduce(_ || _)
  io.job.bits.level := level.U
  io.job.bits.line := Mux(sealFirst, leaving.line, line(hashed))
  io.job.bits.slot := Mux(!sealFirst && tried(hashed), io.keys.previous, io.keys.current)
  io.job.bits.data := Mux(sealFirst, leaving.data, data.read(hashed))
  io.job.bits.tag := Cat(sealFirst, hashed + 0.U(missBits.W))
  when(io.job.valid && io.job.ready) {
    when(sealFirst) { sealing := hashing }.otherwise {
      needHash(hashed) := false.B
      hashAsked(hashed) := true.B
    }
  }
  private val hashedMiss = io.hash.bits.tag(missBits - 1, 0)
  when(io.hash.valid) {
    when(io.hash.bits.tag(missBits)) {
      newHash := io.hash.bits.hash
      sealing := toParent
    }.otherwise {
      hash(hashedMiss) := io.hash.bits.hash
      hashThere(hashedMiss) := true.B
    }
  }

  // While keys change, a hash that is wrong under one may be right under the other
  private val again = VecInit((0 until mshrs).map { m =>
    val wrong = dataThere(m) && parentThere(m) && hashThere(m) && !neverWritten(m) && parent(m) =/= hash(m)
    wrong && io.keys.changing && !tried(m)
  })
  for (m <- 0 until mshrs) {
    when(again(m)) {
      tried(m) := true.B
      needHash(m) := true.B
      hashAsked(m) := false.B
      hashThere(m) := false.B
    }
  }

  io.usesPreviousKey := (0 until mshrs).map(m => dataThere(m) && tried(m) && !hashThere(m)).reduce(_ || _)

  io.busy := sealing =/= idle || (0 until mshrs).map { m =>
    needParent(m) || dataThere(m) || (hashAsked(m) && !hashThere(m))
  }.reduce(_ || _)

  // Verdicts. A place whose hash is on its way is not given to another line
  private val decided = (0 until mshrs).map { m =>
    dataThere(m) && parentThere(m) && !again(m) && (hashThere(m) || (neverWritten(m) && !hashAsked(m)))
  }
  // What a page's owner uses rests on tags that are verified, and a tag line does not say whose tags it has
  private val early = p.speculates && !p.byOwner
  private val mayGo = VecInit((0 until mshrs).map { m =>
    dataThere(m) && parentThere(m) && !released(m) && (if (early) true.B else decided(m))
  })
  private val goes = PriorityEncoder(mayGo)
  private val fetched = data.read(goes)
  cache.released.valid := mayGo.reduce(_ || _)
  cache.released.bits.miss := goes
  cache.released.bits.data := Mux(neverWritten(goes), asInImage(line(goes), fetched), fetched)
  private val maySettle = VecInit((0 until mshrs).map { m =>
    decided(m) && (released(m) || (mayGo.reduce(_ || _) && goes === m.U))
  })
  private val settles = PriorityEncoder(maySettle)
  cache.settled.valid := maySettle.reduce(_ || _)
  cache.settled.bits.miss := settles
  cache.settled.bits.ok := neverWritten(settles) ||
    p.faults.comparison.confirm(parent(settles) === hash(settles), parent(settles), hash(settles))
  when(cache.released.valid) { released(goes) := true.B }
  when(cache.settled.valid) { dataThere(settles) := false.B }

  /** A line that was never written back. */
  private def asInImage(line: UInt, fetched: UInt): UInt =
    if (level > 0) 0.U(dataBits.W)
    else {
      val words = p.layout.shape.tagsPerLine
      Cat((0 until words).reverse.map { i =>
        Mux(Cat(line, i.U(log2Ceil(words).W)) < io.imageBlocks, fetched(64 * i + 63, 64 * i), 0.U(64.W))
      })
    }
}
