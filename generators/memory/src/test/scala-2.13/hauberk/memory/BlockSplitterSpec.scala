package hauberk.memory

import hauberk.memory.port.{BlockSplitter, MemoryPortParams}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Transfers of several blocks through a unit of one block, between a client and a memory that check what they see. */
class BlockSplitterSpec extends AnyFunSuite with Simulation {
  private class Bench(dut: BlockSplitter, timing: MemoryTiming) {
    val client = new PortClient(BlockSplitterSpec.this, dut.io.client, timing)
    val memory = new PortMemory(BlockSplitterSpec.this, dut.io.memory, timing, partial = true)
    def tick(): Unit = {
      client.drive()
      memory.drive()
      client.settle()
      memory.settle()
      step()
    }
    def drain(limit: Int = 20000): Unit = {
      val end = client.cycle + limit
      while (!client.idle) {
        assert(client.cycle < end, s"transfers are unanswered after $limit cycles")
        tick()
      }
    }
  }

  private case class Point(beatBytes: Int, wide: Int, block: Int, slots: Int, idBits: Int) {
    val params: MemoryPortParams = MemoryPortParams(12, beatBytes, wide, idBits)
  }
  private val points = Seq(
    Point(8, 16, 8, 2, 3),
    Point(8, 64, 8, 2, 4),
    Point(8, 64, 16, 3, 4),
    Point(8, 32, 16, 1, 2),
    Point(8, 64, 32, 2, 1),
    Point(16, 64, 16, 2, 6),
    Point(8, 128, 8, 1, 1)
  )

  private def run(dut: BlockSplitter, point: Point, timing: MemoryTiming, random: Random): Unit = {
    val bench = new Bench(dut, timing)
    val memory = bench.memory
    val bytes = new Array[Byte](1 << 12)
    random.nextBytes(bytes)
    memory.unset = number => bytes.slice(number * point.block, (number + 1) * point.block)
    val poisoned = mutable.Set.empty[Int]
    memory.refused ++= Seq(3, 40)
    val whole = Integer.numberOfTrailingZeros(point.wide)
    for (round <- 0 until 60) {
      // Transfers of one round are of different bytes, but for reads: a unit behind the splitter keeps the order of one block, this memory does not
      val busy = mutable.Map.empty[Int, Boolean]
      val asked = mutable.Buffer.empty[(Transfer, Int, Seq[Byte], Boolean)]
      for (_ <- 0 until 1 + random.nextInt(14)) {
        val size = if (random.nextInt(3) == 0) whole else random.nextInt(whole + 1)
        val n = 1 << size
        val address = (random.nextInt(1 << 10) >> size) << size
        val write = random.nextBoolean()
        val blocks = (address / point.block) to ((address + n - 1) / point.block)
        if (blocks.forall(b => busy.get(b).forall(written => !written && !write))) {
          blocks.foreach(b => busy(b) = write)
          val holes = if (write && random.nextInt(3) == 0) Seq.fill(n)(random.nextBoolean()) else Nil
          val beats = math.max(1, n / point.beatBytes)
          val poison = if (write && holes.isEmpty && random.nextInt(8) == 0) Some(random.nextInt(beats)) else None
          val t = Transfer(write, address, size, if (write) Transfer.randomBytes(random, n) else Nil, holes, poison)
          val refused = blocks.exists(memory.refused)
          val denied = refused || (!write && blocks.exists(poisoned))
          if (write) {
            for (b <- blocks) poisoned -= b
            for (beat <- poison) poisoned += (address + beat * point.beatBytes) / point.block
            for (i <- 0 until n if (holes.isEmpty || holes(i)) && !memory.refused((address + i) / point.block))
              bytes(address + i) = t.data(i)
          }
          val data = if (write) Nil else bytes.slice(address, address + n).toSeq
          asked += ((t, bench.client.ask(t), data, denied))
        }
      }
      bench.drain()
      for ((t, ticket, data, denied) <- asked) {
        val answer = bench.client.answers(ticket)
        assert(answer.denied == denied, s"round $round: $t")
        if (!t.write && !denied) assert(answer.data == data, s"round $round: $t")
      }
    }
    for (b <- 0 until (1 << 10) / point.block)
      assert(memory.block(b).toSeq == bytes.slice(b * point.block, (b + 1) * point.block).toSeq, s"block $b")
  }

  for (point <- points) test(s"any transfers, any memory that answers a cycle later: $point") {
    simulate(new BlockSplitter(point.params, point.block, point.slots)) { dut =>
      for (
        timing <- Seq(new NextCycleMemory(new Random(1), 30), new UnsteadyMemory(new Random(2), 40), SteadyMemory(1))
      ) {
        resetDesign(dut)
        run(dut, point, timing, new Random(3))
      }
    }
  }

  for (point <- points.take(3)) test(s"answers in the cycle of their requests: $point") {
    simulate(new BlockSplitter(point.params, point.block, point.slots)) { dut =>
      run(dut, point, new HastyMemory(new Random(1), 30), new Random(3))
    }
  }

  test("a long read is answered beside a stream of short ones") {
    val point = points(1)
    simulate(new BlockSplitter(point.params, point.block, point.slots)) { dut =>
      val bench = new Bench(dut, SteadyMemory(12))
      bench.tick()
      val long = bench.client.ask(Transfer(write = false, 0, 6))
      val short = (0 until 600).map(i => bench.client.ask(Transfer(write = false, 8 * (i % 64), 3)))
      bench.drain()
      val place = bench.client.order.indexOf(long)
      info(s"the long read is answered after $place of ${short.size} short ones that were asked for after it")
      assert(place < 100)
    }
  }
}
