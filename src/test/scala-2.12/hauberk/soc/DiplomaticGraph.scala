package hauberk.soc

import freechips.rocketchip.subsystem.WithBootROMFile
import freechips.rocketchip.util.ElaborationArtefacts
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import org.chipsalliance.cde.config.Config

/** Command line: the diplomatic graph of a configuration, as GraphML. `scripts/diagrams --soc` calls it. */
object DiplomaticGraph {

  def main(arguments: Array[String]): Unit = {
    val Array(config, out) = arguments
    val known = KnownConfigs.find(config).fold(sys.error, identity)
    val parameters = new Config(new WithBootROMFile("bootrom/build/bootrom.img") ++ known)
    chisel3.Driver.elaborate(() => new SimTop()(parameters))
    val graph = ElaborationArtefacts.files.collectFirst { case ("graphml", contents) => contents() }
    Files.write(Paths.get(out), graph.get.getBytes(UTF_8))
  }
}
