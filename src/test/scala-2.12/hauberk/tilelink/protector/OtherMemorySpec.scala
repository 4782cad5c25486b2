package hauberk.tilelink.protector

import freechips.rocketchip.amba.axi4._
import freechips.rocketchip.diplomacy.{AddressSet, RefusedDesign}
import freechips.rocketchip.subsystem.ExtMem
import freechips.rocketchip.tilelink.{TLFragmenter, TLRAM, TLToAXI4}
import hauberk.config.{AegisOtpRocketConfig, BaselineRocketConfig, WithOtherMemoryInTheClear}
import hauberk.soc.{LoneSystem, RocketSystem}
import org.chipsalliance.cde.config.{Config, Parameters}
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.funsuite.AnyFunSuite

/** Memory off the chip, past the memory protector. */
// covers: soc.no-alias
class OtherMemorySpec extends AnyFunSuite {

  /** A system with more memory: on the chip, or behind AXI4; past the protector, or around its engines. */
  private class System(onChip: Boolean, past: Boolean)(implicit p: Parameters) extends RocketSystem {
    private val where = AddressSet(0x60000000, 0xfff)
    private val bus = if (past) sbus else mbus
    bus.coupleTo("other_memory") { bus =>
      if (onChip) {
        val scratchpad = LazyModule(new TLRAM(where, beatBytes = sbus.beatBytes))
        scratchpad.node := TLFragmenter(sbus.beatBytes, sbus.blockBytes) := bus
      } else {
        val memory = LazyModule(new AXI4RAM(where, beatBytes = sbus.beatBytes))
        memory.node := AXI4Fragmenter() := AXI4UserYanker() := AXI4Deinterleaver(sbus.blockBytes) := TLToAXI4() := bus
      }
    }
  }

  private def elaborate(config: Parameters, onChip: Boolean, past: Boolean): Unit = chisel3.Driver.elaborate { () =>
    val system = LazyModule(new System(onChip, past)(LoneSystem(config)))
    system.module
  }

  test("is refused where there is a protector") {
    for (past <- Seq(true, false)) {
      val refused = RefusedDesign.why(elaborate(new AegisOtpRocketConfig, onChip = false, past))
      assert(refused.contains("is memory off the chip that the memory protector does not stand before"), refused)
    }
  }

  test("is refused where a part of DRAM is protected, whose rest is not") {
    val half = Parameters((_, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey).map(_.copy(region = up(ExtMem).map(port => (port.master.base, port.master.size / 2))))
    })
    elaborate(half ++ new AegisOtpRocketConfig, onChip = true, past = false)
    for (past <- Seq(true, false)) {
      val refused = RefusedDesign.why(elaborate(half ++ new AegisOtpRocketConfig, onChip = false, past))
      assert(refused.contains("is memory off the chip that the memory protector does not stand before"), refused)
    }
  }

  test("may be on the chip, in the clear if so chosen, and anywhere where there is no protector") {
    for (past <- Seq(true, false)) {
      elaborate(new AegisOtpRocketConfig, onChip = true, past)
      elaborate(new Config(new WithOtherMemoryInTheClear ++ new AegisOtpRocketConfig), onChip = false, past)
      elaborate(new BaselineRocketConfig, onChip = false, past)
    }
  }
}
