package downstream

import chisel3.Driver
import freechips.rocketchip.diplomacy.{AddressSet, LazyModule, LazyModuleImp}
import freechips.rocketchip.interrupts.{IntSinkNode, IntSinkPortSimple}
import freechips.rocketchip.tilelink.{TLFragmenter, TLFuzzer, TLRAM}
import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.{MemoryProtectorParams, ProtectedRegion, TLMemoryProtector}
import org.chipsalliance.cde.config.Parameters

/** The TileLink adapter between clients of the user's and 16 KiB of RAM. */
class ProtectedRam(implicit p: Parameters) extends LazyModule {
  private val base = BigInt(0x10000)
  private val bytes = BigInt(0x4000)
  private val control = BigInt(0x10010000)
  private val params = MemoryProtectorParams(ProtectionParams.aegisOtp, address = control)
  private val protector = LazyModule(new TLMemoryProtector(params, ProtectedRegion(base, bytes, blockBytes = 64), 8))
  private val user = LazyModule(new TLFuzzer(16, overrideAddress = Some(AddressSet(base, 0xfff))))
  private val commander = LazyModule(new TLFuzzer(16))
  private val ram = LazyModule(new TLRAM(address = AddressSet(base, bytes - 1), beatBytes = 8))
  private val interrupt = IntSinkNode(IntSinkPortSimple())
  ram.node := TLFragmenter(8, 64) := protector.node := user.node
  protector.controlNode := TLFragmenter(8, 64) := commander.node
  interrupt := protector.interruptNode

  lazy val module = new LazyModuleImp(this) {
    protector.module.pins := chisel3.DontCare
    protector.module.checkForExport := chisel3.DontCare
  }
}

/** Elaborates engine and adapter from published artifacts. */
object Main extends App {
  private def lines(text: String): Int = text.split("\n").length
  private val engine = Driver.emit(() => new ProtectedEngine)
  private val adapter = Driver.emit(() => LazyModule(new ProtectedRam()(Parameters.empty)).module)
  require(adapter.contains("module MemoryProtectionEngine"), "the FIRRTL of the adapter has no MemoryProtectionEngine")
  println(s"elaborated: ${lines(engine)} lines of FIRRTL for the engine, ${lines(adapter)} for the adapter")
}
