package hauberk.tilelink.contexts

import hauberk.tilelink.common._
import org.scalatest.flatspec.AnyFlatSpec

/** What a cache gets in place of lines that it must not have. */
// covers: soc.coherent-guard
class AbortPageSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val sink = 3
  private val size = 6
  private val ones = (BigInt(1) << 64) - 1
  private val idle = Cycle().gives("acquire.ready" -> 1, "release.ready" -> 1, "answer.valid" -> 0)
  private val acknowledges = Cycle("acknowledged" -> 1)
  private val waits = Cycle().gives("acquire.ready" -> 0, "answer.valid" -> 0)

  private def acquires(opcode: Int, source: Int) = Cycle(
    "acquire.valid" -> 1,
    "acquire.opcode" -> opcode,
    "acquire.source" -> source,
    "acquire.size" -> size
  ).gives("acquire.ready" -> 1, "answer.valid" -> 0)
  private def answer(opcode: Int, source: Int, more: (String, BigInt)*) = Cycle("answer.ready" -> 1).gives(
    Seq[(String, BigInt)](
      "answer.valid" -> 1,
      "answer.opcode" -> opcode,
      "answer.param" -> 0,
      "answer.source" -> source,
      "answer.size" -> size,
      "answer.denied" -> 0,
      "answer.corrupt" -> 0
    ) ++ more: _*
  )
  private def granted(source: Int) = answer(grant, source, "answer.sink" -> sink, "acquire.ready" -> 0)
  private def line(source: Int) = Seq.fill(beats(size))(
    answer(grantData, source, "answer.sink" -> sink, "answer.data" -> ones, "acquire.ready" -> 0)
  )

  // A GrantAck comes after the grant, with its last beat, or with its first
  private val lines = Seq(
    (acquires(acquireBlock, 2) +: line(2)) ++ Seq(waits, acknowledges),
    (acquires(acquireBlock, 5) +: line(5).init) :+ line(5).last.also("acknowledged" -> 1),
    Seq(acquires(acquireBlock, 1), line(1).head.also("acknowledged" -> 1)) ++ line(1).tail,
    // The acknowledgement of an earlier grant is none of this one
    (acquires(acquireBlock, 7) +: line(7)) ++ Seq(waits, acknowledges)
  )
  private val permissions =
    Seq(1, 6).flatMap(source => Seq(acquires(acquirePerm, source), granted(source), waits, waits, acknowledges))

  private def leaves(opcode: Int, source: Int) = Cycle(
    "release.valid" -> 1,
    "release.opcode" -> opcode,
    "release.source" -> source,
    "release.size" -> size
  ).gives("release.ready" -> 1)
  private def released(source: Int) = answer(releaseAck, source, "release.ready" -> 0)
  private val releases = Seq(leaves(release, 4), released(4), idle) ++
    Seq.fill(beats(size))(leaves(releaseData, 3).gives("release.ready" -> 1, "answer.valid" -> 0)) ++
    Seq(Cycle().gives(released(3).out.toSeq: _*), released(3), idle)
  // A release waits for no GrantAck, and its answer for no grant that has not begun
  private val releasesBetween = (acquires(acquireBlock, 2) +: line(2)) ++
    Seq(leaves(release, 4), released(4).gives("acquire.ready" -> 0), waits, acknowledges, idle) ++
    Seq(acquires(acquirePerm, 2).also(leaves(release, 4).in.toSeq: _*), released(4), granted(2), acknowledges, idle)

  private val scenarios = Seq(lines.flatMap(_ :+ idle), permissions :+ idle, releases, releasesBetween)
  private lazy val abort = play("abort-page", scenarios, IdleEdge.cache("cache", 0, 8))((in, _) =>
    chisel3.Module(new AbortPage(in, sink)).io
  )

  "a cache that acquires a line it must not have" should "be granted ones, as a whole line of its source and size" in
    abort.run(limit = 500, select = 0)
  it should "be granted a permission without data" in abort.run(limit = 500, select = 1)

  "a line that it releases" should "vanish, and be acknowledged after its last beat" in
    abort.run(limit = 500, select = 2)
  it should "wait for no grant" in abort.run(limit = 500, select = 3)
}
