package hauberk.crypto

import chisel3._
import chisel3.util._

/** One 64-bit word of a key of 128 bits, as in a [[KeyWrite]]. */
class KeyWord extends Bundle {
  val word = UInt(1.W)
  val data = UInt(64.W)
}

/** Ports of [[KeyUnwrap]]. */
class KeyUnwrapIO extends Bundle {
  val kek = Input(UInt(128.W))
  val kekValid = Input(Bool())
  val wrapped = Input(Vec(3, UInt(64.W)))
  val start = Input(Bool())
  val busy = Output(Bool())
  val failed = Output(Bool())
  val key = Valid(new KeyWord)
}

/** Unwraps a 128-bit key that was wrapped under a 128-bit key-encryption key (RFC 3394, section 2.2.2).
  *
  * `start` takes `kek` and `wrapped` (the three 64-bit words of the wrapped key in order, first byte most significant) in the
  * same cycle; it is ignored while `busy`. About 150 cycles later either `key` is valid for two cycles, the words of the key one
  * after the other, or, if the integrity check fails, `failed` rises, and stays until the next start. A start without `kekValid` fails at once.
  * `key` is zero while it is not valid, and nothing of a key stays inside after the end.
  *
  * @param gated the clock of its cipher stops while that is empty
  * @param datapath what computes the blocks of its cipher
  */
class KeyUnwrap(
    sBox: SBoxStyle = SBoxStyle.BoyarPeralta,
    gated: Boolean = false,
    datapath: AesDatapath = AesDatapath.Rounds
) extends Module {
  val io = IO(new KeyUnwrapIO {

    /** Registers may change in the next cycle without a start. */
    val running = Output(Bool())
  })

  private val steps = 12
  private val params =
    AesParams(128, AesDirection.Decrypt, AesArchitecture.Iterative, sBox, gated = gated, datapath = datapath)
  private val cipher = Module(new AesCipher(params, slots = 1))
  private val idle :: loading :: running :: checking :: giving :: Nil = Enum(5)
  private val phase = RegInit(idle)
  private val failed = RegInit(false.B)

  /** RFC 3394's A, R[1] and R[2]. While `loading`, the key-encryption key waits in `kek`. */
  private val a = RegInit(0.U(64.W))
  private val r = RegInit(VecInit(Seq.fill(2)(0.U(64.W))))
  private val kek = RegInit(VecInit(Seq.fill(2)(0.U(64.W))))
  private val word = RegInit(false.B)

  /** RFC 3394's t, from 12 down to 1; an even one belongs to R[2]. */
  private val t = RegInit(0.U(4.W))
  private val second = !t(0)
  private val waiting = RegInit(false.B)

  when(phase === idle && io.start) {
    failed := !io.kekValid
    when(io.kekValid) {
      phase := loading
      kek(0) := io.kek(127, 64)
      kek(1) := io.kek(63, 0)
      a := io.wrapped(0)
      r(0) := io.wrapped(1)
      r(1) := io.wrapped(2)
      word := false.B
      t := steps.U
      waiting := false.B
    }
  }

  cipher.io.keyWrite.valid := phase === loading
  cipher.io.keyWrite.bits.slot := 0.U
  cipher.io.keyWrite.bits.word := word
  cipher.io.keyWrite.bits.data := kek(0)
  when(phase === loading) {
    kek(0) := kek(1)
    kek(1) := 0.U
    word := true.B
    when(word) {
      phase := running
    }
  }

  cipher.io.request.valid := phase === running && !waiting
  cipher.io.request.bits.block := Cat(a ^ t, Mux(second, r(1), r(0)))
  cipher.io.request.bits.slot := 0.U
  cipher.io.request.bits.decrypt := true.B
  cipher.io.request.bits.tag := 0.U
  cipher.io.response.ready := true.B
  when(cipher.io.request.valid && cipher.io.request.ready) {
    waiting := true.B
  }
  when(cipher.io.response.valid) {
    waiting := false.B
    a := cipher.io.response.bits.block(127, 64)
    when(second) { r(1) := cipher.io.response.bits.block(63, 0) }.otherwise {
      r(0) := cipher.io.response.bits.block(63, 0)
    }
    t := t - 1.U
    when(t === 1.U) {
      phase := checking
    }
  }

  private val whole = a === "ha6a6a6a6a6a6a6a6".U
  cipher.io.zeroize.valid := phase === checking
  cipher.io.zeroize.bits := 0.U
  when(phase === checking) {
    failed := !whole
    phase := Mux(whole, giving, idle)
    a := 0.U
    word := false.B
    when(!whole) { r.foreach(_ := 0.U) }
  }
  when(phase === giving) {
    word := true.B
    r(0) := r(1)
    r(1) := 0.U
    when(word) { phase := idle }
  }

  io.busy := phase =/= idle
  io.running := io.busy || cipher.io.busy
  io.failed := failed
  io.key.valid := phase === giving
  io.key.bits.word := io.key.valid && word
  io.key.bits.data := Mux(io.key.valid, r(0), 0.U)
}
