package hauberk.bus

import chisel3._
import hauberk.testing.{Remains, Simulation}
import java.security.MessageDigest
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The units that keep a key or a pad for some time only. */
private class Keepers(p: BusParams, pads: PadParams) extends Module {
  private val theTable = Module(new GroupTable(p))
  private val theSwap = Module(new GroupSwap(p, 1))
  private val theSetup = Module(new GroupSetup(p, 0, 1))
  private val theWorker = Module(new PadWorker(pads, 2, 256, encrypts = false))
  val table = IO(chiselTypeOf(theTable.io))
  val swap = IO(chiselTypeOf(theSwap.io))
  val setup = IO(chiselTypeOf(theSetup.io))
  val worker = IO(chiselTypeOf(theWorker.io))
  table <> theTable.io
  swap <> theSwap.io
  setup <> theSetup.io
  worker <> theWorker.io
}

/** A group's key that has left, a set-up that is over and a pad that is used leave nothing in any register. */
class KeeperErasureSpec extends AnyFunSuite with Simulation {
  private val p = SmallBus(2, 128, SmallBus.secure.copy(groups = 2))
  private val random = new Random(71)
  private val key = BigInt(128, random)

  /** Stands for the cipher: no two answers are alike. */
  private def answer(request: ServiceRequest): BigInt = {
    val input = request.key.peek().toString + " " + request.block.peek()
    BigInt(1, MessageDigest.getInstance("SHA-256").digest(input.getBytes("US-ASCII")).take(16))
  }
  private def erased(secrets: => Seq[(BigInt, Int)])(body: Keepers => Unit): Unit = {
    val states = looks(new Keepers(p, PadParams(4, countBits = 8)))(body)
    Remains.erased(states, secrets)
  }

  /** A context leaves, comes back, and comes back changed. */
  private def swap(dut: Keepers): Unit = {
    val swap = dut.swap
    swap.pid.poke(1)
    swap.service.ready.poke(true)
    swap.random.valid.poke(true)
    def until(end: Bool): Unit = {
      var cycles = 0
      while (!end.peekBoolean()) {
        val block = if (swap.service.valid.peekBoolean()) Some(answer(swap.service.bits)) else None
        swap.random.bits.poke(BigInt(64, random))
        step()
        block.foreach(swap.answer.bits.block.poke(_))
        swap.answer.valid.poke(block.nonEmpty)
        if (block.nonEmpty) step()
        swap.answer.valid.poke(false)
        cycles += 1
        assert(cycles < 100)
      }
    }
    swap.leave.bits.key.poke(key)
    swap.leave.bits.row.poke(3)
    swap.leave.bits.interval.poke(4)
    swap.leave.valid.poke(true)
    step()
    swap.leave.valid.poke(false)
    swap.leave.bits.key.poke(0)
    look(dut)
    until(swap.out.valid)
    val words = Seq.fill(GroupContext.words)(swap.out.receive()(_.peek()))
    look(dut)
    for (context <- Seq(words, words.init :+ words.last.flipBit(0))) {
      for (word <- context) swap.in.send()(_.poke(word))
      swap.busy.expect(true)
      until(if (context == words) swap.back.valid else swap.bad)
      look(dut)
      step()
      look(dut)
    }
  }

  /** A context gets an entry, and leaves it. */
  private def table(dut: Keepers): Unit = {
    val table = dut.table
    table.back.valid.poke(true)
    table.back.bits.group.poke(1)
    table.back.bits.row.poke(3)
    table.back.bits.interval.poke(4)
    table.back.bits.key.poke(key)
    step()
    table.back.valid.poke(false)
    table.back.bits.key.poke(0)
    step(3)
    look(dut)
    table.settled(1).poke(true)
    table.command.valid.poke(true)
    table.command.bits.operation.poke(GroupOperation.swapOut)
    table.command.bits.group.poke(1)
    table.leave.bits.key.expect(key)
    step()
    table.command.valid.poke(false)
    look(dut)
  }

  /** The pad of a block, which is used. */
  private def pad(dut: Keepers, pads: Seq[BigInt]): Unit = {
    val worker = dut.worker
    worker.look.ready.poke(true)
    worker.job.ready.poke(true)
    worker.found.valid.poke(true)
    worker.work.bits.data.poke(BigInt(256, random))
    worker.work.valid.poke(true)
    stepUntil(worker.job.valid, limit = 10)
    step(pads.size)
    for (pad <- pads) {
      worker.made.valid.poke(true)
      worker.made.bits.poke(pad)
      step()
    }
    worker.made.valid.poke(false)
    worker.made.bits.poke(0)
    stepUntil(worker.done.valid, limit = 200)
    look(dut)
    worker.done.ready.poke(true)
    step()
    worker.work.valid.poke(false)
    worker.done.ready.poke(false)
    look(dut)
  }

  /** A set-up to its end, and its session to its end; all that the cipher said, and was told of the session that was to be. */
  private def setUp(dut: Keepers): Seq[(BigInt, Int)] = {
    val setup = dut.setup
    val nonce = BigInt(64, random)
    var secrets = Seq(nonce -> 64)
    setup.pid.poke(0)
    setup.members.poke(3)
    setup.source.poke(1)
    setup.key.poke(key)
    setup.wanted.poke(true)
    setup.random.valid.poke(true)
    setup.random.bits.poke(nonce)
    setup.received.poke(BigInt(64, random))
    setup.service.ready.poke(true)
    var asked = 0
    var cycles = 0
    while (!setup.open.peekBoolean()) {
      val block = if (setup.service.valid.peekBoolean()) Some(answer(setup.service.bits)) else None
      if (block.nonEmpty && setup.service.bits.key.peek() == key) {
        if (asked > 0) secrets :+= setup.service.bits.block.peek() -> 128
        asked += 1
      }
      secrets ++= block.map(_ -> 128)
      setup.granted.poke(setup.asks.peekBoolean())
      setup.commit.poke(setup.accepts.peekBoolean())
      step()
      block.foreach(setup.answer.bits.block.poke(_))
      setup.answer.valid.poke(block.nonEmpty)
      if (block.nonEmpty) step()
      setup.answer.valid.poke(false)
      setup.answer.bits.block.poke(0)
      cycles += 1
      assert(cycles < 1000)
    }
    assert(asked == 3, "the first block, and a share of each")
    look(dut)
    setup.wanted.poke(false)
    step(2)
    look(dut)
    secrets
  }

  // covers: bus.erase
  test("the key of a group that was swapped, the secrets of a set-up, and a used pad are erased") {
    val pads = Seq.fill(2)(BigInt(128, random))
    var ofSetup = Seq.empty[(BigInt, Int)]
    erased(ofSetup ++ (key +: pads).map(_ -> 128)) { dut =>
      swap(dut)
      table(dut)
      pad(dut, pads)
      ofSetup = setUp(dut)
    }
  }
}
