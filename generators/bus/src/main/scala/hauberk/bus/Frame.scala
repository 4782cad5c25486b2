package hauberk.bus

import chisel3._
import chisel3.util._

/** The five kinds of messages of TileLink, by urgency: a message waits only for those of a higher number. */
object BusChannel {
  val a = 0
  val b = 1
  val c = 2
  val d = 3
  val e = 4
  val count = 5
  val width = 3

  /** Messages that the home node receives; the tiles receive the rest. */
  val toHome: Seq[Int] = Seq(a, c, e)
  val toTiles: Seq[Int] = Seq(b, d)
}

/** What goes before what on the shared bus: the first share of a set-up, which may wait long for those who have not opened the group yet;
  * messages, by their channel; what is said of counters for memory, and the replies to it; MACs, and the other shares, for which everybody
  * waits.
  */
object Urgency {
  val setUp = 0
  def ofChannel(channel: UInt): UInt = channel +& 1.U
  val pad = 6
  val padReply = 7
  val authentication = 8
  val width = 4
}

/** Kind of a beat on the shared bus. */
object FrameKind {
  val transfer = 0
  val authentication = 1
  val setUp = 2

  /** Of counters for memory: [[PadMessage]], for every tile. */
  val pad = 3
  val width = 2
}

/** A message of the layer above. The command and all its data come at once.
  *
  * `peer` is who it is for where it is sent, and who sent it where it is received. `beats` is how much of `data`, from bit 0 on, is sent:
  * that many times the shared bus's width, 0 for no data; the rest reads as zero.
  */
class BusMessage(val p: BusParams) extends Bundle {
  val peer = UInt(p.pidBits.W)
  val group = UInt(p.gidBits.W)
  val command = UInt(p.commandBits.W)
  val beats = UInt(p.beatsBits.W)
  val data = UInt(p.lineBits.W)
}

/** The shared bus's lines in a bus cycle. A message is as many of these as it has beats of data, one if none, in bus cycles of which nobody has
  * one between, and the same but for `last` and `data`.
  */
class BusBeat(val p: BusParams) extends Bundle {
  val kind = UInt(FrameKind.width.W)
  val group = UInt(p.gidBits.W)
  val source = UInt(p.pidBits.W)
  val destination = UInt(p.pidBits.W)
  val channel = UInt(BusChannel.width.W)
  val command = UInt(p.commandBits.W)
  val hasData = Bool()
  val last = Bool()
  val data = UInt(p.sharedBus.widthBits.W)
}

/** A member's port to the shared bus; all of it counts in the last cycle of a bus cycle, `tick`.
  *
  * Who wants to send shows its beat with `request`. The shared bus shows everybody else the beat of the most urgent one; each answers
  * `accepts` from what it sees of it. If all accept, the beat is taken: `granted` says so to its sender, `commit` to the others. A beat
  * that is not taken may be another one in the next bus cycle.
  */
class SharedBusPort(val p: BusParams) extends Bundle {
  val tick = Input(Bool())
  val request = Output(Bool())

  /** Larger goes first: [[Urgency]]. */
  val urgency = Output(UInt(Urgency.width.W))
  val beat = Output(new BusBeat(p))
  val granted = Input(Bool())

  /** Meaningful only while `shown`, and zero otherwise. */
  val received = Input(new BusBeat(p))
  val shown = Input(Bool())
  val accepts = Output(Bool())
  val commit = Input(Bool())
}
