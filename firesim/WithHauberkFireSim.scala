package firechip.chip

import chipyard.WithHauberkAutoCounter
import chipyard.config.{WithExtMemIdBits, WithNoTraceIO}
import chipyard.harness.HarnessBinder
import chipyard.iobinders.SerialTLPort
import chisel3._
import firechip.bridgestubs.TSIBridge
import freechips.rocketchip.diplomacy.LazyModule
import freechips.rocketchip.subsystem.WithExtMemSize
import org.chipsalliance.cde.config.Config
import testchipip.serdes.DecoupledExternalSyncPhitIO
import testchipip.tsi.SerialRAM

/** What makes a Chipyard configuration a target of FireSim that can be compared with others: bridges, one clock of 1 GHz, 1 GiB of DRAM, and
  * every statistic of protector and secure bus an AutoCounter event. With Hauberk in it and without alike. There is no trace port: instruction
  * decryption and secure contexts refuse one that leaves the chip.
  */
class WithHauberkFireSim
    extends Config(
      new WithProgramsThroughTarget ++
        new WithHauberkAutoCounter ++
        new WithExtMemSize(1L << 30) ++
        // FireSim's model of DRAM keeps the order of each identifier, and has hardware for every one there is
        new WithExtMemIdBits(4) ++
        new WithDefaultFireSimBridges ++
        new WithNoTraceIO ++
        new WithFireSimConfigTweaks
    )

/** Serial TileLink without FireSim's short cut. A bridge that knows the region of main memory has the driver write the program straight into the
  * host's DRAM, behind a memory protector, where it was never encrypted; one that knows none sends it through the target.
  */
class WithProgramsThroughTarget
    extends HarnessBinder({
      case (harness: FireSim, port: SerialTLPort, _: Int) =>
        port.io match {
          case phits: DecoupledExternalSyncPhitIO =>
            val memory = Module(LazyModule(new SerialRAM(port.serdesser, port.params)(port.serdesser.p)).module)
            phits.clock_in := harness.harnessBinderClock
            phits.in <> memory.io.ser.out
            memory.io.ser.in <> phits.out
            TSIBridge(harness.harnessBinderClock, memory.io.tsi.get, None, harness.harnessBinderReset.asBool)(harness.p)
        }
    })
