package hauberk.tilelink.common

import org.scalatest.flatspec.AnyFlatSpec

class TLDenierSpec extends AnyFlatSpec with CycleTest {
  import Opcode._
  private val source = 5

  /** A request, beat by beat, and its answer, which waits a cycle. Nothing else is taken until the answer has left. */
  private def denied(opcode: Int, size: Int, writes: Boolean, reads: Boolean, answer: Int): Seq[Cycle] = {
    def count(carries: Boolean) = if (carries) beats(size) else 1
    val asks = Cycle(
      "request.valid" -> 1,
      "request.opcode" -> opcode,
      "request.size" -> size,
      "request.source" -> source
    )
    val answers = asks.gives(
      "request.ready" -> 0,
      "answer.valid" -> 1,
      "answer.opcode" -> answer,
      "answer.param" -> 0,
      "answer.size" -> size,
      "answer.source" -> source,
      "answer.denied" -> 1,
      "answer.corrupt" -> (if (reads) 1 else 0),
      "answer.data" -> 0
    )
    Seq.fill(count(writes))(asks.gives("request.ready" -> 1, "answer.valid" -> 0)) ++
      (answers +: Seq.fill(count(reads))(answers.also("answer.ready" -> 1))) :+
      Cycle().gives("request.ready" -> 1, "answer.valid" -> 0)
  }
  private val scenario = (0 to 6).flatMap(size =>
    denied(get, size, writes = false, reads = true, accessAckData) ++
      denied(putFull, size, writes = true, reads = false, accessAck) ++
      denied(putPartial, size, writes = true, reads = false, accessAck) ++
      denied(hint, size, writes = false, reads = false, hintAck)
  ) ++ (0 to 3).flatMap(size =>
    denied(arithmetic, size, writes = true, reads = true, accessAckData) ++
      denied(logical, size, writes = true, reads = true, accessAckData)
  )

  "a denied request" should "get the answer of its kind, size and source, denied, and corrupt if it carries data" in
    play("denier", Seq(scenario), IdleEdge.master("master", 0, 8))((in, _) =>
      chisel3.Module(new TLDenier(in)).io
    ).run(limit = 2000)
}
