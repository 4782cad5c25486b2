package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort}
import hauberk.memory.common.{AlarmCause, Geometry, Reencryption}

/** A refused access. */
class Violation(val addressBits: Int) extends Bundle {
  val cause = UInt(AlarmCause.width.W)
  val address = UInt(addressBits.W)
}

/** Ports of the [[Ingress]]. */
class IngressIO(val p: Geometry) extends Bundle {
  val client = Flipped(new MemoryPort(p.client))
  val core = new MemoryPort(p.core)

  /** Requests may enter: armed, not halted, keyed. */
  val open = Input(Bool())

  /** A request was refused in this cycle. */
  val violation = Valid(new Violation(p.client.addressBits))

  /** The core denies every answer to its client. */
  val denies = Input(Bool())

  /** No write of the client may begin, nor any request behind it. */
  val hold = Input(Bool())

  /** Blocks to be re-encrypted; and the slot of one that is. */
  val reencrypt = Flipped(Decoupled(new Reencryption(p)))
  val reencrypted = Valid(UInt(p.reencryptionBits.W))

  /** The core has room for a re-encryption beside what is kept for one. */
  val spare = Input(Bool())

  /** Memory refused a re-encryption: the block may be neither under its old counter nor under its new one. With the block. */
  val lost = Valid(UInt(p.core.blockIndexBits.W))

  /** A block to be read for the read's side effect; its bytes are discarded. */
  val touch = Flipped(Decoupled(UInt(p.core.blockIndexBits.W)))
  val touched = Output(Bool())

  /** A refused request is not answered yet. */
  val busy = Output(Bool())
}

/** Entry of the [[TransactionCore]]: arbitrates requests of the client, re-encryptions and touches. Adds no cycle.
  *
  * A request of the client passes if the engine is open and it stays inside the data region; else it is denied, and nothing of it enters. The decision is made
  * at the first beat and holds for the whole request. Re-encryptions and touches go in between two requests, and no
  * request of a client can hold them up, since others may be waiting for a re-encryption. A re-encryption is a partial write of no bytes.
  */
class Ingress(p: Geometry) extends Module {
  val io = IO(new IngressIO(p))
  private val internalBit = p.core.idBits - 1
  private val head = io.client.request
  private val (first, last, _) = Burst.track(
    head.valid && head.ready,
    Mux(head.bits.write, Burst.lastBeat(head.bits.size, p.client), 0.U)
  )

  // Refuse
  private val denials = Module(new Denials(p.client))
  private val refusing = Reg(Bool())
  private val refuse = Mux(first, !io.open || head.bits.address >= p.layout.dataBytes.U, refusing)
  when(head.valid && head.ready) { refusing := refuse }
  denials.io.refused.valid := head.valid && refuse && last
  denials.io.refused.bits := head.bits
  io.busy := denials.io.busy
  io.violation.valid := head.valid && head.ready && refuse && first
  io.violation.bits.cause := Mux(io.open, AlarmCause.outsideData.U, AlarmCause.notArmed.U)
  io.violation.bits.address := head.bits.address

  // Enter
  private val out = io.core.request
  private val response = io.core.response
  private val mine = WireDefault(false.B)
  private val injects = WireDefault(false.B)
  private val held = io.hold && first && head.bits.write
  out.valid := injects || (head.valid && !refuse && !held)
  out.bits := head.bits
  head.ready := Mux(refuse, denials.io.refused.ready, out.ready && !injects && !held)

  io.reencrypt.ready := false.B
  io.reencrypted.valid := false.B
  io.reencrypted.bits := 0.U
  io.lost.valid := false.B
  io.lost.bits := 0.U
  io.touch.ready := false.B
  io.touched := false.B
  if (p.reencrypts) {
    val busy = RegInit(0.U(p.reencryptions.W))
    val touching = RegInit(false.B)
    val blocks = Reg(Vec(p.reencryptions, UInt(p.core.blockIndexBits.W)))
    val isAlone = !busy.orR && !touching
    val asked = UIntToOH(io.reencrypt.bits.slot, p.reencryptions)
    // Only the first may wait at the head, where clients wait behind it: room is kept for it
    val reencrypts = io.reencrypt.valid && first && (isAlone || (io.spare && !touching && !(busy & asked).orR))
    val touches = io.touch.valid && first && isAlone && !io.reencrypt.valid
    injects := reencrypts || touches
    io.reencrypt.ready := reencrypts && out.ready
    io.touch.ready := touches && out.ready
    when(injects) {
      out.bits.write := reencrypts
      out.bits.partial := reencrypts
      out.bits.address := Mux(reencrypts, io.reencrypt.bits.block, io.touch.bits) << p.core.blockOffsetBits
      out.bits.size := p.core.beatOffsetBits.U
      out.bits.id := (BigInt(1) << internalBit).U | Mux(reencrypts, io.reencrypt.bits.slot, 0.U)
      out.bits.mask := 0.U
      out.bits.data := 0.U
      out.bits.corrupt := false.B
    }
    mine := response.bits.id(internalBit)
    val done = response.valid && mine // one beat
    val slot = response.bits.id(p.reencryptionBits - 1, 0)
    val begins = reencrypts && out.ready
    busy := (busy | Mux(begins, asked, 0.U)) & ~Mux(done, UIntToOH(slot, p.reencryptions), 0.U)
    when(begins) { blocks(io.reencrypt.bits.slot) := io.reencrypt.bits.block }
    touching := (touching || (touches && out.ready)) && !done
    io.reencrypted.valid := done && !touching
    io.reencrypted.bits := slot
    io.lost.valid := io.reencrypted.valid && response.bits.denied
    io.lost.bits := blocks(slot)
    io.touched := done && touching
  }

  // Answer
  denials.io.inside.valid := response.valid && !mine
  denials.io.inside.bits := response.bits
  when(io.denies) {
    denials.io.inside.bits.denied := true.B
    denials.io.inside.bits.data := 0.U
  }
  response.ready := mine || denials.io.inside.ready
  io.client.response <> denials.io.client
}
