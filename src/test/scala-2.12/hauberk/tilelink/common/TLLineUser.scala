package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import chisel3.util.random.LFSR
import freechips.rocketchip.diplomacy.{IdRange, TransferSizes}
import freechips.rocketchip.tilelink._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** What a [[TLLineUser]] saw or made of a line in this cycle. */
class LineEvent(val lines: Int) extends Bundle {
  val line = UInt(log2Ceil(lines).W)
  val value = UInt(56.W)
}

/** A cache of one line, which acquires one of several lines at random, to read it or to count it up, answers probes, and releases it.
  *
  * Each beat of a line carries its number and the line's value.
  *
  * @param base       first of `lines` lines of 64 bytes
  * @param operations acquisitions until it is finished; it answers probes on
  * @param seed       of its choices
  * @param programs   that use it in turn, each with the first of the lines in a page of its own; `program` says which one does now, if any
  */
class TLLineUser(base: BigInt, lines: Int, operations: Int, seed: Int, programs: Int = 1)(implicit p: Parameters)
    extends LazyModule {
  private val lineBytes = 64
  private val own = lines / programs
  val node = TLClientNode(Seq(TLClientPortParameters(Seq(TLClientParameters(
    name = "line-user",
    sourceId = IdRange(0, 1),
    supportsProbe = TransferSizes(lineBytes, lineBytes)
  )))))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val read = IO(Valid(new LineEvent(lines)))
    val wrote = IO(Valid(new LineEvent(lines)))
    val finished = IO(Output(Bool()))
    val program = if (programs > 1) Some(IO(Flipped(Valid(UInt(log2Ceil(programs).W))))) else None

    /** Lines that were written by anybody: before that, memory holds anything. */
    val written = IO(Input(Vec(lines, Bool())))
    private val (out, edge) = node.out.head
    private val lgSize = log2Ceil(lineBytes).U
    private val random = LFSR(32, seed = Some(BigInt(seed)))
    private val idle :: acquire :: await :: acknowledge :: hold :: release :: awaitAck :: Nil = Enum(7)
    private val state = RegInit(idle)
    private val done = RegInit(0.U(32.W))
    private val line = Reg(UInt(log2Ceil(lines).W))
    private val toTrunk = Reg(Bool())
    private val hasLine, trunk, dirty = RegInit(false.B)
    private val value = Reg(UInt(56.W))
    private val sink = Reg(UInt(edge.bundle.sinkBits.W))
    private def address(of: UInt): UInt = {
      val (page, number) = if (programs == 1) (0.U, of) else (of >> log2Ceil(own), of(log2Ceil(own) - 1, 0))
      base.U + (page << 12) + (number << log2Ceil(lineBytes))
    }

    finished := done === operations.U
    private val runs = program.fold(true.B)(_.valid)
    when(state === idle && !finished && runs && random(3, 0) === 0.U) {
      line := program.fold(random(31, 16))(program => Cat(program.bits, random(15 + log2Ceil(own), 16)))
      toTrunk := random(4)
      state := acquire
    }
    private val grow = Mux(toTrunk, TLPermissions.NtoT, TLPermissions.NtoB)
    out.a.valid := state === acquire
    out.a.bits := edge.AcquireBlock(0.U, address(line), lgSize, grow)._2
    when(out.a.valid && out.a.ready) { state := await }

    private val (dFirst, dLast, _, dCount) = edge.count(out.d)
    private val grants = out.d.bits.opcode === TLMessages.GrantData
    out.d.ready := state === await || state === awaitAck
    private val taken = out.d.valid && out.d.ready
    read.valid := taken && grants && dLast
    read.bits.line := line
    read.bits.value := out.d.bits.data(55, 0)
    when(taken) {
      assert(grants === (state === await), "line user: an answer to something else")
      when(grants) {
        value := out.d.bits.data(55, 0)
        assert(dFirst || value === out.d.bits.data(55, 0) || !known(line), "line user: beats of different lines")
        assert(out.d.bits.data(63, 56) === dCount || !known(line), "line user: beats out of order")
        sink := out.d.bits.sink
        when(dLast) {
          state := acknowledge
          hasLine := true.B
          trunk := out.d.bits.param === TLPermissions.toT
          dirty := false.B
          assert(!toTrunk || out.d.bits.param === TLPermissions.toT, "line user: less than it asked for")
        }
      }.otherwise { state := idle }
    }

    private def known(line: UInt): Bool = written(line)

    out.e.valid := state === acknowledge
    out.e.bits := edge.GrantAck(sink)
    when(out.e.valid && out.e.ready) {
      state := hold
      done := done + 1.U
    }

    // A probe that is being answered; the line is this one's until the first beat of the answer
    private val probed = RegInit(false.B)
    private val probeAddress = Reg(UInt(edge.bundle.addressBits.W))
    private val probeParam = Reg(UInt(2.W))
    private val mine = hasLine && probeAddress === address(line)
    private val (cFirst, cLast, _, cCount) = edge.count(out.c)
    private val releases = state === release
    // A release that has begun goes on
    private val begun = RegInit(false.B)
    out.b.ready := !probed
    when(out.b.valid && out.b.ready) {
      probed := true.B
      probeAddress := out.b.bits.address
      probeParam := out.b.bits.param
    }

    private val writes = state === hold && hasLine && trunk && random(7, 5) === 0.U && !probed
    wrote.valid := writes
    wrote.bits.line := line
    wrote.bits.value := value + 1.U
    when(writes) {
      value := value + 1.U
      dirty := true.B
    }
    when(state === hold && !probed && !writes) {
      when(!hasLine) { state := idle }.elsewhen(random(10, 8) === 0.U) { state := release }
    }

    private val toN = probeParam === TLPermissions.toN
    private val report = Mux(
      mine,
      Mux(trunk, Mux(toN, TLPermissions.TtoN, TLPermissions.TtoB), Mux(toN, TLPermissions.BtoN, TLPermissions.BtoB)),
      TLPermissions.NtoN
    )
    private val data = Cat(0.U(5.W), cCount(2, 0), value)
    private val answer = Mux(
      mine && dirty,
      edge.ProbeAck(0.U, probeAddress, lgSize, report, data),
      edge.ProbeAck(0.U, probeAddress, lgSize, report)
    )
    private val shrink = Mux(trunk, TLPermissions.TtoN, TLPermissions.BtoN)
    private val leave = Mux(
      dirty,
      edge.Release(0.U, address(line), lgSize, shrink, data)._2,
      edge.Release(0.U, address(line), lgSize, shrink)._2
    )
    private val leaves = releases && (begun || !probed)
    out.c.valid := probed || leaves
    out.c.bits := Mux(leaves, leave, answer)
    when(out.c.valid && out.c.ready) {
      begun := leaves && !cLast
      when(cLast) {
        when(leaves) {
          hasLine := false.B
          state := awaitAck
        }.otherwise {
          probed := false.B
          when(mine) {
            dirty := false.B
            trunk := false.B
            when(toN) { hasLine := false.B }
          }
        }
      }
    }
    // What was probed away need not be released
    when(releases && !begun && !hasLine && !probed) {
      state := idle
      out.c.valid := false.B
    }
  }
}
