package hauberk.memory

import hauberk.memory.engine.Denials
import hauberk.memory.port.MemoryPortParams
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Denials alone: each between the bursts from inside, of the length and under the identifier of its request, with no data. */
class DenialsSpec extends AnyFunSuite with Simulation {
  private val params = MemoryPortParams(addressBits = 12, beatBytes = 8, blockBytes = 64, idBits = 4)
  private case class Burst(write: Boolean, id: Int, size: Int, left: Int)
  private def burst(random: Random): Burst = {
    val (write, size) = (random.nextBoolean(), random.nextInt(7))
    Burst(write, random.nextInt(16), size, if (write || size < 3) 1 else 1 << (size - 3))
  }

  // covers: memory.halt, memory.arming, memory.metadata-access
  test("each refused request is denied once, whole, and between bursts; bursts from inside pass as they are") {
    simulate(new Denials(params)) { dut =>
      for (seed <- 1 to 4) {
        val (refused, inside, client) = (dut.io.refused, dut.io.inside, dut.io.client)
        refused.valid.poke(false)
        inside.valid.poke(false)
        resetDesign(dut)
        val random = new Random(seed)
        var owed, denying, passing = Option.empty[Burst]
        var (denied, waited) = (0, 0)
        for (_ <- 0 until 4000) {
          val offered = burst(random)
          val refuses = random.nextInt(4) == 0
          refused.valid.poke(refuses)
          refused.bits.write.poke(offered.write)
          refused.bits.id.poke(offered.id)
          refused.bits.size.poke(offered.size)
          refused.bits.address.poke(BigInt(12, random))
          refused.bits.data.poke(BigInt(64, random))
          refused.bits.mask.poke(BigInt(8, random))
          refused.bits.corrupt.poke(random.nextBoolean())
          refused.bits.partial.poke(random.nextBoolean())

          // A burst that has begun keeps its fields
          val coming = passing.getOrElse(burst(random))
          val comes = random.nextInt(3) != 0
          val data = BigInt(64, random)
          val isDenied = random.nextBoolean()
          inside.valid.poke(comes)
          inside.bits.write.poke(coming.write)
          inside.bits.id.poke(coming.id)
          inside.bits.size.poke(coming.size)
          inside.bits.data.poke(data)
          inside.bits.denied.poke(isDenied)
          val takes = random.nextInt(3) != 0
          client.ready.poke(takes)

          if (denying.isEmpty && passing.isEmpty) denying = owed
          if (owed.nonEmpty && denying.isEmpty) waited += 1
          refused.ready.expect(owed.isEmpty)
          dut.io.busy.expect(owed.nonEmpty)
          client.valid.expect(denying.nonEmpty || comes)
          inside.ready.expect(denying.isEmpty && takes)
          for (of <- denying.orElse(if (comes) Some(coming) else None)) {
            client.bits.write.expect(of.write)
            client.bits.id.expect(of.id)
            client.bits.size.expect(of.size)
            client.bits.data.expect(if (denying.nonEmpty) BigInt(0) else data)
            client.bits.denied.expect(denying.nonEmpty || isDenied)
          }
          val enters = refuses && owed.isEmpty
          step()
          if (takes && denying.nonEmpty) {
            denying = denying.map(of => of.copy(left = of.left - 1)).filter(_.left > 0)
            if (denying.isEmpty) {
              owed = None
              denied += 1
            }
          } else if (takes && comes) passing = Some(coming.copy(left = coming.left - 1)).filter(_.left > 0)
          if (enters) owed = Some(offered)
        }
        assert(denied > 100 && waited > 20, s"$denied denials, which waited in $waited cycles")
      }
    }
  }
}
