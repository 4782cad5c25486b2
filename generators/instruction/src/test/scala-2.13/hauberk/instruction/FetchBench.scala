package hauberk.instruction

import hauberk.crypto.KeyPorts
import hauberk.testing.Simulation
import scala.util.Random

/** A beat that came to the processor, so many cycles after the request. */
case class Arrived(data: BigInt, denied: Boolean, cycle: Int)

/** What came of a fetch. */
case class Fetched(arrived: Seq[Arrived]) {
  def beats: Seq[BigInt] = arrived.map(_.data)
  def denied: Boolean = arrived.exists(_.denied)
  def first: Int = arrived.head.cycle
  def last: Int = arrived.last.cycle
}

/** An encryption management unit between a processor, which the tests play, and a memory of pages. */
trait FetchBench extends Simulation {
  protected class Bench(dut: EncryptionManagementUnit) {
    val p: EmuParams = dut.p

    /** Memory, by page number. */
    val pages = scala.collection.mutable.Map.empty[BigInt, Array[Byte]]

    /** Cycles from a request at memory to its first beat. */
    var latency = 20

    dut.io.processor.request.valid.poke(false)
    dut.io.processor.beat.ready.poke(true)
    dut.io.memory.request.ready.poke(true)
    dut.io.memory.beat.valid.poke(false)
    dut.io.commands.mapping.valid.poke(false)
    dut.io.commands.key.valid.poke(false)
    dut.io.commands.zeroize.valid.poke(false)
    dut.io.flushed.poke(false)

    def word(address: BigInt): BigInt = {
      val page = pages(address >> EmuParams.pageBits)
      val at = (address & 0xfff).toInt
      BigInt(1, page.slice(at, at + p.beatBytes).reverse)
    }

    def loadKey(slot: Int, key: BigInt): Unit = {
      KeyPorts.zeroize(FetchBench.this, dut.io.commands.zeroize, slot)
      KeyPorts.write(FetchBench.this, dut.io.commands.key, slot, key)
      step(15)
    }

    /** Tells of a mapping; the error. */
    def map(index: Int, page: BigInt, slot: Int, ancillary: BigInt = 0): Int =
      MappingPort.write(FetchBench.this, dut.io.commands.mapping, dut.io.commands.error)(index, page, slot, ancillary)

    def flush(): Unit = {
      flushes(true)
      step()
      flushes(false)
    }
    def flushes(now: Boolean): Unit = dut.io.flushed.poke(now)

    /** Maps, and flushes as software should. */
    def mapped(index: Int, page: BigInt, slot: Int, ancillary: BigInt = 0): Unit = {
      assert(map(index, page, slot, ancillary) == EmuError.none)
      flush()
    }

    /** In the middle of a fetch: frees the mapping at index 0, or zeroizes slot 1, if `active`. */
    def interfere(active: Boolean, zeroizes: Boolean): Unit = {
      dut.io.commands.mapping.bits.index.poke(0)
      dut.io.commands.mapping.bits.slot.poke(0)
      dut.io.commands.mapping.valid.poke(active && !zeroizes)
      dut.io.commands.zeroize.bits.poke(1)
      dut.io.commands.zeroize.valid.poke(active && zeroizes)
    }

    /** A fetch, whole; `meanwhile` is called in every cycle of it, with its number, and may drive what else there is. */
    def fetch(
        address: BigInt,
        lgSize: Int = 6,
        id: Int = 0,
        gaps: Option[Random] = None,
        memoryDenies: Boolean = false,
        meanwhile: Int => Unit = _ => ()
    ): Fetched = {
      val request = dut.io.processor.request
      request.bits.address.poke(address)
      request.bits.size.poke(lgSize)
      request.bits.id.poke(id)
      request.valid.poke(true)
      var (cycle, requested, atMemory, beat) = (0, -1, -1, 0)
      var (asked, askedSize) = (BigInt(0), 0)
      var seen = Seq.empty[Arrived]
      val expected = ((1 << lgSize) / p.beatBytes).max(1)
      while (seen.size < expected) {
        assert(cycle < 500, s"a fetch of 0x${address.toString(16)} takes forever after ${seen.size} beats")
        meanwhile(cycle)
        val takes = gaps.forall(_.nextBoolean())
        dut.io.processor.beat.ready.poke(takes)
        val sends = atMemory >= 0 && cycle - atMemory >= latency && beat < ((1 << askedSize) / p.beatBytes).max(1)
        dut.io.memory.beat.valid.poke(sends)
        if (sends) {
          dut.io.memory.beat.bits.id.poke(id)
          dut.io.memory.beat.bits.denied.poke(memoryDenies)
          val base = (asked / p.beatBytes) * p.beatBytes
          dut.io.memory.beat.bits.data.poke(if (memoryDenies) BigInt(0) else word(base + beat * p.beatBytes))
        }
        if (requested < 0 && request.ready.peekBoolean()) {
          requested = cycle
          assert(dut.io.memory.request.valid.peekBoolean())
          asked = dut.io.memory.request.bits.address.peek()
          askedSize = dut.io.memory.request.bits.size.peek().toInt
          atMemory = cycle
        }
        if (sends && dut.io.memory.beat.ready.peekBoolean()) beat += 1
        val out = dut.io.processor.beat
        if (takes && out.valid.peekBoolean()) {
          assert(out.bits.id.peek() == id)
          seen :+= Arrived(out.bits.data.peek(), out.bits.denied.peekBoolean(), cycle - requested)
        }
        step()
        if (requested == cycle) request.valid.poke(false)
        cycle += 1
      }
      dut.io.memory.beat.valid.poke(false)
      dut.io.processor.beat.ready.poke(true)
      Fetched(seen)
    }

    /** The words of `plain`, as a fetch brings them. */
    def words(plain: Array[Byte], address: BigInt, lgSize: Int = 6): Seq[BigInt] =
      (0 until ((1 << lgSize) / p.beatBytes).max(1)).map { i =>
        val at = ((address & 0xfff) / p.beatBytes).toInt * p.beatBytes + i * p.beatBytes
        BigInt(1, plain.slice(at, at + p.beatBytes).reverse)
      }
  }

  protected def randomPage(random: Random): Array[Byte] = {
    val page = new Array[Byte](4096)
    random.nextBytes(page)
    page
  }

  protected def withEmu(p: EmuParams)(body: Bench => Unit): Unit = withEmu(p, Seq(p.mode))(body)

  /** With a modifier for each of these modes, from the processor's side to memory's. */
  protected def withEmu(p: EmuParams, chain: Seq[DecryptionMode])(body: Bench => Unit): Unit = {
    val modifiers = chain.map(mode => (p: EmuParams) => EncryptionManagementUnit.modifier(p.copy(mode = mode)))
    simulate(new EncryptionManagementUnit(p, Some(modifiers)))(dut => body(new Bench(dut)))
  }

  /** With an encrypted page and one in plaintext, whose addresses the body gets in this order. */
  protected def withBothPages(p: EmuParams, random: Random)(body: (Bench, BigInt, BigInt) => Unit): Unit = withEmu(p) {
    bench =>
      val (encrypted, plain) = (BigInt(0x80001), BigInt(0x80002))
      bench.loadKey(1, BigInt(128, random))
      bench.pages ++= Seq(encrypted -> randomPage(random), plain -> randomPage(random))
      bench.mapped(0, encrypted, 1)
      body(bench, encrypted << EmuParams.pageBits, plain << EmuParams.pageBits)
  }
}
