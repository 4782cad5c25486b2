package hauberk.instruction

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The control units alone, beside models of them, with any of their events in one cycle. */
class ControlSpec extends AnyFunSuite with Simulation {
  private val p = EmuParams(keySlots = 4)
  private val mostNumber = 0xffff

  // covers: instruction.keys
  test(
    "a key is written to its slot once what was there is gone, nothing of it is kept, and it is busy until all can use it"
  ) {
    simulate(new KeyTableControl(p)) { dut =>
      val random = new Random(8)
      def oneIn(n: Int) = random.nextInt(n) == 0
      var (slot, awaits) = (0, false)
      var words = Seq.empty[BigInt]
      for (cycle <- 0 until 4000) {
        if (cycle % 100 == 50) {
          resetDesign(dut)
          awaits = false
          words = Nil
        }
        val commits = oneIn(4)
        val wanted = if (oneIn(3)) Seq(0, 4, 5, 0x8001, mostNumber)(random.nextInt(5)) else 1 + random.nextInt(3)
        val key = BigInt(128, random)
        val usable = Seq.fill(p.keySlots)(oneIn(2))
        dut.io.commit.valid.poke(commits)
        dut.io.commit.bits.slot.poke(wanted)
        dut.io.commit.bits.key.poke(key)
        dut.io.usable.zip(usable).foreach { case (port, value) => port.poke(value) }
        val exists = wanted > 0 && wanted < 4
        val takes = commits && exists && !awaits
        dut.io.error.expect(if (exists) EmuError.none else EmuError.badSlot)
        dut.io.busy.expect(awaits)
        dut.io.zeroize.valid.expect(takes)
        if (takes) dut.io.zeroize.bits.expect(wanted)
        dut.io.key.valid.expect(words.nonEmpty)
        dut.io.key.bits.data.expect(words.headOption.getOrElse(BigInt(0)))
        if (words.nonEmpty) {
          dut.io.key.bits.slot.expect(slot)
          dut.io.key.bits.word.expect(2 - words.size)
        }
        step()
        if (words.isEmpty && awaits && usable(slot)) awaits = false
        words = words.drop(1)
        if (takes) {
          slot = wanted
          awaits = true
          words = Seq(key >> 64, key & ((BigInt(1) << 64) - 1))
        }
      }
    }
  }

  // covers: instruction.tables
  test(
    "a mapping goes to all tables as it was written, a number that does not fit is none, and any table's error counts"
  ) {
    simulate(new PageTableControl(p, units = 2)) { dut =>
      val random = new Random(9)
      def among[T](values: T*): T = values(random.nextInt(values.size))
      val held = Array.fill(PageRegister.index)(BigInt(0))
      var error = EmuError.none
      for (cycle <- 0 until 4000) {
        if (cycle % 500 == 250) {
          resetDesign(dut)
          held.indices.foreach(held(_) = 0)
          error = EmuError.none
        }
        val (writes, register) = (random.nextInt(4) > 0, random.nextInt(8))
        val large = BigInt(1) << (16 + random.nextInt(48))
        val data = register match {
          case PageRegister.page => BigInt(32, random) + among(BigInt(0), BigInt(1) << (32 + random.nextInt(32)))
          case PageRegister.slot | PageRegister.index => among(BigInt(3), BigInt(16, random), large + 3)
          case _ => BigInt(64, random)
        }
        val errors = Seq.fill(2)(among(EmuError.none, EmuError.none, EmuError.badIndex, EmuError.noKey))
        dut.io.write.valid.poke(writes)
        dut.io.write.bits.register.poke(register)
        dut.io.write.bits.data.poke(data)
        dut.io.errors.zip(errors).foreach { case (port, value) => port.poke(value) }
        val commits = writes && register == PageRegister.index
        val exists = held(PageRegister.page) >> p.addressBits == 0
        def number(value: BigInt) = value.min(mostNumber)
        dut.io.mapping.valid.expect(commits && exists)
        if (commits && exists) {
          dut.io.mapping.bits.index.expect(number(data))
          dut.io.mapping.bits.page.expect(held(PageRegister.page) >> EmuParams.pageBits)
          dut.io.mapping.bits.slot.expect(number(held(PageRegister.slot)))
          dut.io.mapping.bits.ancillary
            .expect((held(PageRegister.ancillaryHigh) << 64) | held(PageRegister.ancillaryLow))
        }
        dut.io.error.expect(error)
        step()
        if (commits) error = if (exists) errors.find(_ != EmuError.none).getOrElse(EmuError.none) else EmuError.badPage
        if (writes && register < PageRegister.index) held(register) = data
      }
    }
  }
}
