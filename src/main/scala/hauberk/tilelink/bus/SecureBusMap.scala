package hauberk.tilelink.bus

import hauberk.abi.Counter
import hauberk.bus.{BusAlarm, GroupOperation, GroupRefusal, PageRange}
import hauberk.tilelink.common.{BitField, Register, RegisterGroup, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of a secure bus: the only place that knows offsets and bits. On a shared bus in the clear there are `id`, `geometry` and
  * the statistics only.
  */
object SecureBusMap {
  val members: BitField = BitField("MEMBERS", 0, 8, "members: the home node and the tiles' edges")
  val lineBits: BitField = BitField("LINE_BITS", 8, 8, "log2 of a line's bytes")
  val ratio: BitField = BitField("RATIO", 16, 8, "cycles of a bus cycle")
  val widthBits: BitField = BitField("WIDTH_BITS", 24, 8, "log2 of the data lines")
  val groups: BitField = BitField("GROUPS", 32, 8, "groups, 0 in the clear")
  val masks: BitField = BitField("MASKS", 40, 8, "masks, 0 in the clear")
  val ranges: BitField = BitField("PAGE_RANGES", 48, 8, "entries of the table of pages' groups, 0 with one group")

  val id: Register = RegisterMap.id("Hauberk2")
  val geometry: Register =
    Register(
      "GEOMETRY",
      0x08,
      RO,
      "parameters of the hardware",
      Seq(members, lineBits, ratio, widthBits, groups, masks, ranges)
    )
  val status: Register = Register(
    "STATUS",
    0x10,
    RO,
    "state",
    Seq(
      BitField("OPENED", 0, 1, "group 0 was opened"),
      BitField("KEY_BUSY", 1, 1, "a key is being unwrapped"),
      BitField("ALARM", 2, 1, "alarm")
    )
  )
  val alarm: Register = Register(
    "ALARM",
    0x18,
    RO,
    "the first alarm",
    Seq(
      BitField("CAUSE", 0, 8, "cause, as in a member's alarm"),
      BitField("PID", 8, 8, "PID of the member that raised it")
    )
  )

  val commandMembers: BitField = BitField("MEMBERS", 0, 32, "members of the group, a bit for each PID")
  val commandGroup: BitField = BitField("GROUP", 32, 8, "group")
  val commandOperation: BitField = BitField("OPERATION", 40, 8, "operation", GroupOperation.all)
  val command: Register =
    Register("CMD", 0x20, WO, "command to all members at once", Seq(commandMembers, commandGroup, commandOperation))
  val interval: Register =
    Register("INTERVAL", 0x28, RW, "transfers between authentications, of groups allocated from now on")
  val wrappedKey: Seq[Register] =
    RegisterMap.wrappedKey(0x30, WO, "a group's key, wrapped under a member's device key")
  val loadGroup: BitField = BitField("GROUP", 0, 8, "group")
  val loadPid: BitField = BitField("PID", 8, 8, "PID of the member")
  val load: Register = Register("LOAD_KEY", 0x48, WO, "loads the wrapped key", Seq(loadGroup, loadPid))

  /** Counters of the bus, each with its register. */
  val counters: Seq[(Counter, Register)] = Counter
    .inOrder(SharedBusStatistics.counters)
    .map(counter => counter -> Register(counter.name.toUpperCase, 8 * counter.index, RO, counter.meaning))
  val statistics: RegisterGroup = RegisterGroup("STATS", 0x80, None, "STAT", counters.map(_._2))

  val pageGroup: BitField = BitField("GROUP", 0, 8, "group")
  val pageSize: BitField = BitField("SIZE", 8, 8, "log2 of the range's bytes, 12 to 56; 0: no page")
  val pageFirst: BitField = BitField("FIRST", 16, PageRange.pageBits, "its address / 4096, a multiple of its size")
  val pageRange: Register = Register(
    "RANGE",
    0x00,
    RW,
    "the group of these pages, accepted if the home node agreed on it; pages without an entry are of group 0, the first entry counts",
    Seq(pageGroup, pageSize, pageFirst)
  )
  val pages: RegisterGroup = RegisterGroup("PAGES", 0x100, Some("entry" -> 0x8), "PAGE", Seq(pageRange))

  val memberAlarm: Register = Register("ALARM", 0x00, RO, "the member's alarm", values = BusAlarm.all)
  val memberRefusals: Register = Register(
    "REFUSALS",
    0x08,
    RO,
    "why the member refused",
    Seq(
      BitField("CMD", 0, 8, "the last command", GroupRefusal.all),
      BitField("KEY", 8, 8, "the last key, as above"),
      BitField("CONTEXT", 16, 8, "the last context, as above"),
      BitField("UNWRAP_FAILED", 24, 1, "the last key could not be unwrapped")
    )
  )
  val memberAgreed: Register = Register("AGREED", 0x10, RO, "groups in which data may pass, a bit each")
  val contextOut: Register = Register("CONTEXT_OUT", 0x20, RO, "a word of the context that leaves, read once")
  val contextOutReady: Register =
    Register("CONTEXT_OUT_READY", 0x28, RO, "state of the word", Seq(BitField("VALID", 0, 1, "there is a word")))
  val contextIn: Register = Register("CONTEXT_IN", 0x30, WO, "a word of a context that comes back")
  val member: RegisterGroup = RegisterGroup(
    "MEMBERS",
    0x400,
    Some("member" -> 0x40),
    "MEMBER",
    Seq(memberAlarm, memberRefusals, memberAgreed, contextOut, contextOutReady, contextIn)
  )

  val all: RegisterMap = RegisterMap(
    "BUS",
    0x10030000,
    Seq(id, geometry, status, alarm, command, interval) ++ wrappedKey ++ Seq(load),
    Seq(statistics, pages, member)
  )
}
