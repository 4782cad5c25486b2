package hauberk.instruction

import hauberk.crypto.AesParams
import hauberk.testing.Figure
import scala.util.Random

/** What instruction decryption adds to a fetch of a line of 64 bytes, for `make bench`: from the request to the first and the last beat, behind
  * memories slower and faster than the cipher.
  *
  * Usage: FetchFigures FILE
  */
object FetchFigures extends FetchBench {
  import Figure._

  /** Cycles from the request to the unit until a block that is at hand is deciphered: the cipher's, and one on either side. */
  private def ready(p: EmuParams): Int = AesParams().latency + p.extraLatency + 2

  private def measured(name: String, p: EmuParams, memories: Int*)(bound: Int => Double): Seq[Figure] = {
    var figures = Seq.empty[Figure]
    withBothPages(p, new Random(408)) { (bench, encrypted, plain) =>
      figures = memories.flatMap { memory =>
        bench.latency = memory
        def added(address: BigInt) = {
          val fetch = bench.fetch(address)
          (fetch.first - memory, fetch.last - fetch.first - (p.beats - 1))
        }
        val ((plainFirst, plainRest), (first, rest)) = (added(plain), added(encrypted))
        val at = s"memory of $memory cycles: cycles added"
        Seq(
          atMost(s"$name, page not encrypted, $at to the first beat", plainFirst, 0),
          atMost(
            s"$name, encrypted page, $at to the first beat",
            first,
            bound(memory),
            s"AES latency ${AesParams().latency}"
          ),
          atMost(s"$name, any page, $at between beats", plainRest.max(rest), 0)
        )
      }
    }
    figures
  }

  private def counter(p: EmuParams) =
    measured("counter mode", p, 1, 6, ready(p), 30, 80)(memory => (ready(p) - memory).max(0))

  // It waits for the last beat of the line
  private def direct(p: EmuParams) = measured("direct mode", p, 1, 30, 80)(_ => p.beats - 1 + ready(p))

  def main(args: Array[String]): Unit = record(
    args,
    Seq(
      "counter mode" -> (() => counter(EmuParams())),
      "direct mode" -> (() => direct(EmuParams(DecryptionMode.Direct())))
    )
  )
}
