package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort}
import hauberk.memory.common.Geometry

/** Ports of a [[Reencryptor]]. */
class ReencryptorIO(val p: Geometry) extends Bundle {
  val client = Flipped(new MemoryPort(p.merged))
  val core = new MemoryPort(p.reencrypted)
  val reencrypt = Flipped(Decoupled(UInt(p.core.blockIndexBits.W)))

  /** No write of a client may begin; nor does what comes behind it. */
  val hold = Input(Bool())

  /** A re-encryption is complete. */
  val reencrypted = Output(Bool())

  /** Memory refused it, so that the block may be neither under its old counter nor under its new one. With the block. */
  val lost = Valid(UInt(p.core.blockIndexBits.W))
  val touch = Flipped(Decoupled(UInt(p.core.blockIndexBits.W)))
  val touched = Output(Bool())
}

/** Puts re-encryptions into the stream of requests: each reads a block and writes the same bytes back, under a fresh counter and, it may
  * be, another key. Requests for that block wait meanwhile; others pass with no cycle added.
  *
  * It is a write of no bytes through a merger of its own, which no client's request can occupy: what waits for a re-encryption can never
  * hold it up. A mere touch is a read whose answer nobody sees.
  */
class Reencryptor(p: Geometry) extends Module {
  val io = IO(new ReencryptorIO(p))
  private val merger = Module(new PartialWriteMerger(p.reencrypting, p.reencrypted))
  io.core <> merger.io.core
  merger.io.abandon := false.B

  private val busy = RegInit(false.B)
  private val touching = Reg(Bool())
  private val block = Reg(UInt(p.core.blockIndexBits.W))
  private val out = merger.io.client.request
  private val (between, _, _) = Burst.track(
    out.valid && out.ready,
    Mux(out.bits.write, Burst.lastBeat(out.bits.size, p.reencrypting), 0.U)
  )
  private val injects = (io.reencrypt.valid || io.touch.valid) && !busy && between
  io.reencrypt.ready := injects && out.ready
  io.touch.ready := injects && out.ready && !io.reencrypt.valid
  when(injects && out.ready) {
    busy := true.B
    touching := !io.reencrypt.valid
    block := io.reencrypt.bits
  }
  private val held = io.hold && between && io.client.request.bits.write
  out.valid := injects || (io.client.request.valid && !held)
  out.bits := io.client.request.bits
  out.bits.id := Cat(0.U(1.W), io.client.request.bits.id)
  when(injects) {
    out.bits.write := io.reencrypt.valid
    out.bits.partial := io.reencrypt.valid
    out.bits.address := Mux(io.reencrypt.valid, io.reencrypt.bits, io.touch.bits) << p.core.blockOffsetBits
    out.bits.size := p.core.beatOffsetBits.U
    out.bits.id := Cat(1.U(1.W), 0.U(p.merged.idBits.W))
    out.bits.mask := 0.U
    out.bits.data := 0.U
    out.bits.corrupt := false.B
  }
  io.client.request.ready := out.ready && !injects && !held

  private val response = merger.io.client.response
  private val mine = response.bits.id(p.reencrypting.idBits - 1)
  private val done = response.valid && mine // one beat
  io.reencrypted := done && !touching
  io.lost.valid := io.reencrypted && response.bits.denied
  io.lost.bits := block
  io.touched := done && touching
  when(done) { busy := false.B }
  io.client.response.valid := response.valid && !mine
  io.client.response.bits := response.bits
  response.ready := mine || io.client.response.ready
}
