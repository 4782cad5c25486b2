package hauberk.soc

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.{QuietRegisters, RegisterMap}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A DMA master for tests: copies memory by its registers ([[TestDmaMap]]), eight bytes at a time, and stops at the first access that is denied. It is
  * no tile, so guards and gates must treat it as any other master.
  *
  * @param beatBytes width in bytes of the bus of the registers
  */
class TestDma(beatBytes: Int)(implicit p: Parameters) extends LazyModule with QuietRegisters {

  /** To a bus of eight bytes. */
  val node = TLClientNode(Seq(TLClientPortParameters(Seq(
    TLMasterParameters.v1(name = "test-dma", sourceId = IdRange(0, 1))
  ))))
  val controlNode = TLRegisterNode(
    RegisterMap.block(TestDmaMap.all.base),
    new SimpleDevice("test-dma", Seq("hauberk,test-dma")),
    beatBytes = beatBytes
  )

  lazy val module = new Impl

  /** One access at a time: a read of a word, then its write. */
  class Impl extends LazyModuleImp(this) {
    private val (out, edge) = node.out.head
    private val lgWord = 3
    private val source, destination = RegInit(0.U(64.W))
    private val from, to, words = Reg(UInt((64 - lgWord).W))
    private val data = Reg(UInt(64.W))
    private val busy, waits, writes, deniedRead, deniedWrite = RegInit(false.B)
    private val go = Wire(Valid(UInt(64.W)))
    when(go.valid && !busy) {
      busy := go.bits >> lgWord =/= 0.U
      words := go.bits >> lgWord
      from := source >> lgWord
      to := destination >> lgWord
      deniedRead := false.B
      deniedWrite := false.B
    }

    private val word = Mux(writes, to, from)
    private val address = Cat(word, 0.U(lgWord.W))(edge.bundle.addressBits - 1, 0)
    private val (mayRead, read) = edge.Get(0.U, address, lgWord.U)
    private val (mayWrite, write) = edge.Put(0.U, address, lgWord.U, data)
    private val exists =
      edge.manager.containsSafe(address) && Cat(word, 0.U(lgWord.W)) >> edge.bundle.addressBits === 0.U
    private val legal = exists && Mux(writes, mayWrite, mayRead)
    out.a.valid := busy && !waits && legal
    out.a.bits := Mux(writes, write, read)
    out.b.ready := true.B
    out.c.valid := false.B
    out.d.ready := true.B
    out.e.valid := false.B
    when(out.a.valid && out.a.ready) { waits := true.B }

    private val answered = out.d.valid
    private val denied = answered && (out.d.bits.denied || out.d.bits.corrupt) || (busy && !waits && !legal)
    when(answered) {
      waits := false.B
      writes := !writes
      when(!writes) { data := out.d.bits.data }
      when(writes) {
        from := from + 1.U
        to := to + 1.U
        words := words - 1.U
        busy := words =/= 1.U
      }
    }
    when(denied) {
      busy := false.B
      writes := false.B
      when(writes) { deniedWrite := true.B }.otherwise { deniedRead := true.B }
    }

    private val map = TestDmaMap
    controlNode.regmap(
      map.id.readConstant,
      map.status.read(Cat(deniedWrite, deniedRead, busy)),
      map.source.rw(source),
      map.destination.rw(destination),
      map.go.write(go)
    )
  }
}
