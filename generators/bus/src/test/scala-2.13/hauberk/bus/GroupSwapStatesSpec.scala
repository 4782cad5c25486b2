package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The unit that swaps groups alone, with a cipher, random numbers and words that are late: contexts of any group leave, and come back. */
class GroupSwapStatesSpec extends AnyFunSuite with Simulation {
  private val p = SmallBus(3, 128, SmallBus.secure.copy(groups = 6))
  private val low = (BigInt(1) << 64) - 1
  private case class Context(group: Int, row: Int, interval: BigInt, key: BigInt)
  import ReferenceBlock.aes

  /** As the scaladoc of [[GroupSwap]] has it. */
  private def words(context: Context, pid: Int, macKey: BigInt, padKey: BigInt): Seq[BigInt] = {
    val rest = (BigInt(context.group) << 120) | (BigInt(pid) << 112) | (BigInt(context.row) << 32) | context.interval
    val mac = aes(macKey, aes(macKey, context.key) ^ rest)
    Seq(mac, context.key ^ aes(padKey, mac), rest ^ aes(padKey, mac ^ 1)).flatMap(x => Seq(x >> 64, x & low))
  }

  // covers: bus.groups
  test("what leaves are the words of its context, which come back as they were, once, and nothing else does") {
    simulate(new GroupSwap(p, tagBits = 2)) { dut =>
      val io = dut.io
      val random = new Random(25)
      def oneIn(n: Int) = random.nextInt(n) == 0
      var pid = 0
      val drawn = mutable.Buffer[BigInt]()
      var inCipher = Option.empty[BigInt]
      var strays = false
      val contexts = mutable.Buffer[(Context, Seq[BigInt])]()

      // What a cycle has besides: numbers and answers, each as late as it likes, and answers that were not asked for
      def cycle(): Unit = {
        val (draws, number) = (oneIn(3), BigInt(64, random))
        io.random.valid.poke(draws)
        io.random.bits.poke(number)
        val (takes, answers) = (oneIn(2), (strays || inCipher.nonEmpty) && oneIn(2))
        io.service.ready.poke(takes)
        io.answer.valid.poke(answers)
        io.answer.bits.block.poke(inCipher.filter(_ => answers).getOrElse(BigInt(128, random)))
        if (inCipher.nonEmpty) io.service.valid.expect(false)
        val asked =
          if (takes && io.service.valid.peekBoolean())
            Some(aes(io.service.bits.key.peek(), io.service.bits.block.peek()))
          else None
        if (draws && io.random.ready.peekBoolean()) drawn += number
        step()
        inCipher = asked.orElse(inCipher.filterNot(_ => answers))
      }
      def quiet(): Unit = {
        io.back.valid.expect(false)
        io.bad.expect(false)
        io.back.bits.key.expect(0)
      }
      def until(end: => Boolean): Unit = {
        var cycles = 0
        while (!end) {
          io.busy.expect(true)
          io.in.ready.expect(false)
          cycle()
          cycles += 1
          assert(cycles < 300, "it does not end")
        }
        io.busy.expect(true)
      }
      def secret(number: Int) = (drawn(2 * number) << 64) | drawn(2 * number + 1)

      def leave(): Unit = {
        val context = Context(random.nextInt(6), random.nextInt(8), BigInt(32, random), BigInt(128, random))
        io.leave.valid.poke(true)
        io.leave.bits.group.poke(context.group)
        io.leave.bits.row.poke(context.row)
        io.leave.bits.interval.poke(context.interval)
        io.leave.bits.key.poke(context.key)
        // It goes before what comes
        io.in.valid.poke(true)
        io.in.bits.poke(7)
        io.busy.expect(false)
        io.in.ready.expect(false)
        cycle()
        io.leave.valid.poke(false)
        io.leave.bits.key.poke(BigInt(128, random))
        io.in.valid.poke(false)
        val seen = Seq.fill(GroupContext.words) {
          until { quiet(); io.out.valid.peekBoolean() }
          io.out.ready.poke(false)
          val word = io.out.bits.peek()
          for (_ <- 0 until random.nextInt(3)) {
            cycle()
            io.out.valid.expect(true)
            io.out.bits.expect(word)
          }
          io.out.ready.poke(true)
          cycle()
          io.out.ready.poke(false)
          word
        }
        io.out.valid.expect(false)
        io.out.bits.expect(0)
        io.busy.expect(false)
        assert(seen == words(context, pid, secret(0), secret(1)))
        contexts += context -> seen
      }

      def enter(what: Seq[BigInt], good: Option[Context]): Unit = {
        io.busy.expect(false)
        for ((word, number) <- what.zipWithIndex) {
          for (_ <- 0 until random.nextInt(3)) {
            io.in.bits.poke(BigInt(64, random))
            cycle()
          }
          io.busy.expect(number > 0)
          io.in.ready.expect(true)
          quiet()
          io.in.valid.poke(true)
          io.in.bits.poke(word)
          cycle()
          io.in.valid.poke(false)
        }
        until {
          io.out.valid.expect(false)
          io.out.bits.expect(0)
          val judged = io.back.valid.peekBoolean() || io.bad.peekBoolean()
          if (!judged) io.back.bits.key.expect(0)
          judged
        }
        io.back.valid.expect(good.nonEmpty)
        io.bad.expect(good.isEmpty)
        io.back.bits.group.expect(good.fold(0)(_.group))
        io.back.bits.row.expect(good.fold(0)(_.row))
        io.back.bits.interval.expect(good.fold(BigInt(0))(_.interval))
        io.back.bits.key.expect(good.fold(BigInt(0))(_.key))
        cycle()
        quiet()
        io.busy.expect(false)
      }

      for (round <- 0 until 6) {
        resetDesign(dut)
        pid = random.nextInt(3)
        io.pid.poke(pid)
        io.out.ready.poke(false)
        drawn.clear()
        contexts.clear()
        inCipher = None
        strays = round % 3 == 0
        // What came before the first context left is no context
        if (round % 2 == 0) enter(Seq.fill(GroupContext.words)(BigInt(64, random)), None)
        for (_ <- 0 until 6) {
          if (oneIn(2)) leave()
          for ((context, made) <- random.shuffle(contexts.toSeq).headOption) {
            enter(made, Some(context))
            enter(made.updated(random.nextInt(6), BigInt(64, random)), None)
          }
        }
        assert(drawn.size <= 4, "secrets are drawn once")
        // The next reset comes in the middle of something
        io.leave.valid.poke(true)
        cycle()
        io.leave.valid.poke(false)
        for (_ <- 0 until random.nextInt(30)) cycle()
      }
    }
  }
}
