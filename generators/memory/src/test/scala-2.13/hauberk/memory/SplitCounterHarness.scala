package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, KeySlot}
import hauberk.memory.cipher.CipherHub
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
    val refresh = Decoupled(UInt(p.core.blockIndexBits.W))
    val refreshed = Input(Bool())
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
  private val hub = Module(new CipherHub(p, store.io.cipher.size))
  for ((client, user) <- hub.io.clients.zip(store.io.cipher)) { client <> user }
  hub.io.keyWrite := io.keyWrite
  hub.io.keyRetire.valid := false.B
  hub.io.keyRetire.bits := 0.U
  io.usable := hub.io.usable(KeySlot.dynamic)
  store.io.hashKeys := hub.io.hashKeys
  store.io.keys.usable := hub.io.usable
  store.io.lookup.valid := io.valid
  store.io.lookup.write := io.write
  store.io.lookup.block := io.block
  store.io.lookup.entry := io.entry
  io.answer := store.io.lookup.answer
  io.result := store.io.result
  io.retry := store.io.retry
  io.memory <> store.io.memory
  io.refresh <> store.io.refresh
  store.io.refreshed := io.refreshed
  store.io.extent := 0.U
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
      io.refresh.valid,
      io.flushing,
      store.io.failed,
      store.io.pending
    ).reverse
  )
}
