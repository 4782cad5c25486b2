package hauberk.soc

import freechips.rocketchip.subsystem.ExtMem

/** What tools must know of an elaborated SoC to load it, run it and check its DRAM; written beside its Verilog.
  *
  * @param cores        number of harts
  * @param dramBase     first address of DRAM
  * @param dramBytes    size of DRAM
  * @param dataBytes    the part of DRAM that software sees; the rest holds the protector's metadata
  * @param isProtected  whether a memory protector stands before DRAM
  * @param mode         how it encrypts: `none`, `direct` or `oneTimePad`
  * @param engines      number of protection engines, one for each bank
  * @param blockBytes   size of a protected block
  * @param counterBytes size of a block's counter in memory
  */
case class SystemDescription(
    cores: Int,
    dramBase: BigInt,
    dramBytes: BigInt,
    dataBytes: BigInt,
    isProtected: Boolean,
    mode: String,
    engines: Int,
    blockBytes: Int,
    counterBytes: Int
) {
  def toJson(config: String): ujson.Obj = ujson.Obj(
    "config" -> config,
    "cores" -> cores,
    "dramBase" -> dramBase.toLong.toDouble,
    "dramBytes" -> dramBytes.toLong.toDouble,
    "dataBytes" -> dataBytes.toLong.toDouble,
    "protected" -> isProtected,
    "mode" -> mode,
    "engines" -> engines,
    "blockBytes" -> blockBytes,
    "counterBytes" -> counterBytes
  )
}

object SystemDescription {
  def apply(system: RocketSystem): SystemDescription = {
    val memory = system.p(ExtMem).get.master
    val stripes = system.protector.toSeq.flatMap(_.stripes)
    val common = SystemDescription(
      cores = system.tiles.size,
      dramBase = memory.base,
      dramBytes = memory.size,
      dataBytes = memory.size,
      isProtected = false,
      mode = "none",
      engines = 0,
      blockBytes = system.mbus.blockBytes,
      counterBytes = 0
    )
    stripes.headOption.map(_.protection).fold(common) { protection =>
      common.copy(
        dataBytes = stripes.map(_.protection.layout.dataBytes).sum,
        isProtected = true,
        mode = protection.params.mode.name,
        engines = stripes.size,
        blockBytes = protection.stripe.blockBytes,
        counterBytes = protection.layout.counterBytes
      )
    }
  }
}
