package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, KeySlot}
import hauberk.memory.cipher.CipherArbiter
import hauberk.memory.tree.TreeKeys
import hauberk.memory.counter.CounterResult
import hauberk.memory.integrity.{BlockDigest, TakenTransaction, Verdict}

/** A verifier with a cipher of its own; everything else is the test's. */
class VerifierHarness(val p: Protection) extends Module {
  private val verifier = Module(p.verifier())
  private val cipherArbiter = Module(new CipherArbiter(p, verifier.io.cipher.size))
  val io = IO(new Bundle {
    val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, p.cipher.keyBits)))
    val usable = Output(Vec(KeySlot.count, Bool()))
    val taken = Flipped(Valid(new TakenTransaction(p)))
    val takenWrite = Input(Bool())
    val mayLook = Input(UInt(p.entries.W))
    val result = Flipped(Valid(new CounterResult(p)))
    val digest = Vec(2, Flipped(Decoupled(new BlockDigest(p))))
    val verdict = Valid(new Verdict(p))
    val treeKeys = Input(new TreeKeys)
    val memory = new MemoryPort(p.memory)
    val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
    val flush = Input(Bool())
    val flushing = Output(Bool())
    val check = Input(Bool())
    val checking = Output(Bool())
    val touch = Decoupled(UInt(p.core.blockIndexBits.W))
    val touched = Input(Bool())
    val alarm = Output(UInt(AlarmCause.width.W))
    val alarmAddress = Output(UInt(p.memory.addressBits.W))
    val unverified = Output(Bool())
    val hit = Output(Bool())
    val miss = Output(Bool())
  })
  cipherArbiter.io.keyWrite := io.keyWrite
  cipherArbiter.io.firstYields := false.B
  cipherArbiter.io.keyZeroize.valid := false.B
  cipherArbiter.io.keyZeroize.bits := 0.U
  io.usable := cipherArbiter.io.usable
  for ((client, user) <- cipherArbiter.io.clients.zip(verifier.io.cipher)) { client <> user }
  verifier.io.hashKeys := cipherArbiter.io.hashKeys
  verifier.io.treeKeys := io.treeKeys
  for ((taken, isWrite) <- verifier.io.taken.zip(Seq(false, true))) {
    taken.valid := io.taken.valid && io.takenWrite === isWrite.B
    taken.bits := io.taken.bits
  }
  verifier.io.mayLook := io.mayLook
  verifier.io.result := io.result
  verifier.io.digest <> io.digest
  io.verdict := verifier.io.verdict
  io.memory <> verifier.io.memory
  verifier.io.imageBlocks := io.imageBlocks
  verifier.io.flush := io.flush
  verifier.io.fence := false.B
  io.flushing := verifier.io.flushing
  verifier.io.check := io.check
  io.checking := verifier.io.checking
  io.touch <> verifier.io.touch
  verifier.io.touched := io.touched
  io.alarm := verifier.io.alarm
  io.alarmAddress := verifier.io.alarmAddress
  io.unverified := verifier.io.unverified
  io.hit := verifier.io.hit
  io.miss := verifier.io.miss
}
