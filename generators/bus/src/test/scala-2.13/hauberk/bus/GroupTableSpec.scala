package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The group information table alone, beside a model of it: commands, key words and contexts that come back, any of them in one cycle. */
class GroupTableSpec extends AnyFunSuite with Simulation {
  import GroupOperation._
  private val groups = 3
  private val p = SmallBus(3, 128, SmallBus.secure.copy(groups = groups))
  private case class Entry(
      occupied: Boolean = false,
      row: Int = 0,
      interval: BigInt = 0,
      opened: Boolean = false,
      key: Seq[Option[BigInt]] = Seq(None, None)
  ) {
    def usable: Boolean = key.forall(_.nonEmpty)
    def wanted: Boolean = opened && usable
    def wholeKey: BigInt = (key(0).get << 64) | key(1).get
    def withWord(word: Int, data: BigInt): Entry =
      copy(key = (if (usable) Seq(None, None) else key).updated(word, Some(data)))
  }
  private case class Context(group: Int, row: Int, interval: BigInt, key: BigInt)

  // covers: bus.groups
  test("what is refused changes nothing, and what leaves an entry takes its key and its members along") {
    simulate(new GroupTable(p)) { dut =>
      val random = new Random(52)
      def oneIn(n: Int) = random.nextInt(n) == 0
      var entries = Vector.empty[Entry]
      var pid = 0
      var restores = Option.empty[Context]
      for (cycle <- 0 until 6000) {
        if (cycle % 1000 == 0) {
          pid = random.nextInt(3)
          dut.io.pid.poke(pid)
          resetDesign(dut)
          entries = Vector.fill(groups)(Entry())
          restores = None
        }
        val isCommand = oneIn(3)
        val operation = Seq(allocate, allocate, open, open, release, swapOut)(random.nextInt(6))
        val (group, members) = (random.nextInt(4), random.nextInt(8) | (if (oneIn(4)) 0 else 1 << pid))
        val interval = if (oneIn(8)) BigInt(0) else BigInt(32, random)
        dut.io.command.valid.poke(isCommand)
        dut.io.command.bits.operation.poke(operation)
        dut.io.command.bits.group.poke(group)
        dut.io.command.bits.members.poke(members)
        dut.io.command.bits.interval.poke(interval)
        val (isWord, slot, word, data) = (oneIn(2), random.nextInt(4), random.nextInt(2), BigInt(64, random))
        dut.io.keyWrite.valid.poke(isWord)
        dut.io.keyWrite.bits.slot.poke(slot)
        dut.io.keyWrite.bits.word.poke(word)
        dut.io.keyWrite.bits.data.poke(data)
        val (swapBusy, settled, busy) = (oneIn(6), Seq.fill(groups)(!oneIn(4)), Seq.fill(groups)(oneIn(4)))
        dut.io.swapBusy.poke(swapBusy)
        for (i <- 0 until groups) {
          dut.io.settled(i).poke(settled(i))
          dut.io.busy(i).poke(busy(i))
        }
        // Contexts come one behind another in many cycles
        val isBack = restores.isEmpty && oneIn(6)
        val back = Context(random.nextInt(groups), random.nextInt(8), BigInt(32, random), BigInt(128, random))
        dut.io.back.valid.poke(isBack)
        dut.io.back.bits.group.poke(back.group)
        dut.io.back.bits.row.poke(back.row)
        dut.io.back.bits.interval.poke(back.interval)
        dut.io.back.bits.key.poke(back.key)

        def isMember(entry: Entry) = (entry.row >> pid & 1) == 1
        val entry = entries.lift(group).getOrElse(Entry())
        val ends = operation == release || operation == swapOut
        import GroupRefusal.{open => isOpen, _}
        val refusal =
          if (group >= groups) unknown
          else if (operation == allocate) {
            if (entry.occupied) occupied
            else if (Integer.bitCount(members) < 2) GroupRefusal.members
            else if (interval == 0) GroupRefusal.interval
            else none
          } else if (!entry.occupied) free
          else if (!isMember(entry)) none
          else if (operation != release && !entry.usable) noKey
          else if (operation == swapOut && (swapBusy || !settled(group))) GroupRefusal.busy
          else if (ends && busy(group)) GroupRefusal.busy
          else none
        val done = isCommand && refusal == none
        dut.io.refusal.expect(if (isCommand) refusal else none)
        val written = entries.lift(slot).getOrElse(Entry())
        val keyRefusal =
          if (slot >= groups) unknown
          else if (restores.nonEmpty) GroupRefusal.busy
          else if (!written.occupied) free
          else if (!isMember(written)) GroupRefusal.members
          else if (written.opened) isOpen
          else none
        dut.io.keyRefusal.expect(if (isWord) keyRefusal else none)
        val comes = isBack && !entries(back.group).occupied && !isCommand && !isWord
        dut.io.backRefusal.expect(if (isBack && !comes) occupied else none)
        val leaves = done && operation == swapOut && isMember(entry)
        dut.io.leave.valid.expect(leaves)
        if (leaves) {
          dut.io.leave.bits.group.expect(group)
          dut.io.leave.bits.row.expect(entry.row)
          dut.io.leave.bits.interval.expect(entry.interval)
        }
        dut.io.leave.bits.key.expect(if (leaves) entry.wholeKey else BigInt(0))
        for ((port, entry) <- dut.io.entries.zip(entries)) {
          port.occupied.expect(entry.occupied)
          port.row.expect(entry.row)
          if (entry.occupied) port.interval.expect(entry.interval)
          port.wanted.expect(entry.wanted)
          port.key.expect(if (entry.wanted) entry.wholeKey else BigInt(0))
        }
        step()

        def change(group: Int)(to: Entry => Entry): Unit = entries = entries.updated(group, to(entries(group)))
        val low = (BigInt(1) << 64) - 1
        for (context <- restores) change(context.group)(_.withWord(1, context.key & low))
        if (isWord && keyRefusal == none) change(slot)(_.withWord(word, data))
        if (done) operation match {
          case `allocate` =>
            val row = if ((members >> pid & 1) == 1) members else 0
            change(group)(_.copy(occupied = true, row = row, interval = interval))
          case `open` => change(group)(_.copy(opened = isMember(entry)))
          case _ => change(group)(_ => Entry())
        }
        if (comes) change(back.group) {
          _.withWord(0, back.key >> 64).copy(occupied = true, row = back.row, interval = back.interval)
        }
        restores = if (comes) Some(back) else None
      }
    }
  }
}
