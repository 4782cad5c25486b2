package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.common.{KeySlot, MetadataCacheParams}
import hauberk.memory.cipher.{CipherArbiter, CipherArbiterIO}
import hauberk.memory.mode.Xts
import hauberk.memory.counter.{NoCounters, SplitCounters}
import hauberk.memory.integrity.{BlockMac, BonsaiTree}
import hauberk.memory.engine.EngineIO
import hauberk.testing.{Proof, ProofSuite}

/** Two key tables that get different keys at the same time. */
private class KeyTablePair(direction: AesDirection, showsKey: Boolean) extends Module {
  val io = IO(new Bundle {
    val write = Flipped(Valid(new KeyWrite(KeySlot.count, 128)))
    val otherData = Input(UInt(64.W))
    val zeroize = Flipped(Valid(UInt(2.W)))
    val read = Input(UInt(2.W))
    val decrypt = Input(Bool())
  })
  val one = Module(new KeyTable(KeySlot.count, 128, 1, direction, SBoxStyle.Table))
  val two = Module(new KeyTable(KeySlot.count, 128, 1, direction, SBoxStyle.Table))
  for (table <- Seq(one, two)) {
    table.io.write := io.write
    table.io.zeroize := io.zeroize
    table.io.read(0).slot := io.read
    table.io.read(0).decrypt := io.decrypt
  }
  two.io.write.bits.data := io.otherData
  assert(one.io.usable.asUInt === two.io.usable.asUInt)
  assert(one.io.read(0).usable === two.io.read(0).usable)
  // The port of the cipher, which sees the key, must not do so before the slot is whole
  assert(one.io.read(0).usable || (one.io.read(0).key === 0.U && two.io.read(0).key === 0.U))
  if (showsKey) assert(one.io.read(0).key === two.io.read(0).key)
}

/** Two cipher arbiters that get different keys at the same time, and the same requests. */
private class CipherArbiterPair(p: Protection, leaks: Boolean) extends Module {
  private val users = 2
  val io = IO(new CipherArbiterIO(p, users))
  val otherData = IO(Input(UInt(64.W)))
  val one = Module(new CipherArbiter(p, users))
  val two = Module(new CipherArbiter(p, users))
  StandInCore.beside(p.cipher, leaks)
  ProofEnvironment.feed(one.io, io)
  ProofEnvironment.feed(two.io, io)
  two.io.keyWrite.bits.data := otherData
  ProofEnvironment.show(one.io, io)
  ProofEnvironment.assertSame(one.io, two.io)
}

/** Two whole engines that get different keys at the same time, and see the same client and the same memory. */
private class EnginePair(p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.params.regions))
  val otherData = IO(Input(UInt(64.W)))
  val one = Module(new MemoryProtectionEngine(p))
  val two = Module(new MemoryProtectionEngine(p))
  StandInCore.beside(p.cipher)
  ProofEnvironment.feed(one.io, io)
  ProofEnvironment.feed(two.io, io)
  two.io.keyWrite.bits.data := otherData
  ProofEnvironment.show(one.io, io)
  ProofEnvironment.assertSame(one.io, two.io)
}

/** Claims that an engine never serves a read of block 0, while memory and client accept every beat: one run is enough to refute it. */
private class EngineNeverServes(p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.params.regions))
  val one = Module(new MemoryProtectionEngine(p))
  StandInCore.beside(p.cipher)
  ProofEnvironment.feed(one.io, io)
  ProofEnvironment.show(one.io, io)
  private val request = io.client.request.bits
  assume(!io.keyZeroize.valid && !io.control.flush && io.keyWrite.bits.data === 0.U)
  assume(!request.write && request.address === 0.U && request.id === 0.U)
  assume(io.memory.request.ready && io.client.response.ready && !io.memory.response.bits.denied)
  assert(!(one.io.client.response.valid && !one.io.client.response.bits.denied))
}

/** Property (d): no key register can be observed at any output, but through the cipher.
  *
  * Two copies get different key words and otherwise the same inputs. The core of AES is replaced by one whose answers are free, and the same in
  * both copies ([[StandInCore]]); then every output is the same in every cycle. So all that an output can tell of a key is what the cipher's
  * outputs tell. For the whole engine nothing is assumed of client or memory.
  */
// covers: crypto.key-secrecy
class KeySecrecyProof extends ProofSuite {
  private val twins = Some(("one", "two"))
  private val standIn: firrtl2.ir.Circuit => firrtl2.ir.Circuit = Proof.replace("AesCore", "StandInCore")
  private val hashing =
    Protection(ProofEnvironment.small.copy(integrity = BlockMac(MetadataCacheParams(2, 1, 1))), ProofEnvironment.bank)

  for (direction <- Seq(AesDirection.Encrypt, AesDirection.Both))
    holds(
      'd',
      s"key table, $direction: a key is seen at the cipher's port alone, and there only when whole",
      twins = twins
    )(
      new KeyTablePair(direction, showsKey = false)
    )
  refuted('d', "the port of the cipher counted as an output", 5, twins)(
    new KeyTablePair(AesDirection.Encrypt, showsKey = true)
  )
  holds('d', "cipher arbiter with derived hash keys", twins = twins, change = standIn)(
    new CipherArbiterPair(hashing, leaks = false)
  )
  refuted('d', "a cipher that lets the key out", 8, twins, standIn)(new CipherArbiterPair(hashing, leaks = true))
  private val one = MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)
  private val tree = ProofEnvironment.small.copy(
    counters = SplitCounters(one),
    integrity = BonsaiTree(tags = one, nodes = one, rootEntries = 8)
  )
  private val engines = Seq(
    "one-time pad" -> Protection(ProofEnvironment.small, ProofEnvironment.bank),
    "one-time pad with block tags" -> hashing,
    "XTS" -> Protection(ProofEnvironment.small.copy(mode = Xts, counters = NoCounters), ProofEnvironment.bank),
    "split counters under a counter tree" ->
      Protection(tree, ProofEnvironment.bank.copy(localBytes = 1 << 14, blockBytes = 64))
  )
  private val isProvedInAllCycles = Set("one-time pad", "XTS")
  for ((name, p) <- engines)
    holds('d', s"whole engine, $name", if (isProvedInAllCycles(name)) None else Some(30), twins, standIn)(
      new EnginePair(p)
    )
  reached('d', "an engine is armed and serves a read", 30, standIn)(
    new EngineNeverServes(Protection(ProofEnvironment.small, ProofEnvironment.bank))
  )
}
