package hauberk.bus

import chisel3.util._
import hauberk.crypto.AesDatapath

/** How the shared bus is clocked and how wide it is. The paper's figure 5: 100 MHz beside cores of 1 GHz, 32 bytes a bus cycle, 3.2 GB/s.
  *
  * @param ratio     cycles of the members' clock in a bus cycle, 1 to 64; the shared bus carries at most one beat a bus cycle
  * @param widthBits data lines, a power of two, 128 to 1024
  */
case class SharedBusParams(ratio: Int = 10, widthBits: Int = 256) {
  require(ratio >= 1 && ratio <= 64, s"a bus cycle of $ratio cycles: choose a ratio of 1 to 64")
  require(
    isPow2(widthBits) && widthBits >= 128 && widthBits <= 1024,
    s"a shared bus of $widthBits data lines: choose a power of two, 128 to 1024, for the cipher works on blocks of 128 bits"
  )
}

/** The two buses that are measured: the paper's, and one that takes a beat every cycle. */
object SharedBusParams {

  /** Figure 5 of the paper. */
  val paper: SharedBusParams = SharedBusParams()

  /** A beat every cycle. */
  val fastest: SharedBusParams = SharedBusParams(ratio = 1, widthBits = 128)
}

/** Where the masks come from. */
sealed trait BusMasks

/** The two rules for the next mask: chained over the whole group, or counted by each sender. */
object BusMasks {

  /** Section 4.2: the next mask of a slot is made of the ciphertext it hid and of the sender, so every member uses the same masks in the
    * shared bus's total order. Whoever decides that order can let two members use one mask; docs/senss.md carries that out.
    */
  case object Chained extends BusMasks

  /** Beyond the paper: every sender has masks of its own, made of its PID and a count, which nobody can make it use twice. */
  case object PerSender extends BusMasks
}

/** Authentication of transfers. */
sealed trait BusMac

/** The two authentication codes: a CBC-MAC a mask slot, or GHASH. */
object BusMac {

  /** Section 4.3: CBC-MAC, a chain for every mask slot, a block of data and PID at a time. */
  case object Cbc extends BusMac

  /** The alternative section 4.3 names: multiplications in GF(2^128), a block a cycle. */
  case object Ghash extends BusMac
}

/** The security hardware unit of every member of a bus (Zhang et al., HPCA 2005).
  *
  * @param masks                mask slots of a group, 1 to 16, used in turn; `ceil(aesLatency / ratio)` of them never stall the shared bus
  * @param interval             transfers between two authentications after a set-up, 1 to 2^32-1 (section 4.3)
  * @param window               transfers that may pass while an authentication is on its way; never are more than interval + window unauthenticated
  * @param heartbeat            bus cycles after which there is an authentication, however few transfers there were. A bus that carries less than
  *                             `interval` data transfers in that time has more authentications of heartbeats than of intervals
  * @param timeout             bus cycles without a good authentication, or in a set-up that has begun without a share, after which a
  *                             member raises the alarm, above heartbeat
  * @param aesLatency           cycles from a transfer until the mask that follows it is ready
  * @param groups               entries of the group information table, 1 to 16 (section 5.2)
  * @param pageRanges           entries of the table of pages' groups, 1 to 16; with one group there is no such table
  * @param maskSource           [[BusMasks]]
  * @param mac                  [[BusMac]]
  * @param authenticateCommands beyond the paper: address, opcode and destination are authenticated, and transfers without data, too
  * @param aesDatapath          what computes the blocks of the ciphers
  */
case class BusSecurityParams(
    masks: Int = 8,
    interval: BigInt = 100,
    window: Int = 24,
    heartbeat: Int = 4096,
    timeout: Int = 8192,
    aesLatency: Int = 80,
    groups: Int = 1,
    pageRanges: Int = 4,
    maskSource: BusMasks = BusMasks.Chained,
    mac: BusMac = BusMac.Cbc,
    authenticateCommands: Boolean = false,
    aesDatapath: AesDatapath = AesDatapath.Rounds
) {
  require(masks >= 1 && masks <= 16, s"$masks masks a group: choose 1 to 16")
  require(
    interval >= 1 && interval < (BigInt(1) << 32),
    s"an authentication interval of $interval transfers: choose 1 to ${(BigInt(1) << 32) - 1}"
  )
  require(window >= 1 && window <= 256, s"a window of $window transfers: choose 1 to 256")
  require(
    heartbeat >= 16,
    s"a heartbeat every $heartbeat bus cycles leaves no time for anything else: choose 16 or more"
  )
  require(
    timeout >= 2 * heartbeat,
    s"a timeout of $timeout bus cycles would take a pause for an attack: choose ${2 * heartbeat}, twice the heartbeat, or more"
  )
  require(groups >= 1 && groups <= 16, s"a group information table of $groups entries: choose 1 to 16")
  require(pageRanges >= 1 && pageRanges <= 16, s"a table of pages' groups of $pageRanges entries: choose 1 to 16")
}

