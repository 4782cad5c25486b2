package hauberk.tilelink.exports

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.TestClient
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A master without a gate writes a block and reads it three times. Exports are forbidden after the first beats of the second answer. */
class ExportCut(implicit p: Parameters) extends LazyModule {
  private val beats = 8
  private val client = TestClient("cut", sources = 1)
  private val gate = LazyModule(new TLDataGate)
  private val memory = LazyModule(new TLRAM(AddressSet(ExportBench.memory, 0xfff), beatBytes = 8))
  memory.node := TLFragmenter(8, 8 * beats) := gate.node := client

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    private val (out, edge) = client.out.head
    private val accesses = RegInit(0.U(3.W))
    private val waiting = RegInit(false.B)
    private val (_, _, sent, sentBeats) = edge.count(out.a)
    private val (_, _, answered, _) = edge.count(out.d)
    private val readBeats = RegInit(0.U(6.W))
    private val writes = accesses < 2.U

    // A single byte before the block: firtool makes a mask that never changes one of the first byte
    private val writeSize = Mux(accesses === 0.U, 0.U, log2Ceil(8 * beats).U)
    private def beat(number: UInt) = Fill(8, 0x50.U(8.W) | number)
    finished := accesses === 5.U
    out.a.valid := !waiting && !finished
    out.a.bits := Mux(
      writes,
      edge.Put(0.U, ExportBench.memory.U, writeSize, beat(sentBeats))._2,
      edge.Get(0.U, ExportBench.memory.U, log2Ceil(8 * beats).U)._2
    )
    out.b.ready := true.B
    out.c.valid := false.B
    out.d.ready := true.B
    out.e.valid := false.B
    when(sent) { waiting := true.B }
    when(answered) {
      waiting := false.B
      accesses := accesses + 1.U
    }

    private val forbidden = readBeats >= (beats + 3).U
    gate.module.exports.unverified := false.B
    gate.module.exports.checking := false.B
    gate.module.exports.forbidden := forbidden
    when(out.d.valid && !writes) {
      readBeats := readBeats + 1.U
      assert(out.d.bits.data === Mux(forbidden, 0.U, beat(readBeats(2, 0))), "wrong data")
      assert(out.d.bits.corrupt === forbidden, "a beat is not marked as it should be")
      assert(out.d.bits.denied === (readBeats >= (2 * beats).U), "denied must hold for an answer as a whole")
    }
  }
}
