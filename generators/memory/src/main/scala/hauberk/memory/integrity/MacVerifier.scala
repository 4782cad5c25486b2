package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryJoin
import hauberk.memory.common._
import hauberk.memory.cache.NoGuard
import hauberk.memory.tree.{HashTreeNodes, LevelFlush}

/** Block tags: 64 bits beside each block that bind it to its place and its counter, tag = H(block) ^ pad (Wegman and Carter). The verifier of
  * [[BlockMac]], of [[BonsaiTree]], whose counters a tree keeps fresh, and of [[HashTree]] (AEGIS section 5), whose tags a tree keeps fresh.
  *
  * The pad is asked for when a counter passes, and the tag is looked up as soon as no older access to its block is in flight, so that both
  * are there when the digest comes. The verdict on a read follows in the cycle of the digest if they are, else a cycle after the later of them; that on
  * a write when the new tag is accepted by the [[TagStore]]. A block of the package (counter 0, number below `imageBlocks`) has a tag under the static key whose pad is bound to
  * `imageBlocks`. A block that was neither packaged nor written reads as zero and needs no tag; in a hash tree, its tag must be 0.
  *
  * After memory refused a tag or a node, or the tree found one wrong, no read is verified any more.
  *
  * @param tags geometry of the cache of tag lines
  * @param tree the hash tree over them, if there is one
  */
class MacVerifier(p: Geometry, tags: MetadataCacheParams, tree: Option[HashTree]) extends Verifier(p) {
  private val n = p.entries
  private def flags = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val active, needTag, blocked, asked, needPad, padThere, tagThere, digestThere = flags
  private val turn = Reg(Vec(n, Bool()))
  private val flag = p.faults.flags
  private val zero = Reg(Vec(n, flag.register))
  private val refusedData = Reg(Vec(n, Bool()))
  private def isBlank(e: UInt): Bool = flag.isSet(zero(e), safe = false)
  private val block = Reg(Vec(n, UInt(p.core.blockIndexBits.W)))
  private val counter = Mem(n, UInt(p.counterBits.W))
  private val key = Reg(Vec(n, UInt(KeySlot.width.W)))
  private val pads, stored, digests = Mem(n, UInt(64.W))
  withoutCheck()

  private val store = Module(new TagStore(p, tags, p.verifierIds))
  store.io.fence := io.fence
  private val broken = RegInit(false.B)

  private val counted = RegInit(VecInit(Seq.fill(n)(false.B))) // in the statistics
  for (taken <- io.taken) {
    val e = taken.bits.entry
    when(taken.valid) {
      active(e) := true.B
      needTag(e) := true.B
      block(e) := taken.bits.block
      turn(e) := !turn(e)
      zero(e) := flag.clear
      Seq(blocked, asked, needPad, padThere, tagThere, digestThere, counted).foreach(_(e) := false.B)
    }
  }

  // Counters pass; pads are asked for
  private val result = io.result.bits
  private val resultBlock = block(result.entry)
  private val isImage = result.counter === 0.U
  private val isZero = isImage && resultBlock >= io.imageBlocks && !p.isWrite(result.entry)
  private val straight = io.result.valid && !result.denied && !isZero
  when(io.result.valid) {
    counter.write(result.entry, result.counter)
    key(result.entry) := result.key
    when(result.denied) {
      active(result.entry) := false.B
      needTag(result.entry) := false.B
    }.elsewhen(isZero) {
      zero(result.entry) := flag.set
      if (tree.isEmpty) { needTag(result.entry) := false.B }
    }.otherwise { needPad(result.entry) := true.B }
  }
  private val padIndex = Mux(straight, result.entry, PriorityEncoder(needPad))
  private val padCounter = Mux(straight, result.counter, counter.read(padIndex))
  private val padOfImage = padCounter === 0.U
  private val pad = io.cipher(0).request
  pad.valid := straight || needPad.reduce(_ || _)
  pad.bits.block := AesInput(
    Mux(padOfImage, AesInput.imageMac.U, AesInput.blockMac.U),
    p,
    block(padIndex),
    Mux(padOfImage, io.imageBlocks + 0.U(64.W), padCounter + 0.U(64.W)),
    0.U(8.W)
  )
  pad.bits.slot := Mux(straight, result.key, key(padIndex))
  pad.bits.tweak := false.B
  pad.bits.decrypt := false.B
  pad.bits.tag := padIndex
  when(pad.valid && pad.ready) { needPad(padIndex) := false.B }
  private val answer = io.cipher(0).answer
  when(answer.valid) {
    val e = answer.bits.tag(p.entryBits - 1, 0)
    pads.write(e, answer.bits.block(127, 64))
    padThere(e) := true.B
  }

