package hauberk.bus

import chisel3._
import chisel3.util._

/** A look at the mask a beat of `source` would take now. */
class MaskQuery(val p: BusParams) extends Bundle {
  val source = Input(UInt(p.pidBits.W))
  val ready = Output(Bool())
  val mask = Output(UInt(p.sharedBus.widthBits.W))
}

/** Ports of a [[MaskArray]]. */
class MaskArrayIO(val p: BusParams) extends Bundle {

  /** Erases everything, for a new set-up. */
  val clear = Input(Bool())

  /** A first mask, while the group is not open yet. */
  val first = Flipped(Valid(new TransferResult(p)))
  val results = Flipped(Vec(p.ciphers, Valid(new TransferResult(p))))

  /** For the beat to send, and for the received beat. */
  val own = new MaskQuery(p)
  val received = new MaskQuery(p)

  /** A transfer with this source and this ciphertext passes; with data, it takes its mask. */
  val use = Flipped(Valid(new BusBeat(p)))

  /** Job for the cipher. */
  val pid = Output(UInt(p.pidBits.W))
  val slot = Output(UInt(TransferCipher.slotBits.W))
  val inputs = Output(Vec(p.lanes, UInt(128.W)))

  /** A number has come to its end: nothing may be sent until the next set-up. */
  val exhausted = Output(Bool())
}

/** The masks of a group, for the next data of a transfer, made in the background (sections 4.2 and 4.4).
  *
  * The masks of a slot can be used again `aesLatency` cycles after they were, and are never used twice. With [[BusMasks.Chained]] the
  * members have `masks` slots in common, used in turn by all transfers; a transfer without data passes its slot over, which keeps its
  * masks. With [[BusMasks.PerSender]] there are so many slots a sender, used in turn by its transfers.
  */
class MaskArray(val p: BusParams) extends Module {
  val io = IO(new MaskArrayIO(p))
  private val slots = p.secure.masks
  private val perSender = p.secure.maskSource == BusMasks.PerSender
  private val senders = if (perSender) p.members else 1

  /** The masks of one sender: for each slot 128 bits a lane, which lanes are present, the next slot, and the transfers so far. */
  private class Sender(pid: Int) {
    val masks = Reg(Vec(slots, Vec(p.lanes, UInt(128.W))))
    val present = RegInit(VecInit(Seq.fill(slots)(0.U(p.lanes.W))))
    val pointer = RegInit(0.U(log2Ceil(slots).max(1).W))
    val count = RegInit(0.U(BusInput.countBits.W))
    val slotClock = Module(new SlotClock(slots, p.secure.aesLatency))
    val mine = if (perSender) io.use.bits.source === pid.U else true.B
    val passes = io.use.valid && mine && (if (perSender) io.use.bits.hasData else true.B)
    val takes = io.use.valid && mine && io.use.bits.hasData
    val ready = Choose(slotClock.io.ready, pointer) && Choose(present, pointer).andR
    val mask = Choose(masks, pointer).asUInt

    slotClock.io.clear := io.clear
    slotClock.io.use.valid := takes
    slotClock.io.use.bits := pointer
    private val writes = io.first +: io.results
    for {
      slot <- 0 until slots
      lane <- 0 until p.lanes
    } {
      val hits = writes.map { write =>
        write.valid && write.bits.isMask && write.bits.slot === slot.U && write.bits.lane === lane.U &&
        (if (perSender) write.bits.pid === pid.U else true.B)
      }
      when(io.clear) { masks(slot)(lane) := 0.U }.elsewhen(VecInit(hits).asUInt.orR) {
        masks(slot)(lane) := Mux1H(hits, writes.map(_.bits.block))
      }
    }
    for (slot <- 0 until slots) {
      val written = VecInit((0 until p.lanes).map { lane =>
        VecInit(writes.map { write =>
          write.valid && write.bits.isMask && write.bits.slot === slot.U && write.bits.lane === lane.U &&
          (if (perSender) write.bits.pid === pid.U else true.B)
        }).asUInt.orR
      }).asUInt
      present(slot) := Mux(io.clear || (takes && pointer === slot.U), 0.U, present(slot) | written)
    }
    when(io.clear) {
      pointer := 0.U
      count := 0.U
    }.elsewhen(passes) {
      pointer := Mux(pointer === (slots - 1).U, 0.U, pointer + 1.U)
      count := count + 1.U
    }
  }
  private val all = Seq.tabulate(senders)(new Sender(_))
  private def of[T <: Data](source: UInt, field: Sender => T): T =
    if (perSender) Choose(all.map(field), source) else field(all.head)

  for (query <- Seq(io.own, io.received)) {
    query.ready := of(query.source, _.ready)
    query.mask := of(query.source, _.mask)
  }
  private val source = io.use.bits.source
  private val count = of(source, _.count)
  io.pid := (if (perSender) source else 0.U)
  io.slot := of(source, _.pointer)
  for ((input, lane) <- io.inputs.zipWithIndex) {
    val cipher = io.use.bits.data((lane + 1) * 128 - 1, lane * 128)
    input := (if (perSender) BusInput.block(BusInput.senderMask.U, lane.U, source, count + slots.U, 0.U)
              else BusInput.block(BusInput.nextMask.U, lane.U, source, count, BusInput.fold(cipher)))
  }
  // The last numbers, those that slots run ahead by included, are left unused
  io.exhausted := VecInit(all.map(_.count(BusInput.countBits - 1, 5).andR)).asUInt.orR
}
