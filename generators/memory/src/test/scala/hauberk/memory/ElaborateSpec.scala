package hauberk.memory

import chisel3._
import hauberk.crypto.{AesArchitecture, AesParams, SBoxStyle}
import hauberk.fault.DetectFaults
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.mode.DirectCbc
import hauberk.memory.counter.Timestamps
import hauberk.memory.engine.EngineIO
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** The engine that [[MemoryProtectionEngine.apply]] makes. */
private class EngineMaker(p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.regions))
  private val engine = MemoryProtectionEngine(p)
  engine.client <> io.client
  io.memory <> engine.memory
  engine.keyWrite := io.keyWrite
  engine.keyZeroize := io.keyZeroize
  engine.control := io.control
  io.keyWanted := engine.keyWanted
  io.status := engine.status
  io.statistics := engine.statistics
}

/** The engine elaborates on every Chisel at the corners of its parameter space, and impossible parameters are refused in words. */
// covers: memory.elaboration
class ElaborateSpec extends AnyFunSuite {
  private val bank = Bank(localBytes = 1 << 16)
  private val few = ProtectionParams(
    counters = Timestamps(8, MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)),
    cipher = AesParams(256, architecture = AesArchitecture.Iterative, sBox = SBoxStyle.Table),
    reads = 1,
    writes = 1
  )
  private val points = Seq(
    "AEGIS one-time pad" -> Protection(ProtectionParams.aegisOtp, bank),
    "XOM" -> Protection(ProtectionParams.xom, bank),
    "one of everything, AES-256" -> Protection(few, bank),
    "fully associative, 64-bit timestamps" ->
      Protection(ProtectionParams(counters = Timestamps(64, MetadataCacheParams(lines = 4, ways = 4))), bank),
    "direct-mapped single line" ->
      Protection(ProtectionParams(counters = Timestamps(cache = MetadataCacheParams(1, 1, 1))), bank),
    "128-byte blocks on a 128-bit bus" ->
      Protection(ProtectionParams.aegisOtp, bank.copy(beatBytes = 16, blockBytes = 128, engine = 255)),
    "XTS, fault checks" -> Protection(ProtectionParams.xts.copy(faults = DetectFaults), bank),
    "counter tree, fault checks" -> Protection(ProtectionParams.bonsaiTree.copy(faults = DetectFaults), bank),
    "hash tree, fault checks" -> Protection(ProtectionParams.aegisHashTree.copy(faults = DetectFaults), bank),
    "log hash, fault checks" -> Protection(ProtectionParams.aegisLogHash.copy(faults = DetectFaults), bank),
    "one way, fault checks" -> Protection(few.copy(faults = DetectFaults), bank),
    "XOM, one job" -> Protection(ProtectionParams.xom.copy(mode = DirectCbc(1), reads = 2, writes = 1), bank)
  )
  for ((name, p) <- points) test(s"elaborates: $name") {
    assert(Elaborate(new MemoryProtectionEngine(p)).contains("module MemoryProtectionEngine"))
  }

  test("a gated engine has a gate, and an engine that is not gated has none") {
    val params = ProtectionParams.aegisOtp
    val gated = params.copy(cipher = params.cipher.copy(gated = true), gated = true)
    val engines = Map(
      true -> Elaborate(new EngineMaker(Protection(gated, bank))),
      false -> Elaborate(new EngineMaker(Protection(params, bank)))
    )
    for ((isGated, verilog) <- engines) {
      assert(verilog.contains("module GatedProtectionEngine") == isGated)
      assert(verilog.contains("HauberkClockGate") == isGated)
    }
  }

  test("timestamps that writes in flight could use up beside a re-encryption are refused") {
    val timer = ProtectionParams(counters = Timestamps(5, reserve = Some(4)), writes = 16)
    val error = intercept[Exception](Elaborate(new MemoryProtectionEngine(Protection(timer, bank))))
    val causes = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).map(_.getMessage).toSeq
    assert(causes.exists(_.contains("31 timestamps are too few for 16 writes in flight")), causes)
  }

  private def refused(word: String)(make: => Any): Unit = {
    val error = intercept[IllegalArgumentException](make)
    assert(error.getMessage.contains(word), error.getMessage)
  }
  test("impossible parameters are refused with the value that is wrong") {
    refused("24 lines")(MetadataCacheParams(lines = 24))
    refused("3 ways")(MetadataCacheParams(lines = 32, ways = 3))
    refused("mshrs is 0")(MetadataCacheParams(mshrs = 0))
    refused("timestampBits is 65")(Timestamps(65))
    refused("jobs is 0")(DirectCbc(0))
    refused("writes (1) in flight must both be at least 2")(
      Protection(ProtectionParams.bonsaiTree.copy(writes = 1), bank)
    )
    Protection(ProtectionParams.bonsaiTree.copy(writes = 63), bank)
    refused("64 writes in flight are more than split counters take: use at most 63")(
      Protection(ProtectionParams.bonsaiTree.copy(writes = 64), bank)
    )
    refused("reads (0)")(Protection(ProtectionParams(reads = 0), bank))
    refused("engine number 256")(Protection(ProtectionParams(), bank.copy(engine = 256)))
    refused("blockBytes is 48")(Protection(ProtectionParams(), bank.copy(blockBytes = 48)))
    refused("beatBytes is 32")(Protection(ProtectionParams(), bank.copy(beatBytes = 32, blockBytes = 128)))
    refused("a bank of 1000 bytes")(Protection(ProtectionParams(), bank.copy(localBytes = 1000)))
    refused("128, 192")(AesParams(100))
    refused("1 passes")(AesParams(architecture = AesArchitecture.Folded(1)))
    refused("11 passes")(AesParams(architecture = AesArchitecture.Folded(11)))
  }
}
