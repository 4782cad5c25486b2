package hauberk.memory

import chisel3._
import hauberk.memory.port.{InTurn, MemoryJoin, MemoryPort, MemoryPortParams}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Three units of one port, with identifiers from 0, 3 and 9 on, whose priority has another order. */
private class JoinedPorts(params: MemoryPortParams) extends Module {
  val io = IO(new Bundle {
    val units = Vec(3, Flipped(new MemoryPort(params)))
    val memory = new MemoryPort(params)
  })
  MemoryJoin(io.memory, io.units.zip(Seq(3, 9, 0)).map { case (unit, first) => (unit, first) })
}

/** The choice among three in turn. */
private class Turns extends Module {
  val io = IO(new Bundle {
    val wants = Input(Vec(3, Bool()))
    val before = Input(UInt(2.W))
    val next = Output(UInt(2.W))
  })
  io.next := InTurn(io.wants, io.before)
}

/** Requests of several units on one port alone: the first goes first, bursts stay whole, answers find their unit. */
class MemoryArbiterSpec extends AnyFunSuite with Simulation {
  private val params = MemoryPortParams(addressBits = 12, beatBytes = 8, blockBytes = 64, idBits = 4)
  private case class Burst(write: Boolean, size: Int, id: Int, left: Int)
  private def burst(random: Random): Burst = {
    val (write, size) = (random.nextBoolean(), random.nextInt(7))
    Burst(write, size, random.nextInt(16), if (!write || size < 3) 1 else 1 << (size - 3))
  }

  // covers: memory.plain-memory
  test("the first that asks goes first, no burst is broken, and each answer reaches the unit of its identifier") {
    simulate(new JoinedPorts(params)) { dut =>
      val random = new Random(24)
      val (units, memory) = (dut.io.units, dut.io.memory)
      var locked = Option.empty[(Int, Burst)]
      var broke = 0
      for (cycle <- 0 until 4000) {
        if (cycle % 200 == 199) {
          units.foreach(_.request.valid.poke(false))
          resetDesign(dut)
          locked = None
        }
        val bursts = units.indices.map(i => locked.filter(_._1 == i).fold(burst(random))(_._2))
        val asks = units.indices.map(_ => random.nextInt(3) == 0)
        val beats =
          units.indices.map(_ => Seq(BigInt(12, random), BigInt(8, random), BigInt(64, random), BigInt(2, random)))
        for (((unit, of), i) <- units.zip(bursts).zipWithIndex) {
          val bits = unit.request.bits
          unit.request.valid.poke(asks(i))
          bits.write.poke(of.write)
          bits.size.poke(of.size)
          bits.id.poke(of.id)
          bits.address.poke(beats(i)(0))
          bits.mask.poke(beats(i)(1))
          bits.data.poke(beats(i)(2))
          bits.corrupt.poke(beats(i)(3).testBit(0))
          bits.partial.poke(beats(i)(3).testBit(1))
        }
        val takes = random.nextInt(3) != 0
        memory.request.ready.poke(takes)
        val goes = locked.map(_._1).orElse(asks.indices.find(asks)).filter(asks)
        memory.request.valid.expect(goes.nonEmpty)
        for (i <- units.indices if asks(i)) units(i).request.ready.expect(takes && goes.contains(i))
        for (i <- goes) {
          val bits = memory.request.bits
          bits.write.expect(bursts(i).write)
          bits.size.expect(bursts(i).size)
          bits.id.expect(bursts(i).id)
          bits.address.expect(beats(i)(0))
          bits.mask.expect(beats(i)(1))
          bits.data.expect(beats(i)(2))
          bits.corrupt.expect(beats(i)(3).testBit(0))
          bits.partial.expect(beats(i)(3).testBit(1))
          if (locked.nonEmpty && asks.indexOf(true) < i) broke += 1
        }

        val (answers, id, data) = (random.nextBoolean(), random.nextInt(16), BigInt(64, random))
        val ready = units.indices.map(_ => random.nextBoolean())
        val (write, denied, size) = (random.nextBoolean(), random.nextBoolean(), random.nextInt(7))
        memory.response.valid.poke(answers)
        memory.response.bits.id.poke(id)
        memory.response.bits.data.poke(data)
        memory.response.bits.write.poke(write)
        memory.response.bits.denied.poke(denied)
        memory.response.bits.size.poke(size)
        for ((unit, i) <- units.zipWithIndex) unit.response.ready.poke(ready(i))
        val owner = if (id < 3) 2 else if (id < 9) 0 else 1
        if (answers) memory.response.ready.expect(ready(owner))
        for ((unit, i) <- units.zipWithIndex) {
          unit.response.valid.expect(answers && i == owner)
          if (answers && i == owner) {
            unit.response.bits.id.expect(id)
            unit.response.bits.data.expect(data)
            unit.response.bits.write.expect(write)
            unit.response.bits.denied.expect(denied)
            unit.response.bits.size.expect(size)
          }
        }
        step()
        for (i <- goes if takes)
          locked = Some((i, bursts(i).copy(left = bursts(i).left - 1))).filter(_._2.left > 0)
      }
      assert(broke > 50, s"$broke bursts would break")
    }
  }

  test("the next in turn is the first that wants to after the one before, else the first of all") {
    simulate(new Turns) { dut =>
      for {
        wants <- 1 until 8
        before <- 0 until 3
      } {
        for (i <- 0 until 3) dut.io.wants(i).poke((wants >> i & 1) == 1)
        dut.io.before.poke(before)
        val order = (before + 1 until 3) ++ (0 to before)
        dut.io.next.expect(order.find(i => (wants >> i & 1) == 1).get)
      }
    }
  }
}
