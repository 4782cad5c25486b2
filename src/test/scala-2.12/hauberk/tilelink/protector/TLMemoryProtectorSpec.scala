package hauberk.tilelink.protector

import freechips.rocketchip.diplomacy.RefusedDesign
import hauberk.crypto._
import hauberk.memory.common.{AlarmCause, MetadataCacheParams}
import hauberk.memory.mode.{DirectCbc, OneTimePad}
import hauberk.memory.counter.Timestamps
import hauberk.memory.integrity.Verification
import hauberk.memory.{Protection, ProtectionParams}
import hauberk.tilelink.common.{Access, VerilatedTest}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

class TLMemoryProtectorSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  private val iterative = AesParams(architecture = AesArchitecture.Iterative)
  private def cache(lines: Int, ways: Int, misses: Int) = Timestamps(cache = MetadataCacheParams(lines, ways, misses))

  /** The smallest engine: everything that can be full is full all the time. */
  private val smallest = ProtectionParams(counters = cache(2, 1, 1), cipher = iterative, reads = 1, writes = 1)
  private val smallCbc =
    ProtectionParams(mode = DirectCbc(), counters = cache(4, 4, 2), cipher = iterative, reads = 4, writes = 2)

  behavior of "TLMemoryProtector under random traffic"

  private def fuzz(name: String, scheme: ProtectionParams, banks: Int, around: Boolean): Unit = {
    val simulator = verilate(name) {
      val bench = LazyModule(new FuzzBench(scheme, banks, around, operations = 2000))
      bench.module
    }
    Seq(1, 2).foreach(seed => simulator.run(limit = 4000000, seed = seed))
  }

  // covers: soc.protector
  it should "be memory with the one-time pad of AEGIS" in fuzz("otp", ProtectionParams.aegisOtp, 1, around = false)
  // covers: soc.protector
  it should "be memory with the smallest engines, two banks, and memory it does not protect" in
    fuzz("smallest", smallest, 2, around = true)
  it should "be memory with direct encryption" in fuzz("cbc", smallCbc, 1, around = false)

  behavior of "TLMemoryProtector step by step"

  private val status = Bench.register(ProtectorMap.status)
  private def alarm(cause: Int, address: BigInt) = Seq(
    Access.read(status, 0x100, mask = 0x100),
    Access.read(Bench.register(ProtectorMap.alarmCause), cause),
    Access.read(Bench.register(ProtectorMap.alarmAddress), address)
  )
  private val roundTrip = Seq(Bench.base, Bench.base + 0x7f8).flatMap { address =>
    Seq(Access.write(address, ProtectedMemory.secret), Access.read(address, ProtectedMemory.secret))
  }

  private val unarmed = {
    val address = Bench.base + 0x48
    Seq(Access.write(Bench.register(ProtectorMap.interruptEnable), 1)) ++
      Seq(Access.deniedRead(address), Access.deniedWrite(address)) ++ alarm(AlarmCause.notArmed, address) ++
      Seq(Bench.command(2), Access.read(status, 0, mask = 0x8)) ++ // refused: the keys are not usable yet
      Seq(Access.deniedRead(address)) ++ Bench.loadKeys ++ Seq(Access.deniedRead(address)) ++ Bench.arm ++ roundTrip ++
      alarm(AlarmCause.notArmed, address)
  }

  private val metadata = {
    val layout = Protection.layout(smallest, Bench.bytes / 2, 64)
    val address = Bench.base + layout.dataBytes * 2 + 0x40
    Bench.loadKeys ++ Bench.arm ++ Seq(Access.read(status, 0, mask = 0x100)) ++
      Seq(Access.deniedRead(address), Access.deniedWrite(address)) ++ alarm(
        AlarmCause.outsideData,
        address
      ) ++ roundTrip
  }

  private val registers = {
    val wrappedKey = (0 until 3).map(index => Bench.register(ProtectorMap.wrappedKey(index)))
    val geometry = BigInt(2) | (6 << 8) | (smallest.counters.counterBits << 16) | (OneTimePad.code << 24)
    Seq(
      Access.read(Bench.register(ProtectorMap.id), BigInt("4861756265726b31", 16)),
      Access.read(Bench.register(ProtectorMap.geometry), geometry)
    ) ++ Bench.loadKeys ++ wrappedKey.map(Access.read(_, 0)) ++
      Seq(Access.read(Bench.register(ProtectorMap.command), 0)) ++ Bench.arm ++ roundTrip ++
      Seq(Access.write(wrappedKey.head, 0), Bench.command(0), Bench.command(1)) ++ // would fail, and show it, if taken
      Seq(Access.read(status, 0x1f, mask = 0x37f)) ++ roundTrip ++
      // Of the four writes of eight bytes, each a partial one, two went to each bank.
      (0 until 2).map(engine => Access.read(Bench.statistic("partial_writes", engine), 2))
  }

  /** Of a block, a part of which is poisoned, nothing can be read any more, nor be merged into; its neighbours can. */
  private val poison = {
    val last = Bench.base + Protection.layout(smallest, Bench.bytes / 2, 64).dataBytes * 2 - 0x40
    Bench.loadKeys ++ Bench.arm ++ roundTrip ++ Seq(Bench.base + 0x40, last).flatMap { block =>
      val words = (0 until 8).map(block + 8 * _)
      words.map(Access.write(_, 0x1234)) ++ words.map(Access.read(_, 0x1234)) ++
        Seq(Access.poison(block + 0x18, 0x5678)) ++ words.map(Access.deniedRead) :+ Access.deniedWrite(block + 0x20) :+
        Access.deniedRead(block + 0x20)
    } ++ roundTrip ++ Seq(Access.read(status, 0x1f, mask = 0x37f))
  }

  /** A key that is still to come, or comes with the command, is no key to arm with. */
  private val hasty = {
    val command = Bench.register(ProtectorMap.command)
    Bench.loadKeys ++ Seq(0x5, 0x6, 0x7).flatMap(bits =>
      Seq(Access.write(command, bits), Access.read(status, 0, mask = 0x8), Bench.awaitStatus(0x7))
    ) ++ Seq(Bench.command(1), Bench.command(2), Access.read(status, 0, mask = 0x8), Bench.awaitStatus(0x7)) ++
      Bench.arm ++ roundTrip
  }

  private val scripts =
    Seq(true -> unarmed, false -> metadata, false -> registers, false -> poison, false -> hasty)
  private lazy val simulator = verilate("scripts") {
    val bench = LazyModule(new ScriptBench(smallest, banks = 2, scripts))
    bench.module
  }
  private def follow(script: Seq[Access]): Unit =
    simulator.run(limit = 100000, select = scripts.indexWhere(_._2 == script))

  // covers: soc.arming
  it should "deny and latch accesses before it is armed, then serve" in follow(unarmed)
  it should "deny and latch accesses to metadata, and go on serving data" in follow(metadata)
  // covers: soc.arming
  it should "show its geometry, keep keys to itself, and take none once locked" in follow(registers)

  // covers: soc.arming
  it should "not arm while a key is to be made or unwrapped" in follow(hasty)

  it should "keep poisoned data poisoned, and raise no alarm for them" in follow(poison)

  behavior of "TLMemoryProtector that boots alone"

  it should "hold accesses until it is armed, serve them, and take neither keys nor commands" in {
    val script = roundTrip ++
      Seq(Access.read(status, 0x1f, mask = 0x37f)) ++
      Bench.wrappedKey.indices.map(i => Access.write(Bench.register(ProtectorMap.wrappedKey(i)), 0)) ++
      Seq(Bench.command(0), Bench.command(1), Access.write(Bench.register(ProtectorMap.imageBlocks), 1)) ++
      Seq(Access.read(status, 0x1f, mask = 0x37f)) ++ roundTrip.filter(_.write.isEmpty)
    verilate("alone") {
      val bench = LazyModule(new ScriptBench(smallest, 2, Seq(false -> script), ProtectorBoot.AutoArm))
      bench.module
    }.run(limit = 100000)
  }

  it should "take a package's key from a loader, in words, and arm when it is unwrapped" in {
    val loadKey = Bench.wrappedKey.zipWithIndex.flatMap { case (word, i) =>
      Bench.words(ProtectorMap.wrappedKey(i), word)
    }
    val unwrap = Access.word(Bench.register(ProtectorMap.command), 1)
    val script = Seq(unwrap, Bench.awaitStatus(0x20), Bench.command(2), Bench.command(3)) ++ // no key yet
      Seq(Access.read(status, 0, mask = 0x18)) ++ Bench.words(ProtectorMap.imageBlocks, 0) ++ loadKey ++
      Seq(unwrap) ++ roundTrip ++ Seq(Access.read(status, 0x1f, mask = 0x37f)) ++
      Bench.words(ProtectorMap.wrappedKey.head, 0) ++ Seq(unwrap, Bench.command(1)) ++
      Seq(Access.read(status, 0x1f, mask = 0x37f)) ++ roundTrip.filter(_.write.isEmpty)
    verilate("package") {
      val bench = LazyModule(new ScriptBench(smallest, 2, Seq(false -> script), ProtectorBoot.PackageArm))
      bench.module
    }.run(limit = 100000)
  }

  it should "have neither pins for a device key, nor what unwraps under one, nor registers for a wrapped key, which others have" in {
    def verilog(boot: ProtectorBoot): String = {
      val bench = LazyModule(new ScriptBench(smallest, 1, Seq(false -> roundTrip), boot))
      chisel3.Driver.emit(chisel3.Driver.elaborate(() => bench.module))
    }
    val names = Seq("module KeyUnwrap ", "deviceKey", "wrappedKey")
    for (name <- names) {
      assert(verilog(ProtectorBoot.SoftwareArm).contains(name))
      assert(!verilog(ProtectorBoot.AutoArm).contains(name))
    }
  }

  it should "be refused by owner where nothing knows the owners of pages" in {
    val byOwner = ProtectionParams.bonsaiTree.copy(verification = Verification.ByOwner)
    val why = RefusedDesign.why(chisel3.Driver.elaborate { () =>
      val bench = LazyModule(new ScriptBench(byOwner, 1, Seq(false -> roundTrip)))
      bench.module
    })
    assert(why.contains("nothing tells which pages have one"))
  }

  // covers: soc.bank-halt
  it should "deny the other bank, too, when one has halted" in {
    val (first, second) = (Bench.base, Bench.base + 0x40)
    val script = Bench.loadKeys ++ Bench.arm ++
      Seq(Access.write(second, ProtectedMemory.secret), Access.read(second, ProtectedMemory.secret)) ++
      Seq(Access.deniedRead(first), Bench.awaitStatus(0x200), Access.deniedRead(second), Access.deniedWrite(second))
    verilate("one-halts") {
      val bench = LazyModule(new ScriptBench(smallest, 2, Seq(false -> script), broken = _ == 0))
      bench.module
    }.run(limit = 100000)
  }

  it should "deny what it held if memory denies its metadata, instead of holding it for ever" in {
    val script = Seq(Access.deniedRead(Bench.base), Access.deniedWrite(Bench.base), Access.read(status, 0x308, 0x308))
    verilate("broken") {
      val bench =
        LazyModule(new ScriptBench(smallest, 2, Seq(false -> script), ProtectorBoot.AutoArm, broken = _ => true))
      bench.module
    }.run(limit = 100000)
  }
}
