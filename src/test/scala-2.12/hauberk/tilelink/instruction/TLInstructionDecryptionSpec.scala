package hauberk.tilelink.instruction

import hauberk.instruction.DecryptionMode
import hauberk.tilelink.common.VerilatedTest
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

class TLInstructionDecryptionSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  behavior of "TLInstructionDecryption"

  for ((name, mode) <- Seq("counter mode" -> DecryptionMode.Counter, "direct" -> DecryptionMode.Direct())) {
    lazy val bench = verilate(s"instruction-${name.takeWhile(_ != ' ')}") {
      val bench = LazyModule(new InstructionBench(mode))
      bench.module
    }

    // covers: soc.instruction-cache
    it should s"give the instruction cache plaintext, loads ciphertext, and everything else what is there: $name" in
      Seq(1, 2).foreach(seed => bench.run(limit = 200000, seed = seed))

    // covers: soc.fetch-flush
    it should s"deny fetches until the instruction cache is flushed: $name" in bench.run(limit = 200000, select = 1)

    it should s"deny what memory denies, or returns corrupt: $name" in
      Seq(4, 5).foreach(select => bench.run(limit = 200000, select = select))

    // covers: soc.token
    it should s"make no key without a token, or with another's: $name" in
      Seq(2, 3).foreach(select => bench.run(limit = 200000, select = select))
  }
}
