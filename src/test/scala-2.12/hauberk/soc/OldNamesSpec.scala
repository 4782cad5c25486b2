package hauberk.soc

import hauberk.config._
import hauberk.memory.counter.{GlobalTimer, Timestamps}
import org.scalatest.funsuite.AnyFunSuite

/** Names that users typed before they were changed. */
class OldNamesSpec extends AnyFunSuite {
  private val name = "WithBusMedium-4-128_MediumDualRocketConfig"

  test("old names of configurations and fragments still work, and are known by their new names") {
    assert(KnownConfigs.find(name).isRight)
    assert(KnownConfigs.renamed(name) == Seq(
      "WithBusMedium" -> "WithSharedBus",
      "MediumDualRocketConfig" -> "SharedBusDualRocketConfig"
    ))
  }

  test("the old name of timestamps makes timestamps") {
    assert(GlobalTimer(timestampBits = 28) == Timestamps(timestampBits = 28))
  }

  test("what has no other name is not renamed, and old names are not listed") {
    assert(KnownConfigs.renamed("WithSharedBus-4-128_SharedBusDualRocketConfig").isEmpty)
    assert(
      KnownConfigs.names.contains("SharedBusDualRocketConfig") && !KnownConfigs.names.exists(_.startsWith("Medium"))
    )
  }
}
