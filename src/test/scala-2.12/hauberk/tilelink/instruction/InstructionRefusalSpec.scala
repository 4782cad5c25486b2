package hauberk.tilelink.instruction

import hauberk.config._
import hauberk.soc.RefusedSystem
import hauberk.tilelink.common.CoreFeature
import org.scalatest.flatspec.AnyFlatSpec

// covers: soc.refused-instructions
class InstructionRefusalSpec extends AnyFlatSpec {
  import RefusedSystem.{busErrorUnit, debugger, itim, made, scratchpad, tracePort, why}

  behavior of "WithInstructionDecryption"

  for (
    (name, feature, fragment) <- Seq(
      ("an instruction cache that loads read", CoreFeature.InstructionMemory, itim),
      ("a trace port that leaves the chip", CoreFeature.TraceOffChip, tracePort)
    )
  ) it should s"be refused with $name" in {
    val refusal = why(fragment, new WithEmuDirect, new BaselineRocketConfig)
    assert(refusal == feature.refusal("WithInstructionDecryption"))
  }

  it should "be taken with features that show no decrypted instruction" in {
    for (fragment <- Seq(debugger, scratchpad, busErrorUnit))
      assert(made(fragment, new WithEmuCounter, new BaselineRocketConfig).instructionDecryption.nonEmpty)
  }
}
