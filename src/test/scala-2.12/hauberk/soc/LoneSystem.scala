package hauberk.soc

import freechips.rocketchip.diplomacy.ValName
import freechips.rocketchip.prci.ClockGroupEphemeralNode
import freechips.rocketchip.subsystem.{AsyncClockGroupsKey, WithBootROMFile}
import java.nio.file.Files
import org.chipsalliance.cde.config.{Config, Parameters}

/** What a system needs to be elaborated beside others in one JVM: an empty boot ROM, and clocks of its own, since in 1.2.6 all share one node. */
object LoneSystem {
  def apply(config: Parameters): Parameters = {
    val bootRom = Files.write(Files.createTempFile("hauberk-bootrom", ".img"), new Array[Byte](64))
    val clocks = ClockGroupEphemeralNode()(ValName("async_clock_groups"))
    new Config((_, _, _) => { case AsyncClockGroupsKey => clocks }) ++ new WithBootROMFile(bootRom.toString) ++ config
  }
}
