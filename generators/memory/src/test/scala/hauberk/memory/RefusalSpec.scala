package hauberk.memory

import hauberk.memory.common.Refusal
import hauberk.memory.counter.Timestamps
import hauberk.memory.integrity._
import hauberk.memory.mode.Xts
import org.scalatest.funsuite.AnyFunSuite

/** Schemes that cannot be, however they are put together. */
class RefusalSpec extends AnyFunSuite {
  import ProtectionParams._
  private val rekeyed = Timestamps(reserve = Some(BigInt(100)))

  test("memory is not re-encrypted under a verifier that stays under the old key") {
    val refusal = intercept[Refusal](blockMac.copy(counters = rekeyed))
    assert(refusal.violations.exists(_.contains("leave reserve out")))
    for (scheme <- Seq(aegisOtp, xom, aegisHashTree, aegisLogHash))
      assert(scheme.copy(counters = rekeyed).counters == rekeyed)
  }

  test("a verdict timeout has two halves, and leaves time for the verdict") {
    for (cycles <- Seq(0, 510, 513))
      assert(intercept[Refusal](bonsaiTree.copy(verdictTimeout = cycles)).violations.exists(_.contains("even number")))
    assert(bonsaiTree.copy(verdictTimeout = 512).verdictTimeout == 512)
  }

  test("nothing waits for the verdict of a log, whoever owns the page; nor without integrity") {
    val log = intercept[Refusal](aegisLogHash.copy(verification = Verification.ByOwner))
    assert(log.violations.exists(_.contains("has no verdict on a read")))
    val none = intercept[Refusal](aegisOtp.copy(verification = Verification.ByOwner))
    assert(none.violations.exists(_.contains("choose an integrity policy")))
  }

  test("the clock of an engine does not stop under a cipher whose clock runs on") {
    val refusal = intercept[Refusal](aegisOtp.copy(gated = true))
    assert(refusal.violations.exists(_.contains("set gated of the cipher")))
    assert(aegisOtp.copy(gated = true, cipher = aegisOtp.cipher.copy(gated = true)).gated)
  }

  test("everything that is wrong is said at once") {
    val refusal = intercept[Refusal](xts.copy(integrity = BonsaiTree(), regions = common.RegionParams(entries = 1)))
    assert(refusal.violations.size == 3)
    for (part <- Seq("needs 64 bits", "no block a counter of its own", "would not cover regions"))
      assert(refusal.violations.exists(_.contains(part)), part)
    assert(refusal.violations.forall(refusal.getMessage.contains(_)))
  }

  test("what a require refuses is a violation, and what else goes wrong is none") {
    assert(Refusal.attempt(Timestamps(timestampBits =
      1
    )).left.get == Seq("timestampBits is 1: a timestamp has 2 to 64 bits"))
    assert(Refusal.attempt(Xts) == Right(Xts))
    intercept[IllegalStateException](Refusal.attempt(throw new IllegalStateException("a fault")))
    intercept[NumberFormatException](Refusal.attempt("x".toInt))
    val wordless = intercept[IllegalArgumentException](Refusal.attempt(throw new IllegalArgumentException))
    assert(wordless.getMessage == null)
  }
}
