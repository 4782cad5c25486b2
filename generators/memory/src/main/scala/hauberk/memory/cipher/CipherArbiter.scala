package hauberk.memory.cipher

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.{AesInput, Geometry, KeySlot}

/** A block for the cipher of an engine, in the byte order of FIPS-197. */
class CipherCommand(val p: Geometry) extends Bundle {
  val block = UInt(128.W)

  /** A number of [[KeySlot]]. */
  val slot = UInt(KeySlot.width.W)

  /** Under the slot's tweak key (XTS) and not under the key itself. */
  val tweak = Bool()
  val decrypt = Bool()

  /** Comes back with the answer. */
  val tag = UInt(p.cipherTagBits.W)
}

/** Result of a [[CipherCommand]]. */
class CipherAnswer(val p: Geometry) extends Bundle {
  val block = UInt(128.W)
  val tag = UInt(p.cipherTagBits.W)
}

/** A user's port to the cipher of an engine. Answers come in the order of requests, `p.cipher.latency` cycles after each, and cannot be
  * refused. A request under a key that is not there waits.
  */
class CipherPort(val p: Geometry) extends Bundle {
  val request = Decoupled(new CipherCommand(p))
  val answer = Flipped(Valid(new CipherAnswer(p)))
}

/** The hash keys that belong to a key slot: [[PolynomialHash]]. They stay within the engine. */
class HashKeys extends Bundle {
  val first = UInt(64.W)
  val second = UInt(64.W)
}

/** Ports of the [[CipherArbiter]]. */
class CipherArbiterIO(val p: Geometry, val users: Int) extends Bundle {
  val clients = Vec(users, Flipped(new CipherPort(p)))

  /** The first client gives way to all others in this cycle. */
  val firstYields = Input(Bool())
  val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, p.cipher.keyBits)))
  val keyZeroize = Flipped(Valid(UInt(KeySlot.width.W)))

  /** The key of a slot is there, and all that is derived from it. */
  val usable = Output(Vec(KeySlot.count, Bool()))

  /** Zero while their slot is not usable. */
  val hashKeys = Output(Vec(KeySlot.count, new HashKeys))

  /** An AES block starts in this cycle. */
  val started = Output(Bool())

  /** Registers may change in the next cycle, though no user asks and no key is written or lost. */
  val busy = Output(Bool())

  /** A key is wrong, and so not usable. */
  val faulty = Output(Bool())
}

/** The one cipher of an engine, shared by all its users, and its keys.
  *
  * A free request is granted in the cycle it comes, a lower port number first, unless the first yields. The ports belong to the keystream generator, the
  * counter store (the top of its tree first), and the verifier, in this order. From each key that is written, the arbiter derives what the
  * scheme needs, each under an AES input that is used for nothing else: the hash keys, AES_K(hashKey, 0), and the tweak key of XTS,
  * AES_K(tweakKey, 0). A slot is usable when that is done. When its key is lost, so is everything derived from it, in the same cycle.
  */
class CipherArbiter(val p: Geometry, users: Int) extends Module {
  val io = IO(new CipherArbiterIO(p, users))
  private val withTweak = p.usesTweakKeys
  private val withHash = p.usesHashKeys
  private val portBits = p.cipherPortBits
  private val slots = KeySlot.count * (if (withTweak) 2 else 1)
  private val cipher = Module(new AesCipher(p.cipher, slots, p.faults))
  io.faulty := cipher.io.faulty
  private val present = cipher.io.usable.take(KeySlot.count)

  // Derivation, a slot at a time
  private val idle :: askHash :: waitHash :: askTweak :: waitTweak :: store :: Nil = Enum(6)
  private val state = RegInit(idle)
  private val slot = RegInit(0.U(KeySlot.width.W))
  private val stale = RegInit(false.B) // the key went while its derivation was in the cipher
  private val word = RegInit(0.U(1.W))
  private val tweakKey = RegInit(0.U(128.W))
  private val derived = RegInit(VecInit(Seq.fill(KeySlot.count)(false.B)))
  private val hash = RegInit(VecInit(Seq.fill(KeySlot.count)(0.U.asTypeOf(new HashKeys))))
  private val erase = RegInit(VecInit(Seq.fill(KeySlot.count)(false.B))) // a lost key's tweak key is in the table
  private val needs = withTweak || withHash
  for (i <- 0 until KeySlot.count) {
    io.usable(i) := present(i) && (if (needs)
                                     derived(i) && (if (withTweak) cipher.io.usable(KeySlot.count + i) else true.B)
                                   else true.B)
    io.hashKeys(i).first := Mux(io.usable(i), hash(i).first, 0.U)
    io.hashKeys(i).second := Mux(io.usable(i), hash(i).second, 0.U)
  }
  private val gone = !VecInit(present)(slot)
  private val waitingKeys = VecInit((0 until KeySlot.count).map(i => present(i) && !derived(i)))
  private val asks = state === askHash || state === askTweak

