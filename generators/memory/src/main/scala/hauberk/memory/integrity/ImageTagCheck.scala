package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AesInput, Geometry, KeySlot, MetadataCacheParams}
import hauberk.memory.cipher.{CipherPort, HashKeys, PolynomialHash}
import hauberk.memory.cache.NoGuard

/** A block of the image that a verifier of long hashes sees for the first time. */
class ImageTagCheckJob(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val block = UInt(p.core.blockIndexBits.W)

  /** First hash, under the static key, of the block's number and its words. */
  val digest = UInt(64.W)
}

/** Checks a block against the tag that the image brought, for the log hash, in which every other block needs none. One at a time: it takes
  * as long as the tag, the pad and the removal of the block's number from the hash, which the tags of an image do not have, whichever
  * is last.
  *
  * @param tags    geometry of the cache of tag lines, which nothing ever changes
  * @param firstId first of `tags.ids` identifiers on the memory side
  */
class ImageTagCheck(p: Geometry, tags: MetadataCacheParams, firstId: Int) extends Module {
  private val steps = p.bank.blockBytes / 8 + 1
  val io = IO(new Bundle {
    val job = Flipped(Decoupled(new ImageTagCheckJob(p)))
    val verdict = Valid(new Verdict(p))
    val cipher = new CipherPort(p)
    val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
    val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
    val memory = new MemoryPort(p.memory)

    /** Memory refused a tag line. */
    val refused = Output(Bool())

    /** `refused`, because of the chip's own memory. */
    val faulty = Output(Bool())

    /** A block is being checked, or a tag line is in flight. */
    val busy = Output(Bool())
  })
  private val store = Module(new TagStore(p, tags, firstId))
  private val guard = Module(new NoGuard(p, tags.mshrs, TagStore.lineBits(p)))
  guard.io.cache <> store.io.guard
  io.memory <> store.io.memory
  io.refused := store.io.refused
  io.faulty := store.io.faulty
  store.io.flush := false.B
  store.io.fence := false.B

  private val busy = RegInit(false.B)
  private val job = Reg(new ImageTagCheckJob(p))
  private val needTag, needPad, tagThere, padThere = RegInit(false.B)
  private val tag, pad, number = Reg(UInt(64.W))
  private val step = Reg(UInt(log2Ceil(steps + 1).W))
  private val multiplied = step === steps.U
  private val decided = busy && tagThere && padThere && multiplied

  io.job.ready := !busy
  io.busy := busy || store.io.busy || guard.io.busy
  when(io.job.valid && io.job.ready) {
    busy := true.B
    job := io.job.bits
    number := io.job.bits.block
    step := 0.U
    needTag := true.B
    needPad := true.B
    tagThere := false.B
    padThere := false.B
  }
  // The number is the first word of the message: it counts by the highest power of the key
  when(busy && !multiplied) {
    number := PolynomialHash.step(0.U(64.W), number, io.hashKeys(KeySlot.static).first)
    step := step + 1.U
  }

  store.io.lookup.valid := busy && needTag
  store.io.lookup.bits.entry := job.entry
  store.io.lookup.bits.turn := false.B
  store.io.lookup.bits.write := false.B
  store.io.lookup.bits.block := job.block
  store.io.lookup.bits.tag := 0.U
  when(store.io.lookup.answer.accepted) { needTag := false.B }
  when(store.io.tag.valid) {
    tagThere := true.B
    tag := store.io.tag.bits.tag
  }

  io.cipher.request.valid := busy && needPad
  io.cipher.request.bits.block := AesInput(AesInput.imageMac, p, job.block, io.imageBlocks + 0.U(64.W), 0.U(8.W))
  io.cipher.request.bits.slot := KeySlot.static.U
  io.cipher.request.bits.tweak := false.B
  io.cipher.request.bits.decrypt := false.B
  io.cipher.request.bits.tag := 0.U
  when(io.cipher.request.valid && io.cipher.request.ready) { needPad := false.B }
  when(io.cipher.answer.valid) {
    padThere := true.B
    pad := io.cipher.answer.bits.block(127, 64)
  }

  io.verdict.valid := decided
  io.verdict.bits.entry := job.entry
  io.verdict.bits.ok := tag === MacVerifier.tag(job.digest ^ number, pad)
  when(decided) { busy := false.B }
}
