package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Cases of the group information table that are rare among random ones. */
class GroupTableEdgesSpec extends AnyFunSuite with Simulation {
  private val groups = 5
  private val p = SmallBus(3, 128, SmallBus.secure.copy(groups = groups))
  private val pid = 2

  private def tables(body: (GroupTable, GroupControl) => Unit): Unit = simulate(new GroupTable(p)) { dut =>
    dut.io.pid.poke(pid)
    dut.io.settled.foreach(_.poke(true))
    body(dut, new GroupControl(this, dut.io.command, dut.io.refusal, dut.io.keyWrite, dut.io.keyRefusal))
  }
  private def comesBack(dut: GroupTable, group: Int, key: BigInt): Unit = {
    val back = dut.io.back
    back.valid.poke(true)
    back.bits.group.poke(group)
    back.bits.row.poke(6)
    back.bits.interval.poke(9)
    back.bits.key.poke(key)
    dut.io.backRefusal.expect(GroupRefusal.none)
    step()
    back.valid.poke(false)
    back.bits.group.poke(0)
    back.bits.key.poke(0)
  }

  // covers: bus.groups
  test("an interval of one bit is none of zero, whichever bit it is") {
    tables { (dut, table) =>
      import GroupOperation._
      assert(table.command(allocate, 4, members = 5) == GroupRefusal.interval)
      for (bit <- 0 until 32) {
        assert(table.command(allocate, 4, members = 5, interval = BigInt(1) << bit) == GroupRefusal.none)
        dut.io.entries(4).interval.expect(BigInt(1) << bit)
        assert(table.command(release, 4) == GroupRefusal.none)
      }
    }
  }

  // covers: bus.groups
  test("a context that comes back has its own entry, whichever, and both words of its key") {
    tables { (dut, table) =>
      val random = new Random(27)
      val keys = Seq.fill(groups)(BigInt(128, random))
      for (group <- random.shuffle((0 until groups).toList)) {
        comesBack(dut, group, keys(group))
        step(2)
        assert(table.command(GroupOperation.open, group) == GroupRefusal.none)
      }
      for ((entry, key) <- dut.io.entries.zip(keys)) {
        entry.key.expect(key)
        entry.row.expect(6)
        entry.interval.expect(9)
      }
      for (group <- 0 until groups) {
        assert(table.command(GroupOperation.release, group) == GroupRefusal.none)
        // One that is not this member's shows no row, and takes no key
        assert(table.command(GroupOperation.allocate, group, members = 3, interval = 1) == GroupRefusal.none)
        dut.io.entries(group).occupied.expect(true)
        dut.io.entries(group).row.expect(0)
        assert(table.word(group, 0, 5) == GroupRefusal.members)
      }
    }
  }

  // covers: bus.groups
  test("a reset between the two words of a key that comes back leaves no entry, and no word to come") {
    tables { (dut, table) =>
      for (group <- 0 until groups) {
        comesBack(dut, group, (BigInt(1) << 128) - 1)
        resetDesign(dut, cycles = 1)
        dut.io.entries.foreach(_.occupied.expect(false))
        assert(table.word(group, 1, 7) == GroupRefusal.free)
        assert(table.command(GroupOperation.allocate, group, members = 6, interval = 1) == GroupRefusal.none)
        assert(table.word(group, 0, 3) == GroupRefusal.none)
        assert(table.command(GroupOperation.open, group) == GroupRefusal.noKey, "half a key was there")
        assert(table.word(group, 1, 4) == GroupRefusal.none)
        assert(table.command(GroupOperation.open, group) == GroupRefusal.none)
        dut.io.entries(group).key.expect((BigInt(3) << 64) | 4)
      }
    }
  }
}
