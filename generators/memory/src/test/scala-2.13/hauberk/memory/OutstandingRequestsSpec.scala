package hauberk.memory

import hauberk.memory.port.{MemoryPortParams, OutstandingRequests}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Random requests before a memory that answers at random: what was asked for, and whatever else it likes. */
class OutstandingRequestsSpec extends AnyFunSuite with Simulation {
  private val params = MemoryPortParams(addressBits = 12, beatBytes = 8, blockBytes = 64, idBits = 3)
  private val ids = 6

  /** Beats that an identifier is still owed, and of what kind. */
  private case class Debt(write: Boolean, beats: Int)

  // covers: memory.answers
  test("a request is answered once, in one burst, and nothing else passes") {
    simulate(new OutstandingRequests(params, ids)) { dut =>
      for (seed <- 1 to 4) {
        resetDesign(dut)
        val random = new Random(seed)
        val debts = mutable.Map.empty[Int, Debt]
        var sending: Option[(Int, Int, Int)] = None // identifier and size of a burst of writes, beats to come
        var current: Option[Int] = None // whose burst has begun
        var passed, dropped, broken, kinds, unknown, held = 0
        val unit = dut.io.unit
        val memory = dut.io.memory
        for (_ <- 0 until 20000) {
          val free = (0 until ids).filter(id => !debts.contains(id) && !sending.exists(_._1 == id))
          val (write, id, size) = sending match {
            case Some((id, size, _)) => (true, id, size)
            case None =>
              (random.nextBoolean(), if (free.isEmpty) 0 else free(random.nextInt(free.size)), random.nextInt(7))
          }
          val asks = (sending.nonEmpty || free.nonEmpty) && random.nextInt(3) == 0
          val requestReady = random.nextInt(4) != 0
          unit.request.valid.poke(asks)
          unit.request.bits.write.poke(write)
          unit.request.bits.id.poke(id)
          unit.request.bits.size.poke(size)
          memory.request.ready.poke(requestReady)

          val honest = random.nextInt(3) != 0
          val owing = current.map(Seq(_)).getOrElse(debts.keys.toSeq.sorted)
          val from = if (honest && owing.nonEmpty) owing(random.nextInt(owing.size)) else random.nextInt(8)
          val kind = if (honest) debts.get(from).exists(_.write) else random.nextBoolean()
          val answers = random.nextInt(4) != 0
          val unitReady = random.nextInt(4) != 0
          memory.response.valid.poke(answers)
          memory.response.bits.write.poke(kind)
          memory.response.bits.id.poke(from)
          memory.response.bits.size.poke(random.nextInt(7))
          unit.response.ready.poke(unitReady)

          assert(memory.request.valid.peekBoolean() == asks)
          assert(unit.request.ready.peekBoolean() == requestReady)
          val owed = debts.get(from).exists(_.write == kind) && current.forall(_ == from)
          assert(unit.response.valid.peekBoolean() == (answers && owed), s"from $from, $kind, $debts, $current")
          val early = asks && requestReady && id == from
          if (answers)
            assert(
              memory.response.ready.peekBoolean() == (if (owed) unitReady else !early),
              s"from $from, $debts, $current"
            )
          if (answers && owed && unitReady) {
            val debt = debts(from)
            passed += 1
            current = if (debt.beats > 1) Some(from) else None
            if (debt.beats > 1) debts(from) = debt.copy(beats = debt.beats - 1) else debts -= from
          } else if (answers && !owed) {
            dropped += 1
            if (from >= ids) unknown += 1
            if (early) held += 1
            if (current.exists(_ != from) && debts.contains(from)) broken += 1
            if (debts.get(from).exists(_.write != kind)) kinds += 1
          }
          if (asks && requestReady) {
            val beats = math.max(1, (1 << size) / 8)
            // A write may be acknowledged from its first beat on
            if (sending.isEmpty) debts(id) = Debt(write, if (write) 1 else beats)
            val left = sending.map(_._3).getOrElse(if (write) beats else 1) - 1
            sending = if (left > 0) Some((id, size, left)) else None
          }
          step()
        }
        for (
          (what, count) <- Seq(
            "passed" -> passed,
            "dropped" -> dropped,
            "broke" -> broken,
            "kinds" -> kinds,
            "unknown" -> unknown,
            "held" -> held
          )
        ) assert(count > 50, what)
      }
    }
  }
}
