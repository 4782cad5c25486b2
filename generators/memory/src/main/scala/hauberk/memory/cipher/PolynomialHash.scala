package hauberk.memory.cipher

import chisel3._

/** Keyed polynomial hashing, the universal hash of Carter and Wegman, over the 64-bit little-endian words of memory:
  * H(w_1 .. w_n) = w_1 h^n + ... + w_n h. Two different messages of n words collide for at most n of the 2^64 keys h. It hides nothing and
  * authenticates nothing until a pad is added to it or a cipher is applied.
  */
object PolynomialHash {

  /** One more word of the message; starts from zero. */
  def step(state: UInt, word: UInt, key: UInt): UInt = GF64.multiply(state ^ word, key)
}

/** Hashes one message after the other by [[PolynomialHash]], some words a cycle, under several keys at once.
  *
  * @param keys  hash keys, of each of which there is a hash
  * @param words words that are hashed in a cycle, the first at index 0
  */
class PolynomialHasher(keys: Int, words: Int) extends Module {
  val io = IO(new Bundle {

    /** Hash `words` in this cycle. */
    val step = Input(Bool())

    /** They begin a message, of which `start` is the state so far under each key: 0, or what comes of a first word. */
    val begins = Input(Bool())
    val start = Input(Vec(PolynomialHasher.this.keys, UInt(64.W)))
    val words = Input(Vec(PolynomialHasher.this.words, UInt(64.W)))
    val keys = Input(Vec(PolynomialHasher.this.keys, UInt(64.W)))

    /** The hashes of the message up to the words of this cycle, and up to those of the last step. */
    val hashes = Output(Vec(PolynomialHasher.this.keys, UInt(64.W)))
    val held = Output(Vec(PolynomialHasher.this.keys, UInt(64.W)))
  })
  for (i <- 0 until keys) {
    val state = Reg(UInt(64.W))
    io.held(i) := state
    io.hashes(i) := io.words.foldLeft(Mux(io.begins, io.start(i), state))(PolynomialHash.step(_, _, io.keys(i)))
    when(io.step) { state := io.hashes(i) }
  }
}
