package hauberk.soc

import freechips.rocketchip.subsystem.ExtMem
import hauberk.memory.{MetadataArray, StripeAddresses}

/** What tools must know of an elaborated SoC to load it, run it and check its DRAM; written beside its Verilog.
  *
  * @param cores        number of harts
  * @param dramBase     first address of DRAM
  * @param dramBytes    size of DRAM
  * @param dataBytes    the part of DRAM that software sees; the rest holds the protector's metadata
  * @param isProtected  whether a memory protector stands before DRAM
  * @param mode         how it encrypts: the name of a [[hauberk.memory.Mode]], or `none`
  * @param engines      number of protection engines, one for each bank
  * @param blockBytes   size of a protected block
  * @param counterBytes size of a block's counter in memory
  * @param stripes      what each engine guards, in the order of the engines' numbers
  * @param arrays       where every stripe keeps its metadata
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
    counterBytes: Int,
    stripes: Seq[StripeAddresses],
    arrays: Seq[MetadataArray]
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
    "counterBytes" -> counterBytes,
    "stripes" -> stripes.map { stripe =>
      ujson.Obj(
        "base" -> stripe.base.toLong.toDouble,
        "bytes" -> stripe.localBytes.toLong.toDouble,
        "selectBits" -> stripe.selectBits,
        "bank" -> stripe.bank.toLong.toDouble
      )
    },
    "arrays" -> arrays.map { array =>
      ujson.Obj(
        "kind" -> array.kind,
        "level" -> array.level,
        "base" -> array.base.toLong.toDouble,
        "lines" -> array.lines.toLong.toDouble,
        "blocksPerLine" -> array.blocksPerLine.toLong.toDouble,
        "entryBits" -> array.entryBits
      )
    }
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
      counterBytes = 0,
      stripes = Nil,
      arrays = Nil
    )
    stripes.headOption.map(_.protection).fold(common) { protection =>
      common.copy(
        dataBytes = stripes.map(_.protection.layout.dataBytes).sum,
        isProtected = true,
        mode = protection.params.mode.name,
        engines = stripes.size,
        blockBytes = protection.stripe.blockBytes,
        counterBytes = protection.layout.counterBytes,
        stripes = stripes.map(_.map.addresses),
        arrays = MetadataArray.of(protection)
      )
    }
  }
}
