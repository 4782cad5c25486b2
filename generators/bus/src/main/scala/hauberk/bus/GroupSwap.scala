package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.AesResponse

/** State of a group without an entry. Its masks and MACs do not: a group that comes back is set up anew. */
class GroupContext(val p: BusParams) extends Bundle {
  val group = UInt(p.gidBits.W)
  val row = UInt(p.members.W)
  val interval = UInt(32.W)
  val key = UInt(128.W)
}

/** The size of an encrypted context. */
object GroupContext {

  /** Words of 64 bits of an encrypted context: its MAC, its key, and the rest. */
  val words = 6
}

/** Encrypts the contexts of groups that are swapped out, and takes them back (section 4.2, Maintaining the mask).
  *
  * A context is two blocks, the key B0 and the rest B1 with the member's PID. Its MAC T = AES(s1, AES(s1, B0) xor B1) is at once the initial
  * value by which they are encrypted, C0 = B0 xor AES(s2, T), C1 = B1 xor AES(s2, T xor 1). The secrets s1 and s2 are this member's own,
  * random, and last until reset. What was not made by this member since then is refused. An old context that is swapped in a second
  * time brings back nothing but the key: masks and MACs come from the set-up that follows.
  */
class GroupSwap(val p: BusParams, tagBits: Int) extends Module {
  val io = IO(new Bundle {
    val pid = Input(UInt(p.pidBits.W))

    /** Something is under way: nothing else can be begun. */
    val busy = Output(Bool())

    /** A group leaves; its words follow. */
    val leave = Flipped(Valid(new GroupContext(p)))
    val out = Decoupled(UInt(64.W))

    /** The words of a group that comes back; then what they were, if they are good. */
    val in = Flipped(Decoupled(UInt(64.W)))
    val back = Valid(new GroupContext(p))
    val bad = Output(Bool())

    val random = Flipped(Decoupled(UInt(64.W)))
    val service = Decoupled(new ServiceRequest(tagBits))
    val answer = Flipped(Valid(new AesResponse(tagBits)))
  })
  private val words = GroupContext.words
  private val idle :: draw :: mac :: crypt :: show :: judge :: Nil = Enum(6)
  private val state = RegInit(idle)
  private val secrets = RegInit(VecInit(Seq.fill(4)(0.U(64.W))))
  private val drawn = RegInit(0.U(3.W))
  private val leaves = RegInit(false.B)
  private val count = RegInit(0.U(3.W))
  private val asked = RegInit(false.B)
  private val step = RegInit(0.U(1.W))

  /** T and the two blocks, encrypted or not; and the MAC as it is found. */
  private val held = RegInit(VecInit(Seq.fill(3)(0.U(128.W))))
  private val found = RegInit(0.U(128.W))

  private val rest = Cat(
    io.leave.bits.group + 0.U(8.W),
    io.pid + 0.U(8.W),
    0.U(48.W),
    io.leave.bits.row + 0.U(32.W),
    io.leave.bits.interval
  )
  io.busy := state =/= idle || count =/= 0.U
  io.random.ready := state === draw
  io.service.valid := (state === mac || state === crypt) && !asked
  io.service.bits.tag := 0.U
  io.service.bits.key := Mux(state === mac, Cat(secrets(0), secrets(1)), Cat(secrets(2), secrets(3)))
  io.service.bits.block := Mux(
    state === mac,
    Mux(step === 0.U, held(1), found ^ held(2)),
    held(0) ^ step
  )
  when(io.service.valid && io.service.ready) { asked := true.B }
  private val answered = asked && io.answer.valid
  when(answered) { asked := false.B }

  io.out.valid := state === show
  io.out.bits := Mux(state === show, held(0)(127, 64), 0.U)
  io.in.ready := state === idle && !io.leave.valid
  private def shift(last: UInt): Unit = {
    val all = Cat(Cat(held)(64 * (words - 1) - 1, 0), last)
    for (i <- 0 until 3) { held(i) := all(128 * (3 - i) - 1, 128 * (2 - i)) }
  }

  private val good = found === held(0) && held(2)(119, 112) === io.pid
  io.back.valid := state === judge && good
  io.bad := state === judge && !good
  io.back.bits.key := held(1)
  io.back.bits.group := held(2)(127, 120)
  io.back.bits.row := held(2)(63, 32)
  io.back.bits.interval := held(2)(31, 0)
  when(!io.back.valid) { io.back.bits := 0.U.asTypeOf(new GroupContext(p)) }

  private def begin(leaving: Boolean): Unit = {
    leaves := leaving.B
    step := 0.U
    state := Mux(drawn === 4.U, (if (leaving) mac else crypt), draw)
  }
  switch(state) {
    is(idle) {
      when(io.leave.valid) {
        held(1) := io.leave.bits.key
        held(2) := rest
        begin(leaving = true)
      }.elsewhen(io.in.valid) {
        shift(io.in.bits)
        count := Mux(count === (words - 1).U, 0.U, count + 1.U)
        when(count === (words - 1).U) { begin(leaving = false) }
      }
    }
    is(draw) {
      when(io.random.valid) {
        secrets(drawn(1, 0)) := io.random.bits
        drawn := drawn + 1.U
        when(drawn === 3.U) { state := Mux(leaves, mac, crypt) }
      }
    }
    is(mac) {
      when(answered) {
        found := io.answer.bits.block
        step := ~step
        when(step === 1.U) {
          when(leaves) { held(0) := io.answer.bits.block }
          state := Mux(leaves, crypt, judge)
        }
      }
    }
    is(crypt) {
      when(answered) {
        when(step === 0.U) { held(1) := held(1) ^ io.answer.bits.block }.otherwise {
          held(2) := held(2) ^ io.answer.bits.block
          state := Mux(leaves, show, mac)
        }
        step := ~step
      }
    }
    is(show) {
      when(io.out.ready) {
        shift(0.U(64.W))
        count := Mux(count === (words - 1).U, 0.U, count + 1.U)
        when(count === (words - 1).U) { state := idle }
      }
    }
    is(judge) {
      held.foreach(_ := 0.U)
      found := 0.U
      state := idle
    }
  }
}
