package hauberk.memory

import chisel3._
import chisel3.util._

/** Random bits in hardware, many a cycle, from a seed: generators of Marsaglia ("Xorshift RNGs"), 64 bits each. Every taker gets bits of its own. */
class RandomBits(words: Int) extends Module {
  val io = IO(new Bundle {

    /** It begins at the seed. */
    val load = Input(Bool())
    val seed = Input(UInt(64.W))
    val bits = Output(UInt((64 * words).W))
  })
  private val states = (1 to words).map { i =>
    val state = Reg(UInt(64.W))
    val one = state ^ (state << 13)(63, 0)
    val two = one ^ (one >> 7).asUInt
    // Never zero, where it would stay
    val first = Cat((io.seed ^ (BigInt("9e3779b97f4a7c15", 16) * i).mod(BigInt(1) << 64).U(64.W))(63, 1), 1.U(1.W))
    state := Mux(io.load, first, two ^ (two << 17)(63, 0))
    state
  }
  io.bits := Cat(states)
}

/** Hands out bits, each once. */
class RandomTaker(bits: UInt) {
  private var taken = 0
  def apply(n: Int): UInt = {
    taken += n
    bits(taken - 1, taken - n)
  }

  /** True once in 2^n cycles. */
  def oneOf(n: Int): Bool = apply(n) === 0.U
}
