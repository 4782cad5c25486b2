package hauberk.crypto

import chisel3._
import chisel3.util._

/** One step of the [[KeySchedule]], forwards or (where it decrypts) backwards. Combinational, with four S-boxes.
  *
  * @param keyBits 128, 192 or 256
  * @param style how the S-boxes are written down
  * @param direction Encrypt: forwards; Decrypt: backwards; Both: as `io.decrypt` says
  */
private[crypto] class KeyStep(keyBits: Int, style: SBoxStyle, direction: AesDirection) extends Module {
  private val schedule = KeySchedule(keyBits)
  private val n = schedule.words
  val io = IO(new Bundle {

    /** Number of the step, 1 to the number of rounds, also when it is undone. */
    val step = Input(UInt(4.W))
    val decrypt = Input(Bool())
    val in = Input(UInt(keyBits.W))
    val out = Output(UInt(keyBits.W))
  })

  private val steps = (1 to schedule.rounds).map(r => r -> schedule.step(r))
  private def inSteps(condition: schedule.Step => Boolean): Bool = {
    val numbers = steps.collect { case (r, step) if condition(step) => r }
    if (numbers.isEmpty) false.B
    else if (numbers.size == steps.size) true.B
    else numbers.map(io.step === _.U).reduce(_ || _)
  }
  private val first = inSteps(_.offset.contains(0))
  private val third = inSteps(_.offset.contains(2))
  private val rotated = inSteps(_.rotated)
  // Steps that do not exist repeat constants, so that a synthesizer finds the smallest logic.
  private val constants = VecInit((0 until 16).map(i => steps.toMap.get(i).fold(0)(_.constant).U(8.W)))

  private val window = Bytes.parts(io.in, 32)

  // Forwards: four new words behind the window.
  private val last = window(n - 1)
  private val beforeThird = window(1) ^ window(0) ^ last
  // Backwards: four old words before the window; the window's own last four were made from them.
  private val made = window.takeRight(4)
  private val lastBefore = if (n == 4) made(3) ^ made(2) else window(n - 5)

  private def choose(backwards: => UInt, forwards: => UInt): UInt = direction match {
    case AesDirection.Encrypt => forwards
    case AesDirection.Decrypt => backwards
    case AesDirection.Both => Mux(io.decrypt, backwards, forwards)
  }

  private val source = choose(Mux(third, made(1), lastBefore), Mux(third, beforeThird, last))
  private val sBoxes = Module(new SubBytes(4, style, AesDirection.Encrypt))
  sBoxes.io.decrypt := false.B
  sBoxes.io.in := Mux(rotated, Cat(source(23, 0), source(31, 24)), source)
  private val changed = sBoxes.io.out ^ Cat(constants(io.step), 0.U(24.W))

  private def forwards: UInt = {
    val a0 = window(0) ^ Mux(first, changed, last)
    val a1 = window(1) ^ a0
    val a2 = window(2) ^ Mux(third, changed, a1)
    val a3 = window(3) ^ a2
    Cat(window.drop(4) ++ Seq(a0, a1, a2, a3))
  }

  private def backwards: UInt = {
    val v0 = made(0) ^ Mux(first, changed, lastBefore)
    val v1 = made(1) ^ made(0)
    val v2 = made(2) ^ Mux(third, changed, made(1))
    val v3 = made(3) ^ made(2)
    Cat(Seq(v0, v1, v2, v3) ++ window.dropRight(4))
  }

  io.out := choose(backwards, forwards)
}
