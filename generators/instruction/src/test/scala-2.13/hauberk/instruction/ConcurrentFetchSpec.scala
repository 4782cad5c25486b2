package hauberk.instruction

import hauberk.crypto.JdkAes
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Several fetches under way, of encrypted pages and others, answered in any order by a memory that stalls. */
// covers: instruction.concurrent-fetches
class ConcurrentFetchSpec extends AnyFunSuite with FetchBench {

  /** One that memory denies, if `denied`. */
  private case class Fetch(id: Int, address: BigInt, lgSize: Int, denied: Boolean)

  private def run(p: EmuParams): Unit = simulate(new EncryptionManagementUnit(p)) { dut =>
    val random = new Random(77)
    val bench = new Bench(dut)
    val key = JdkAes.random(random, 128)
    bench.loadKey(1, key)
    val plain = (0 until 4).map(i => BigInt(0x80000 + i) -> randomPage(random)).toMap
    for ((page, content) <- plain) {
      val encrypted = page % 2 == 0
      if (encrypted) bench.mapped(((page / 2) % 2).toInt, page, 1, page << 8)
      bench.pages(page) = if (encrypted) ReferenceSeal.page(p.mode, key, page << 8, content) else content
    }

    def word(address: BigInt): BigInt = bench.words(plain(address >> 12), address).head
    def beatsOf(fetch: Fetch): Int = ((1 << fetch.lgSize) / p.beatBytes).max(1)

    val free = mutable.Set.from(0 until p.ids)
    val underWay = mutable.Map.empty[Int, (Fetch, Int)] // beats that have come
    val asked = mutable.Buffer.empty[Fetch]
    var offered = Option.empty[Fetch]
    var burst = Option.empty[(Fetch, Int)]
    var (done, most, cycle) = (0, 0, 0)
    while (done < 200) {
      assert(cycle < 40000, s"stuck after $done fetches")
      if (offered.isEmpty && free.nonEmpty && random.nextInt(3) > 0) {
        val lgSize = 3 + random.nextInt(4)
        val page = BigInt(0x80000 + random.nextInt(4))
        val id = free.toSeq.sorted.apply(random.nextInt(free.size))
        offered =
          Some(Fetch(id, (page << 12) + ((random.nextInt(4096) >> lgSize) << lgSize), lgSize, random.nextInt(8) == 0))
      }
      dut.io.processor.request.valid.poke(offered.nonEmpty)
      offered.foreach { fetch =>
        dut.io.processor.request.bits.id.poke(fetch.id)
        dut.io.processor.request.bits.address.poke(fetch.address)
        dut.io.processor.request.bits.size.poke(fetch.lgSize)
      }
      val memoryReady = random.nextInt(4) > 0
      dut.io.memory.request.ready.poke(memoryReady)
      val takes = random.nextInt(4) > 0
      dut.io.processor.beat.ready.poke(takes)
      if (burst.isEmpty && asked.nonEmpty && random.nextInt(4) == 0) {
        burst = Some((asked.remove(random.nextInt(asked.size)), 0))
      }
      dut.io.memory.beat.valid.poke(burst.nonEmpty)
      burst.foreach { case (fetch, beat) =>
        dut.io.memory.beat.bits.id.poke(fetch.id)
        dut.io.memory.beat.bits.denied.poke(fetch.denied)
        dut.io.memory.beat.bits.data.poke(bench.word((fetch.address / p.beatBytes + beat) * p.beatBytes))
      }
      val toMemory = dut.io.memory.request
      val goes = dut.io.processor.request.ready.peekBoolean() && offered.nonEmpty
      assert(goes == (memoryReady && toMemory.valid.peekBoolean()), "one side has the fetch, the other has not")
      if (goes) {
        val fetch = offered.get
        asked += fetch.copy(address = toMemory.bits.address.peek(), lgSize = toMemory.bits.size.peek().toInt)
        underWay(fetch.id) = (fetch, 0)
        free -= fetch.id
        most = most.max(underWay.size)
        offered = None
      }
      if (burst.nonEmpty && dut.io.memory.beat.ready.peekBoolean()) {
        val (fetch, beat) = burst.get
        burst = if (beat + 1 == beatsOf(fetch)) None else Some((fetch, beat + 1))
      }
      val out = dut.io.processor.beat
      if (takes && out.valid.peekBoolean()) {
        val (fetch, beat) = underWay(out.bits.id.peek().toInt)
        out.bits.denied.expect(fetch.denied)
        if (!fetch.denied) out.bits.data.expect(word(fetch.address + beat * p.beatBytes))
        if (beat + 1 == beatsOf(fetch)) {
          underWay -= fetch.id
          free += fetch.id
          done += 1
        } else underWay(fetch.id) = (fetch, beat + 1)
      }
      step()
      cycle += 1
    }
    assert(most == p.ids, s"no more than $most fetches were under way at a time")
  }

  test("counter mode") { run(EmuParams(ids = 4, extraLatency = 2)) }
  test("one or two at a time, whose memory and processor stall") {
    for {
      mode <- Seq(DecryptionMode.Counter, DecryptionMode.Direct(cores = 1))
      ids <- 1 to 2
    } run(EmuParams(mode, ids = ids))
  }
  test("direct: those of plaintext beside each other, those of encrypted pages alone") {
    run(EmuParams(DecryptionMode.Direct(), ids = 4))
  }
}
