package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** A queue of each kind. */
private class ErasingQueues(kinds: Seq[(Int, Boolean, Boolean)]) extends Module {
  val io = IO(new Bundle {
    val in = Vec(kinds.size, Flipped(Decoupled(UInt(16.W))))
    val out = Vec(kinds.size, Decoupled(UInt(16.W)))
    val count = Output(Vec(kinds.size, UInt(log2Ceil(kinds.map(_._1).max + 1).W)))
  })
  for (((entries, pipe, flow), i) <- kinds.zipWithIndex) {
    val queue = Module(new ErasingQueue(UInt(16.W), entries, pipe, flow))
    queue.io.enq <> io.in(i)
    io.out(i) <> queue.io.deq
    io.count(i) := queue.io.count
  }
}

class ErasingQueueSpec extends AnyFunSuite with Simulation {
  private val kinds = (24, false, false) +: (for {
    entries <- 1 to 4
    pipe <- Seq(false, true)
    flow <- Seq(false, true)
  } yield (entries, pipe, flow))

  // covers: bus.queue-erase
  test("a queue gives everything in order, with any two events in a cycle, and an empty one holds nothing") {
    simulate(new ErasingQueues(kinds)) { dut =>
      val random = new Random(5)
      val models = kinds.map(_ => mutable.Queue[Int]())
      for (cycle <- 0 until 2000) {
        // Now mostly full, now mostly empty
        val fills = cycle / 100 % 2 == 0
        val events = kinds.indices.map { i =>
          val (offers, takes) = (random.nextInt(4) < (if (fills) 3 else 1), random.nextInt(4) < (if (fills) 1 else 3))
          val item = 1 + random.nextInt(0xffff)
          dut.io.in(i).valid.poke(offers)
          dut.io.in(i).bits.poke(item)
          dut.io.out(i).ready.poke(takes)
          (offers, takes, item)
        }
        for (i <- kinds.indices) {
          val ((entries, pipe, flow), model, (offers, takes, item)) = (kinds(i), models(i), events(i))
          val enters = model.size < entries || pipe && takes
          val leaves = model.nonEmpty || flow && offers
          val shown = model.headOption.getOrElse(if (flow) item else 0)
          dut.io.in(i).ready.expect(enters)
          dut.io.out(i).valid.expect(leaves)
          dut.io.out(i).bits.expect(shown)
          dut.io.count(i).expect(model.size)
          if (offers && enters) model.enqueue(item)
          if (takes && leaves) assert(model.dequeue() == shown)
        }
        step()
      }
    }
  }
}
