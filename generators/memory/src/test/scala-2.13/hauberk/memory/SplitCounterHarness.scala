package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, KeySlot, Reencryption}
import hauberk.memory.cipher.CipherArbiter
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.counter.CounterResult

/** A [[SplitCounterStore]] with the cipher it needs. */
class SplitCounterHarness(val p: Protection) extends Module {
  val io = IO(new Bundle {
    val valid = Input(Bool())
    val write = Input(Bool())
    val block = Input(UInt(p.core.blockIndexBits.W))
    val entry = Input(UInt(p.entryBits.W))
    val answer = Output(new LookupAnswer)
    val result = Valid(new CounterResult(p))
    val retry = Output(Bool())
    val memory = new MemoryPort(p.memory)
    val reencrypt = Decoupled(new Reencryption(p))
    val reencrypted = Flipped(Valid(UInt(p.reencryptionBits.W)))
    val unverified = Output(Bool())
    val flush = Input(Bool())
    val flushing = Output(Bool())
    val alarm = Output(UInt(AlarmCause.width.W))
    val alarmAddress = Output(UInt(p.memory.addressBits.W))

    /** In one look, because looks are what a simulation spends its time on: [[SplitCounterHarness.seen]]. */
    val seen = Output(UInt((12 + p.params.counters.fetches).W))
    val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, p.cipher.keyBits)))
    val usable = Output(Bool())
  })
  private val store = Module(p.counterStore())
  private val cipherArbiter = Module(new CipherArbiter(p, store.io.cipher.size))
  for ((client, user) <- cipherArbiter.io.clients.zip(store.io.cipher)) { client <> user }
  cipherArbiter.io.keyWrite := io.keyWrite
  cipherArbiter.io.firstYields := false.B
  cipherArbiter.io.keyZeroize.valid := false.B
  cipherArbiter.io.keyZeroize.bits := 0.U
  io.usable := cipherArbiter.io.usable(KeySlot.dynamic)
  store.io.hashKeys := cipherArbiter.io.hashKeys
  store.io.keys.usable := cipherArbiter.io.usable
  store.io.lookup.valid := io.valid
  store.io.lookup.write := io.write
  store.io.lookup.block := io.block
  store.io.lookup.entry := io.entry
  io.answer := store.io.lookup.answer
  io.result := store.io.result
  io.retry := store.io.retry
  io.memory <> store.io.memory
  io.reencrypt <> store.io.reencrypt
  store.io.reencrypted := io.reencrypted
  store.io.imageBlocks := 0.U
  io.unverified := store.io.unverified
  store.io.flush := io.flush
  io.flushing := store.io.flushing
  io.alarm := store.io.alarm
  io.alarmAddress := store.io.alarmAddress
  io.seen := Cat(
    Seq(
      io.answer.accepted,
      io.answer.blocked,
      store.io.hit,
      store.io.miss,
      store.io.nodeHit,
      store.io.nodeMiss,
      io.retry,
      io.alarm =/= AlarmCause.none.U,
      io.result.valid,
      io.reencrypt.valid,
      io.flushing,
      store.io.failed,
      store.io.pending
    ).reverse
  )
}
