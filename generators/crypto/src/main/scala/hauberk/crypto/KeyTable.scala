package hauberk.crypto

import chisel3._
import chisel3.util._
import hauberk.fault.{FaultChecks, NoFaultChecks}

/** One 64-bit word on its way into a [[KeyTable]]. Word 0 holds the first eight bytes of the key, the first of them as its
  * most significant byte. A slot or word that does not exist is ignored.
  */
class KeyWrite(val slots: Int, val keyBits: Int) extends Bundle {
  val slot = UInt(KeyTable.slotBits(slots).W)
  val word = UInt(log2Ceil(keyBits / 64).W)
  val data = UInt(64.W)
}

/** A port by which a cipher takes keys out of a [[KeyTable]]: combinational, the key is zero unless the slot is usable. */
class KeyRead(val slots: Int, val keyBits: Int) extends Bundle {
  val slot = Input(UInt(KeyTable.slotBits(slots).W))
  val decrypt = Input(Bool())
  val usable = Output(Bool())
  val key = Output(UInt(keyBits.W))
}

/** Keys that are written, never read back: only the read ports, which belong to a cipher, see them.
  *
  * A slot is usable once every word was written since its last zeroization and, if the cipher decrypts, its decryption start
  * ([[KeySchedule]]) has been computed, which takes as many cycles as the cipher has rounds, one slot at a time. Retiring a
  * slot zeroizes it and makes it unusable from the next cycle on; so does a write to a slot that is already whole, before the
  * word is stored. A zeroization beats a write in the same cycle. A writer that may have left a slot half written zeroizes it
  * before it writes the next key.
  *
  * @param slots number of keys, 1 or more
  * @param keyBits 128, 192 or 256
  * @param readPorts number of ciphers that read at the same time
  * @param direction direction of the ciphers: with Decrypt or Both the decryption starts are made; with Decrypt they replace the
  *   keys; with Both each read port gets the one its request needs
  * @param sBox how the S-boxes of the key schedule are written down
  * @param faults how keys are kept; a key that is found wrong is not usable
  */
class KeyTable(
    val slots: Int,
    val keyBits: Int,
    val readPorts: Int,
    val direction: AesDirection = AesDirection.Encrypt,
    val sBox: SBoxStyle = SBoxStyle.BoyarPeralta,
    faults: FaultChecks = NoFaultChecks
) extends Module {
  require(slots >= 1, s"a key table of $slots slots holds no key: choose 1 slot or more")
  require(readPorts >= 1, s"a key table with $readPorts read ports serves no cipher: choose 1 or more")
  require(Set(128, 192, 256).contains(keyBits), s"AES has no keys of $keyBits bits: set keyBits to 128, 192 or 256")

  val io = IO(new Bundle {
    val write = Flipped(Valid(new KeyWrite(slots, keyBits)))
    val zeroize = Flipped(Valid(UInt(KeyTable.slotBits(slots).W)))
    val usable = Output(Vec(slots, Bool()))
    val read = Vec(readPorts, new KeyRead(slots, keyBits))

    /** A decryption start is being computed, or will be. */
    val busy = Output(Bool())

    /** A key is wrong. */
    val faulty = Output(Bool())
  })

  private val words = keyBits / 64
  private val code = faults.tags
  private val flags = faults.flags
  private val held = Seq.fill(slots)(new KeySlot)
  private val starts = if (direction.decrypts) Some(new StartMaker) else None

  /** The words of one key, and which of them were written. */
  private class KeySlot {
    val key = RegInit(VecInit(Seq.fill(words)(0.U(code.width(64).W))))
    val written = RegInit(VecInit(Seq.fill(words)(flags.clear)))
    val whole = written.map(flags.isSet(_, safe = false)).reduce(_ && _)
    val start = if (direction == AesDirection.Both) RegInit(0.U(code.width(keyBits).W)) else 0.U(code.width(keyBits).W)
    val hasStart = RegInit(flags.clear)
    private val read = key.map(code.decode(_, 64))
    private val readStart = code.decode(start, keyBits)
    val value = Cat(read.map(_.data))
    val faulty =
      ((read :+ readStart).map(_.faulty) ++ written.map(flags.faulty) :+ flags.faulty(hasStart)).reduce(_ || _)
    val usable =
      (if (direction.decrypts) whole && flags.isSet(hasStart, safe = false) else whole) && !faulty

    def clear(): Unit = {
      key.foreach(_ := 0.U)
      written.foreach(_ := flags.clear)
      hasStart := flags.clear
      if (direction == AesDirection.Both) start := 0.U
    }

    def keyFor(decrypt: Bool): UInt =
      if (direction == AesDirection.Both) Mux(decrypt, readStart.data, value) else value
  }

  /** Walks the key schedule of one slot after another to its decryption start. */
  private class StartMaker {
    val slot = Reg(UInt(KeyTable.slotBits(slots).W))
    val key = RegInit(0.U(keyBits.W))
    val step = RegInit(0.U(4.W)) // 0: idle
    val unit = Module(new KeyStep(keyBits, sBox, AesDirection.Encrypt))
    unit.io.step := step
    unit.io.decrypt := false.B
    unit.io.in := key
    val done = step === KeySchedule(keyBits).rounds.U
    val waiting = VecInit(held.map(s => s.whole && !flags.isSet(s.hasStart, safe = false)))

    when(step =/= 0.U) {
      step := Mux(done, 0.U, step + 1.U)
      key := Mux(done, 0.U, unit.io.out)
    }.elsewhen(waiting.reduce(_ || _)) {
      slot := PriorityEncoder(waiting)
      key := PriorityMux(waiting.zip(held.map(_.value)))
      step := 1.U
    }

    def stop(): Unit = {
      step := 0.U
      key := 0.U
    }
  }

  held.zipWithIndex.foreach { case (s, number) =>
    starts.foreach { maker =>
      when(maker.done && maker.slot === number.U) {
        s.hasStart := flags.set
        if (direction == AesDirection.Both) s.start := code.encode(maker.unit.io.out)
        else s.key.zip(Bytes.parts(maker.unit.io.out, 64)).foreach { case (word, made) => word := code.encode(made) }
      }
    }
    val written = io.write.valid && io.write.bits.slot === number.U && io.write.bits.word < words.U
    val zeroized = io.zeroize.valid && io.zeroize.bits === number.U
    when(zeroized || (written && s.whole)) {
      s.clear()
      starts.foreach(maker => when(maker.slot === number.U || maker.step === 0.U)(maker.stop()))
    }
    when(written && !zeroized) {
      s.key(io.write.bits.word) := code.encode(io.write.bits.data)
      s.written(io.write.bits.word) := flags.set
    }
    io.usable(number) := s.usable
  }

  io.busy := starts.fold(false.B)(maker => maker.step =/= 0.U || maker.waiting.reduce(_ || _))

  io.faulty := held.map(_.faulty).reduce(_ || _)

  io.read.foreach { port =>
    val chosen = held.zipWithIndex.map { case (s, number) => s.usable && port.slot === number.U }
    port.usable := chosen.reduce(_ || _)
    port.key := held.zip(chosen).map { case (s, mine) => Mux(mine, s.keyFor(port.decrypt), 0.U) }.reduce(_ | _)
  }
}

/** Widths that follow from the number of slots. */
object KeyTable {

  /** Width of a slot number, at least one bit. */
  def slotBits(slots: Int): Int = log2Ceil(slots).max(1)
}
