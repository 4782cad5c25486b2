package hauberk.crypto

import hauberk.bench.AesVariants
import java.nio.file.{Files, Paths}

/** Hands what a simulation measured to the bench, if the bench asked for it by naming a folder in
  * `HAUBERK_AES_MEASURES`: one small JSON file per core.
  */
private[crypto] object AesMeasures {
  def write(params: AesParams, latency: Int, blocksPerCycle: Double): Unit =
    sys.env.get("HAUBERK_AES_MEASURES").filter(_.nonEmpty).foreach { folder =>
      Files.createDirectories(Paths.get(folder))
      val name = AesVariants.name(params)
      val text = s"""{"name": "$name", "latency": $latency, "blocks_per_cycle": $blocksPerCycle}"""
      if (params.extraLatency == 0) Files.writeString(Paths.get(folder, s"$name.json"), text + "\n")
    }
}
