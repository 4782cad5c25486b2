package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The table of counters alone, beside a model of it: what any tile says, looks and encryptions, in any cycle. */
class PadTableSpec extends AnyFunSuite with Simulation {
  private case class Entry(valid: Boolean, owner: Boolean, writer: Int, count: Int)
  private case class Message(kind: Int, block: Int, count: Int, source: Int)

  // covers: bus.pad-messages
  for (p <- Seq(PadParams(blocks = 4, countBits = 8), PadParams(blocks = 8, countBits = 16)))
    test(s"counters of ${p.countBits} bits follow what others tell of them, never back, and answers are true") {
      follow(p)
    }

  private def follow(p: PadParams): Unit = {
    val most = (1 << p.countBits) - 1
    simulate(new PadTable(p, pidBits = 2, readers = 2)) { dut =>
      val random = new Random(61)
      def oneIn(n: Int) = random.nextInt(n) == 0
      var entries = Vector.empty[Entry]
      var cleared = 0
      var acting, owed = Option.empty[Message]
      var found = Option.empty[Entry]
      for (cycle <- 0 until 6000) {
        if (cycle % 500 == 0) {
          resetDesign(dut)
          entries = Vector.fill(p.blocks)(Entry(valid = true, owner = false, 0, 0))
          cleared = 0
          acting = None
          owed = None
          found = None
        }
        // About what is known, so that one more and one less come often
        val block = random.nextInt(p.blocks)
        val near = (entries(block).count + random.nextInt(3) - 1).max(0).min(most)
        val said =
          Message(random.nextInt(4), block, if (oneIn(8)) random.nextInt(most + 1) else near, random.nextInt(4))
        val (speaks, takes) = (!oneIn(3), oneIn(3))
        val looks = Seq.fill(2)(if (oneIn(3)) Some(random.nextInt(p.blocks)) else None)
        val isQuiet = acting.isEmpty && owed.isEmpty
        // Encryptors wait until the table is quiet
        val writes =
          if (cleared == p.blocks && isQuiet && oneIn(4))
            Some((random.nextInt(p.blocks), Entry(valid = true, owner = true, 1, random.nextInt(most + 1))))
          else None
        dut.io.received.valid.poke(speaks)
        dut.io.received.bits.kind.poke(said.kind)
        dut.io.received.bits.block.poke(said.block)
        dut.io.received.bits.count.poke(said.count)
        dut.io.source.poke(said.source)
        dut.io.reply.ready.poke(takes)
        for ((port, look) <- dut.io.look.zip(looks)) {
          port.valid.poke(look.nonEmpty)
          port.bits.poke(look.getOrElse(0))
        }
        dut.io.write.valid.poke(writes.nonEmpty)
        for ((block, entry) <- writes) {
          dut.io.write.bits.block.poke(block)
          dut.io.write.bits.entry.valid.poke(entry.valid)
          dut.io.write.bits.entry.owner.poke(entry.owner)
          dut.io.write.bits.entry.writer.poke(entry.writer)
          dut.io.write.bits.entry.count.poke(entry.count)
        }

        val free = cleared == p.blocks && acting.isEmpty && writes.isEmpty
        val hears = free && !(owed.nonEmpty && said.kind == PadMessage.request)
        val receives = speaks && hears
        dut.io.quiet.expect(isQuiet)
        dut.io.received.ready.expect(hears)
        dut.io.look(0).ready.expect(free && !receives)
        dut.io.look(1).ready.expect(free && !receives && looks(0).isEmpty)
        for (entry <- found) {
          dut.io.found.valid.expect(entry.valid)
          dut.io.found.owner.expect(entry.owner)
          dut.io.found.writer.expect(entry.writer)
          dut.io.found.count.expect(entry.count)
        }
        val changes = acting.flatMap { message =>
          val entry = entries(message.block)
          val told = Entry(valid = true, owner = false, message.source, message.count)
          message.kind match {
            case PadMessage.invalidate => Some(entry.copy(valid = false, owner = false))
            case PadMessage.update if message.count > entry.count => Some(told)
            case PadMessage.reply if !entry.valid && message.count >= entry.count => Some(told)
            case _ => None
          }
        }
        dut.io.changed.valid.expect(changes.nonEmpty)
        if (changes.nonEmpty) dut.io.changed.bits.expect(acting.get.block)
        val answer = owed.filterNot(answer => changes.nonEmpty && acting.get.block == answer.block)
        dut.io.reply.valid.expect(answer.nonEmpty)
        for (message <- answer) {
          dut.io.reply.bits.kind.expect(PadMessage.reply)
          dut.io.reply.bits.block.expect(message.block)
          dut.io.reply.bits.count.expect(message.count)
        }
        step()

        found = if (free && !receives) looks.flatten.headOption.map(entries) else None
        owed = answer.filterNot(_ => takes)
        for (message <- acting if message.kind == PadMessage.request && entries(message.block).owner)
          owed = Some(Message(PadMessage.reply, message.block, entries(message.block).count, 0))
        for (entry <- changes) entries = entries.updated(acting.get.block, entry)
        for ((block, entry) <- writes) entries = entries.updated(block, entry)
        acting = if (receives) Some(said) else None
        if (cleared < p.blocks) cleared += 1
      }
    }
  }
}
