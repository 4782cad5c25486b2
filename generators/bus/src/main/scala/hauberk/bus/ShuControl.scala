package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite

/** Tiles' messages about counters for memory, to the shared bus and from it. */
class PadSpeech(val p: BusParams) extends Bundle {
  val transmit = Flipped(Decoupled(new PadMessage(p.pads.get)))
  val receive = Decoupled(new PadMessage(p.pads.get))
  val source = Output(UInt(p.pidBits.W))

  /** By group: its tiles' key for pads, while it is agreed. That of group 0, from its first session, stays until reset. */
  val keys = Vec(p.secure.groups, Valid(UInt(128.W)))
}

/** Counts of a unit since reset. */
class BusStatistics extends Bundle {

  /** Beats of transfers sent, and those of them with data. */
  val sent = UInt(64.W)
  val dataSent = UInt(64.W)

  /** MACs shown by this member, and all good ones. */
  val shown = UInt(64.W)
  val authenticated = UInt(64.W)

  /** Bus cycles in which this member had something to send and its masks, MAC or room for unauthenticated transfers were not ready. */
  val stalls = UInt(64.W)
}

/** The control port of a [[SecurityHardwareUnit]]. */
class ShuControl(val p: BusParams) extends Bundle {
  val command = Flipped(Valid(new GroupCommand(p)))
  val refusal = Output(UInt(GroupRefusal.width.W))
  val keyWrite = Flipped(Valid(new KeyWrite(p.secure.groups, 128)))
  val keyRefusal = Output(UInt(GroupRefusal.width.W))
  val random = Flipped(Decoupled(UInt(64.W)))

  /** The context of a group that was swapped out, and of one that comes back ([[GroupContext.words]] words); in the cycle of `contextJudged`,
    * why that was refused.
    */
  val contextOut = Decoupled(UInt(64.W))
  val contextIn = Flipped(Decoupled(UInt(64.W)))
  val contextJudged = Output(Bool())
  val contextRefusal = Output(UInt(GroupRefusal.width.W))

  /** Error behind the unit, a code of [[BusAlarm]]: the unit raises this alarm. */
  val fault = Input(UInt(BusAlarm.width.W))
  val occupied = Output(UInt(p.secure.groups.W))

  /** Groups in which data may pass. */
  val agreed = Output(UInt(p.secure.groups.W))

  /** The first alarm of this member, [[BusAlarm]]: it sends and receives nothing more. */
  val alarm = Output(UInt(BusAlarm.width.W))
  val statistics = Output(new BusStatistics)
}
