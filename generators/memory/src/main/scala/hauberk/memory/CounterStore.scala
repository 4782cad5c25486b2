package hauberk.memory

import chisel3._
import chisel3.util._

/** A member of the counter store policy: where the counter of a block comes from, and where it is kept. */
trait CounterStoreParams {

  /** Width of a counter in the mask. */
  def counterBits: Int

  /** Bytes of a stored counter (B_TS). */
  def counterBytes: Int

  /** Metadata fetches that may be outstanding. */
  def misses: Int
  def build(p: Protection): CounterStore
}

/** What became of a look-up; decided in the cycle it is made. */
class LookupAnswer extends Bundle {

  /** The result follows on `result`, at once or when a fetch that was started is back. */
  val accepted = Bool()

  /** Not possible until something in flight completes: ask again after `retry`. Neither flag set: ask again any time. */
  val blocked = Bool()
}

/** The counter of a transaction. */
class CounterResult(val p: Protection) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val counter = UInt(p.counterBits.W)

  /** There is no counter: the transaction must be denied without touching memory. */
  val denied = Bool()
}

/** Ports of a counter store. */
class CounterStoreIO(val p: Protection) extends Bundle {
  val lookup = new Bundle {
    val valid = Input(Bool())

    /** Set asks for a fresh counter for a write and records it; clear asks for the counter last recorded. */
    val write = Input(Bool())
    val block = Input(UInt(p.core.blockIndexBits.W))
    val entry = Input(UInt(p.entryBits.W))
    val answer = Output(new LookupAnswer)
  }
  val result = Valid(new CounterResult(p))
  val retry = Output(Bool())

  /** Metadata traffic: reads with identifiers fetchId.., write-backs with evictId. Responses are never refused for long. */
  val memory = new MemoryPort(p.memory)
  val flush = Input(Bool())
  val flushing = Output(Bool())

  /** A cause of [[AlarmCause]] other than none, for one cycle; the engine halts. */
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.memory.addressBits.W))
  val hit = Output(Bool())
  val miss = Output(Bool())
}

/** Answers look-ups in the order they are accepted, for each block. */
abstract class CounterStore(val p: Protection) extends Module {
  val io = IO(new CounterStoreIO(p))
}