  // Digests
  for (port <- io.digest) { port.ready := true.B }
  for ((port, writing) <- io.digest.zip(Seq(false, true))) {
    when(port.valid) {
      digestThere(port.bits.entry) := true.B
      refusedData(port.bits.entry) := !writing.B && port.bits.refused
    }
  }
  // One memory of digests for reads and one for writes, so that each has one write port
  private val writeDigests = Mem(n, UInt(64.W))
  when(io.digest(0).valid) { digests.write(io.digest(0).bits.entry, io.digest(0).bits.first) }
  when(io.digest(1).valid) { writeDigests.write(io.digest(1).bits.entry, io.digest(1).bits.first) }

  // Verdicts on reads. A digest that is the last to come is compared as it comes
  private val arriving = io.digest(0)
  private def arrives(e: UInt): Bool = arriving.valid && arriving.bits.entry === e
  private val ripe = VecInit((0 until p.reads).map { e =>
    val tagKnown = if (tree.isEmpty) tagThere(e) || (isBlank(e.U) && !asked(e)) else tagThere(e)
    active(e) && (digestThere(e) || arrives(e.U)) && tagKnown && (padThere(e) || isBlank(e.U))
  })
  private val read = PriorityEncoder(ripe).pad(p.entryBits)
  private val readRipe = ripe.reduce(_ || _)
  private val arrivesNow = arrives(read)
  private val digest = Mux(arrivesNow, arriving.bits.first, digests.read(read))
  private val refusedRead = Mux(arrivesNow, arriving.bits.refused, refusedData(read))
  private val expected = MacVerifier.tag(digest, pads.read(read))
  private val found = stored.read(read)
  private val matches = Mux(
    isBlank(read),
    (if (tree.isEmpty) true.B else found === 0.U),
    p.faults.comparison.confirm(found === expected, found, expected)
  )
  private val mismatch = readRipe && !refusedRead && !matches

  // Look-ups: a read asks early, a write when its tag is made
  private val ready = VecInit((0 until n).map { e =>
    val made = digestThere(e) && padThere(e) && !readRipe
    needTag(e) && !blocked(e) && io.mayLook(e) && (!p.isWrite(e.U) || made)
  })
  private val looks = PriorityEncoder(ready)
  private val lookup = store.io.lookup
  lookup.valid := ready.reduce(_ || _)
  lookup.bits.entry := looks
  lookup.bits.turn := turn(looks)
  lookup.bits.write := p.isWrite(looks)
  lookup.bits.block := block(looks)
  lookup.bits.tag := MacVerifier.tag(writeDigests.read(looks), pads.read(looks))
  io.hit := store.io.hit && !counted(looks)
  io.miss := store.io.miss && !counted(looks)
  when(lookup.valid) {
    counted(looks) := true.B
    blocked(looks) := lookup.answer.blocked && !store.io.retry
    when(lookup.answer.accepted) {
      needTag(looks) := false.B
      asked(looks) := true.B
    }
  }
  when(store.io.retry) { blocked.foreach(_ := false.B) }
  private val recorded = lookup.valid && lookup.answer.accepted && lookup.bits.write
  private val tag = store.io.tag
  when(tag.valid && tag.bits.turn === turn(tag.bits.entry) && asked(tag.bits.entry)) {
    stored.write(tag.bits.entry, tag.bits.tag)
    tagThere(tag.bits.entry) := true.B
  }

