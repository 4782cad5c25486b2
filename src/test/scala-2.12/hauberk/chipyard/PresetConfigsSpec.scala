package hauberk.chipyard

import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.MemoryProtectionKey
import org.chipsalliance.cde.config.Config
import org.scalatest.flatspec.AnyFlatSpec
import org.scalatest.matchers.should.Matchers

/** The configurations of chipyard/ for every preset of memory protection. */
class PresetConfigsSpec extends AnyFlatSpec with Matchers {
  private val bases = Seq("RocketConfig", "QuadRocketConfig", "TraceGenConfig")

  private def config(name: String) =
    Class.forName("chipyard." + name).getDeclaredConstructor().newInstance().asInstanceOf[Config]

  for {
    (name, preset) <- ProtectionParams.presets.toSeq.sortBy(_._1)
    base <- bases
  }
    s"Hauberk$name$base" should s"have the preset $name" in {
      config(s"Hauberk$name$base")(MemoryProtectionKey).map(_.protection) should be(Some(preset))
    }
}