/** A shared bus and its members.
  *
  * @param members     tiles and the home node; member number, PID, 0 is the home node
  * @param commandBits width of a command, which the layer above makes and reads
  * @param lineBytes   most data of a message
  * @param sharedBus    clock and width
  * @param security    the security hardware units; none leaves the shared bus in the clear
  * @param pads        tiles encrypt for memory themselves; none leaves that to whoever is behind the home node
  */
case class BusParams(
    members: Int,
    commandBits: Int,
    lineBytes: Int = 64,
    sharedBus: SharedBusParams = SharedBusParams.paper,
    security: Option[BusSecurityParams] = Some(BusSecurityParams()),
    pads: Option[PadParams] = None
) {
  require(
    members >= 2 && members <= BusParams.mostMembers,
    s"a shared bus with $members members: there are PIDs for the home node and 1 to ${BusParams.mostMembers - 1} tiles"
  )
  require(
    commandBits >= 1 && commandBits <= BusParams.mostCommandBits,
    s"commands of $commandBits bits: an authenticated command has 1 to ${BusParams.mostCommandBits}, use fewer address or source bits"
  )
  require(
    isPow2(lineBytes) && lineBytes * 8 >= sharedBus.widthBits,
    s"lines of $lineBytes bytes on a shared bus of ${sharedBus.widthBits} data lines: choose a power of two of ${sharedBus.widthBits / 8} or more"
  )

  val pidBits: Int = log2Ceil(members)
  val gidBits: Int = log2Ceil(security.fold(1)(_.groups)).max(1)
  val lineBits: Int = lineBytes * 8

  /** Entries of the table of pages' groups: with one group there is none. */
  val pageRanges: Int = security.filter(_.groups > 1).fold(0)(_.pageRanges)

  /** Bus cycles a line takes. */
  val lineBeats: Int = lineBits / sharedBus.widthBits
  val beatsBits: Int = log2Ceil(lineBeats + 1)

  /** AES blocks of a beat's data. */
  val lanes: Int = sharedBus.widthBits / 128

  /** The parameters of the units; only where there are some. */
  def secure: BusSecurityParams = security.get

  /** AES blocks for a transfer: its masks, and those of its MAC. */
  def blocks: Int = lanes + (if (secure.mac == BusMac.Cbc) lanes + 1 else 0)

  /** Pipelines, so that transfers in every bus cycle, each with an authentication of its own, never wait for the cipher. */
  def ciphers: Int = (blocks + 1 + sharedBus.ratio - 1) / sharedBus.ratio

  /** Cycles in which the blocks of a transfer enter the pipelines. */
  def steps: Int = (blocks + ciphers - 1) / ciphers

  for (pads <- pads) {
    require(
      security.isDefined,
      "tiles that encrypt for memory must agree on counters, and a shared bus in the clear authenticates nothing: give the bus security"
    )
    require(
      pads.groups == secure.groups,
      s"tiles with pad keys of ${pads.groups} groups on a shared bus of ${secure.groups}: give both the same number"
    )
    require(
      PadMessage.bits(pads) <= commandBits,
      s"counters of ${pads.countBits} bits for ${pads.blocks} blocks do not fit the $commandBits command lines: use narrower counters"
    )
  }

  security.foreach { security =>
    val least = steps + BusParams.pipelineStages + 2
    require(
      security.aesLatency >= least,
      s"an AES latency of ${security.aesLatency} cycles: with $blocks blocks a transfer choose $least or more"
    )
    require(
      security.window >= 2 * lineBeats,
      s"a window of ${security.window} transfers where a line takes $lineBeats: choose ${2 * lineBeats} or more"
    )
    require(
      security.mac == BusMac.Cbc || lanes + 2 <= sharedBus.ratio,
      s"GHASH takes ${lanes + 2} cycles a transfer, and a bus cycle has ${sharedBus.ratio}: use the CBC-MAC, or a slower shared bus"
    )
  }
}

/** Limits that follow from the layout of a cipher block and from AES-128. */
object BusParams {

  /** PIDs have five bits in a block of the cipher (section 7.1: 32 processors). */
  val mostMembers = 32

  /** Remaining bits of a block beside kind, group, PIDs and channel. */
  val mostCommandBits = 96

  /** Rounds of AES-128, a register behind each. */
  val pipelineStages = 10

  /** The number of the member at the home node. */
  val home = 0
}