  // Requests
  private val all = io.clients.map(_.request)
  private val canStart = all.map(r => r.valid && io.usable(r.bits.slot))
  private val othersCan = canStart.tail.foldLeft(false.B)(_ || _)
  private val eligible = (canStart.head && !(io.firstYields && othersCan)) +: canStart.tail
  private val chosen = PriorityEncoderOH(VecInit(eligible).asUInt)
  private val granted = Mux1H(chosen, all.map(_.bits))
  cipher.io.request.valid := asks || eligible.reduce(_ || _)
  cipher.io.request.bits.block := Mux(
    asks,
    Cat(Mux(state === askHash, AesInput.hashKey.U(8.W), AesInput.tweakKey.U(8.W)), 0.U(120.W)),
    granted.block
  )
  cipher.io.request.bits.slot := Mux(
    asks,
    slot,
    (if (withTweak) Mux(granted.tweak, granted.slot +& KeySlot.count.U, granted.slot) else granted.slot)
  )
  cipher.io.request.bits.decrypt := !asks && granted.decrypt
  cipher.io.request.bits.tag := Mux(
    asks,
    (users << p.cipherTagBits).U,
    Cat(OHToUInt(chosen) + 0.U(portBits.W), granted.tag)
  )
  for ((r, i) <- all.zipWithIndex) { r.ready := !asks && chosen(i) && eligible(i) && cipher.io.request.ready }
  io.started := cipher.io.request.valid && cipher.io.request.ready

  // Answers
  private val answer = cipher.io.response
  private val owner = answer.bits.tag >> p.cipherTagBits
  answer.ready := true.B
  for ((user, i) <- io.clients.zipWithIndex) {
    user.answer.valid := answer.valid && owner === i.U
    user.answer.bits.block := Mux(user.answer.valid, answer.bits.block, 0.U)
    user.answer.bits.tag := answer.bits.tag(p.cipherTagBits - 1, 0)
  }
  private val mine = answer.valid && owner === users.U

  private val afterHash = if (withTweak) askTweak else idle
  switch(state) {
    is(idle) {
      slot := PriorityEncoder(waitingKeys)
      stale := false.B
      if (needs) { when(waitingKeys.reduce(_ || _)) { state := (if (withHash) askHash else askTweak) } }
    }
    is(askHash) { when(gone) { state := idle }.elsewhen(cipher.io.request.ready) { state := waitHash } }
    is(waitHash) {
      when(mine) {
        state := Mux(stale || gone, idle, afterHash)
        when(!stale && !gone) {
          hash(slot).first := answer.bits.block(127, 64)
          hash(slot).second := answer.bits.block(63, 0)
          if (!withTweak) { derived(slot) := true.B }
        }
      }
    }
    is(askTweak) { when(gone) { state := idle }.elsewhen(cipher.io.request.ready) { state := waitTweak } }
    is(waitTweak) {
      when(mine) {
        state := Mux(stale || gone, idle, store)
        tweakKey := Mux(stale || gone, 0.U, answer.bits.block)
        word := 0.U
      }
    }
    is(store) {
      when(gone) {
        state := idle
        tweakKey := 0.U
        erase(slot) := true.B // its first word may be in the table
      }.elsewhen(!io.keyWrite.valid) {
        word := 1.U
        tweakKey := Cat(tweakKey(63, 0), 0.U(64.W)) // leaves nothing of the key behind
        when(word === 1.U) {
          derived(slot) := true.B
          state := idle
        }
      }
    }
  }
  when(gone && state =/= idle) { stale := true.B }

  // Zeroizing a key also erases the keys derived from it. Its tweak key, of no use alone, is erased when the table has time.
  for (i <- 0 until KeySlot.count) {
    when(!present(i)) {
      derived(i) := false.B
      hash(i) := 0.U.asTypeOf(new HashKeys)
      if (withTweak) { when(derived(i)) { erase(i) := true.B } }
    }
  }
  private val erases = if (withTweak) erase.reduce(_ || _) && !io.keyZeroize.valid else false.B
  private val erased = PriorityEncoder(erase)
  private val derives = if (needs) waitingKeys.reduce(_ || _) else false.B
  io.busy := cipher.io.busy || state =/= idle || derives || erase.reduce(_ || _)
  when(erases) { erase(erased) := false.B }
  cipher.io.zeroize.valid := io.keyZeroize.valid || erases
  cipher.io.zeroize.bits := Mux(io.keyZeroize.valid, io.keyZeroize.bits, KeySlot.count.U +& erased)
  private val stores = state === store && !io.keyWrite.valid && !gone
  cipher.io.keyWrite.valid := io.keyWrite.valid || stores
  cipher.io.keyWrite.bits.slot := Mux(io.keyWrite.valid, io.keyWrite.bits.slot, KeySlot.count.U +& slot)
  cipher.io.keyWrite.bits.word := Mux(io.keyWrite.valid, io.keyWrite.bits.word, word)
  cipher.io.keyWrite.bits.data := Mux(io.keyWrite.valid, io.keyWrite.bits.data, tweakKey(127, 64))
}