  io.verdict.valid := readRipe || recorded
  io.verdict.bits.entry := Mux(readRipe, read, looks)
  private val wrongFlag = (0 until n).map(e => active(e) && flag.faulty(zero(e))).reduce(_ || _)
  io.verdict.bits.ok := !broken && !wrongFlag && (!readRipe || (matches && !refusedRead))
  when(io.verdict.valid) { active(io.verdict.bits.entry) := false.B }

  // The guard of the tag lines, and all traffic
  private val treeFailed = Wire(Valid(UInt(p.memory.addressBits.W)))
  private val treeRefused, treeFaulty = Wire(Bool())
  private val guardIsBusy = Wire(Bool())
  io.busy := guardIsBusy || store.io.busy || (active.asUInt | needTag.asUInt | needPad.asUInt).orR
  tree match {
    case Some(chosen) =>
      val nodes = Module(new HashTreeNodes(p, tags, chosen.nodes, p.verifierIds + tags.ids))
      nodes.io.leaves <> store.io.guard
      nodes.io.hashKeys := io.hashKeys
      nodes.io.keys := io.treeKeys
      io.treeUsesPreviousKey := nodes.io.usesPreviousKey
      nodes.io.imageBlocks := io.imageBlocks
      io.cipher(1) <> nodes.io.cipher
      MemoryJoin(
        io.memory,
        Seq((store.io.memory, p.verifierIds), (nodes.io.memory, p.verifierIds + tags.ids))
      )
      // The tree after its leaves
      io.flushing := LevelFlush(
        io.flush,
        Seq(LevelFlush.Level(store.io.flush, store.io.flushing), LevelFlush.Level(nodes.io.flush, nodes.io.flushing))
      )
      io.nodeHit := nodes.io.hit
      io.nodeMiss := nodes.io.miss
      io.unverified := store.io.unverified || nodes.io.unverified
      io.late := store.io.late || nodes.io.late
      nodes.io.fence := store.io.fenced
      io.fenced := nodes.io.fenced
      treeFailed := nodes.io.failed
      treeRefused := nodes.io.refused
      treeFaulty := nodes.io.faulty
      guardIsBusy := nodes.io.busy
    case None =>
      val guard = Module(new NoGuard(p, tags.mshrs, TagStore.lineBits(p)))
      guard.io.cache <> store.io.guard
      io.memory <> store.io.memory
      store.io.flush := io.flush
      io.flushing := store.io.flushing
      io.unverified := store.io.unverified
      io.late := store.io.late
      io.fenced := store.io.fenced
      treeFailed.valid := false.B
      treeFailed.bits := 0.U
      treeRefused := false.B
      treeFaulty := false.B
      guardIsBusy := guard.io.busy
      withoutNodes()
  }

  private val refused = store.io.refused || treeRefused
  private val failed = store.io.failed.valid || treeFailed.valid
  when(refused || failed || wrongFlag) { broken := true.B }
  private val causes = Seq(
    (wrongFlag, AlarmCause.chipFault.U, 0.U),
    (refused, AlarmCause.ofStore(store.io.faulty || treeFaulty), p.layout.tagBase.U),
    (treeFailed.valid, AlarmCause.metadataMismatch.U, treeFailed.bits),
    (store.io.failed.valid, AlarmCause.metadataMismatch.U, store.io.failed.bits),
    (mismatch, AlarmCause.blockMismatch.U, block(read) << p.core.blockOffsetBits)
  )
  io.alarm := MuxCase(AlarmCause.none.U, causes.map { case (on, cause, _) => on -> cause })
  io.alarmAddress := MuxCase(0.U, causes.map { case (on, _, address) => on -> address })
}

/** The final step of a tag, 64 bits wide. */
object MacVerifier {

  /** A tag, which is never 0: 0 stands for "never written". */
  def tag(digest: UInt, pad: UInt): UInt = {
    val sum = digest ^ pad
    Mux(sum === 0.U, 1.U, sum)
  }
}
